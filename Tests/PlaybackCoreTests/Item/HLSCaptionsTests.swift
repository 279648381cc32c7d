import Testing

@testable import PlaybackCore

@Suite("Captions in HLS playlists of their own")
struct HLSCaptionsTests {
  private func captions(_ lines: String...) -> [HLSPlaylist.Captions] {
    HLSPlaylist.captions(in: Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8))
  }

  private func parts(_ text: String) -> [HLSPlaylist.Part]? { HLSPlaylist.parts(in: Array(text.utf8)) }

  @Test("A track has its address, language, name and marks; sound, and captions in the picture's stream, are left out")
  func tracks() {
    let found = captions(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"sound.m3u8\"",
      "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"s\",NAME=\"CC\",INSTREAM-ID=\"CC1\"",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"Deutsch, lang\",LANGUAGE=\"de\",DEFAULT=YES,URI=\"de.m3u8\"",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English\",LANGUAGE=\"en\",FORCED=YES,URI=\"../en.m3u8?a=1,2\"",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"D\",CHARACTERISTICS=\"public.accessibility"
        + ".transcribes-spoken-dialog,public.accessibility.describes-music-and-sound\",URI=\"sdh.m3u8\"",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"without a place\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=1000000,SUBTITLES=\"s\"", "film.m3u8")
    var hard = HLSPlaylist.Captions(address: "sdh.m3u8", title: "D")
    hard.isForHardOfHearing = true
    #expect(
      found == [
        .init(address: "de.m3u8", language: "de", title: "Deutsch, lang", isDefault: true),
        .init(address: "../en.m3u8?a=1,2", language: "en", title: "English", isForced: true), hard,
      ])
  }

  @Test("Of several groups the first variant's is taken; if no variant names a group, all are")
  func groups() {
    let a = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"A\",URI=\"a.m3u8\""
    let b = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"b\",NAME=\"B\",URI=\"b.m3u8\""
    let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="
    #expect(captions(a, b, variant + "\"b\"", "1", variant + "\"a\"", "2").map(\.address) == ["b.m3u8"])
    #expect(captions(a, b, "#EXT-X-STREAM-INF:BANDWIDTH=1", "1").map(\.address) == ["a.m3u8", "b.m3u8"])
  }

  @Test("The files of a complete playlist have their ends; ranges of one file are one, and gaps are left out")
  func complete() {
    let text = """
      #EXTM3U
      #EXT-X-TARGETDURATION:6
      #EXTINF:6.000,
      a.vtt
      #EXTINF:5.5,title
      #EXT-X-BYTERANGE:100@0
      b.vtt
      #EXTINF:4,
      #EXT-X-BYTERANGE:100@100
      b.vtt
      #EXTINF:6,
      gap.vtt#vitrine-gap
      #EXTINF:nonsense,
      c.vtt
      #EXT-X-ENDLIST
      """
    let parts = [
      HLSPlaylist.Part(address: "a.vtt", end: .seconds(6)), .init(address: "b.vtt", end: .milliseconds(15500)),
      .init(address: "c.vtt", end: .milliseconds(21500)),
    ]
    #expect(self.parts(text) == parts)
    #expect(self.parts(text.replacing("\n", with: "\r\n")) == parts)
    for length in ["-1", "1e300", "nan", "inf", ""] {
      #expect(self.parts(text.replacing("nonsense", with: length))?.last?.end == .milliseconds(21500), "\(length)")
    }
  }

  @Test("A playlist that grows, a stream's playlist, and any other text has no parts")
  func others() {
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.vtt\n"
    #expect(parts(list) == nil)
    #expect(parts(list + "#EXT-X-ENDLIST")?.count == 1)
    #expect(parts("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfilm.m3u8\n") == nil)
    #expect(parts("WEBVTT\n\n#EXT-X-ENDLIST\n") == nil)
    #expect(parts("") == nil)
  }

  @Test("A playlist names at most 20,000 files")
  func most() {
    let lines = (0...HLSPlaylist.maximumParts).map { "#EXTINF:1,\n\($0).vtt" }
    let found = parts("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n")
    #expect(found?.count == HLSPlaylist.maximumParts)
    #expect(found?.last == .init(address: "19999.vtt", end: .seconds(20_000)))
  }
}

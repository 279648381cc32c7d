import Testing

@testable import PlaybackCore

@Suite("Repair of HLS playlists")
struct HLSPlaylistTests {
  private func mended(_ text: String) -> String? {
    HLSPlaylist.mended(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The addresses of the variants that are left after mending.
  private func variants(_ lines: [(String, String)], ending: String = "\n") -> [String] {
    let text = (["#EXTM3U"] + lines.flatMap { ["#EXT-X-STREAM-INF:\($0.0)", $0.1] } + [""]).joined(separator: ending)
    return (mended(text) ?? text).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test("A sound-only variant is removed where others have pictures, by its codecs or its missing size")
  func soundAlone() {
    let film = ("BANDWIDTH=1500000,CODECS=\"avc1.42c01e,mp4a.40.2\",RESOLUTION=640x360", "av.m3u8")
    for sound in [
      "BANDWIDTH=64000,CODECS=\"mp4a.40.2\"", "CODECS=\"mp4a.40.5, ac-3\",BANDWIDTH=640000", "BANDWIDTH=64000",
      "PROGRAM-ID=1, BANDWIDTH=64000",
    ] {
      #expect(variants([(sound, "a.m3u8"), film]) == ["av.m3u8"], "\(sound)")
      #expect(variants([film, (sound, "a.m3u8")]) == ["av.m3u8"], "\(sound)")
      #expect(variants([(sound, "a.m3u8"), film], ending: "\r\n") == ["av.m3u8"], "\(sound)")
      #expect(variants([(sound, "a.m3u8"), ("BANDWIDTH=800000", "plain.m3u8")]) == ["plain.m3u8"], "\(sound)")
    }
  }

  @Test("Sound-only variants stay when there are no others, and so do films with few or low values")
  func stays() {
    let all = [
      [("BANDWIDTH=64000,CODECS=\"mp4a.40.2\"", "a"), ("BANDWIDTH=128000,CODECS=\"mp4a.40.2\"", "b")],
      [("BANDWIDTH=300000", "a"), ("BANDWIDTH=1500000,RESOLUTION=640x360", "b")],
      [("BANDWIDTH=80000,RESOLUTION=160x90", "a"), ("BANDWIDTH=1500000,RESOLUTION=640x360", "b")],
      [("BANDWIDTH=90000", "a"), ("BANDWIDTH=200000", "b")], [("", "a"), ("BANDWIDTH=x", "b")],
    ]
    for list in all { #expect(variants(list) == list.map(\.1), "\(list)") }
  }

  @Test("The address after a gap's tag is marked, and no other one")
  func gaps() {
    let text = """
      #EXTM3U
      #EXT-X-TARGETDURATION:2
      #EXTINF:2,
      a.ts
      #EXT-X-GAP
      #EXTINF:2,
      b.ts

      #EXTINF:2,
      #EXT-X-GAP
      # a comment
      c.ts?x=1
      #EXT-X-GAPS
      d.ts
      """
    let marked = text.replacing("b.ts", with: "b.ts#vitrine-gap").replacing("c.ts?x=1", with: "c.ts?x=1#vitrine-gap")
    #expect(mended(text) == marked)
    #expect(mended(text.replacing("\n", with: "\r\n"))?.contains("b.ts#vitrine-gap\n") == true)
  }

  @Test("A playlist without a fault stays as it is, and any text can be read")
  func alone() {
    for text in [
      "", "#EXTM3U", "#EXTM3U\na.mp4\n", "<MPD/>", "#EXTM3U\n#EXT-X-STREAM-INF", "#EXTM3U\n#EXT-X-STREAM-INF:\n",
    ] {
      #expect(mended(text) == nil, "\(text)")
    }
    #expect(mended("#EXTM3U\n#EXT-X-STREAM-INF:=,=\"\n \n#EXT-X-STREAM-INF:BANDWIDTH=1,A=\"\nx") == nil)
  }
}

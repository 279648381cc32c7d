import PlaybackCore
import Testing

@Suite("Card of an item without a picture: its words")
struct SoundCardTests {
  private func item(_ uri: String = "file:///music/01%20K%C3%B6ln.live.flac", title: String = "") -> MediaItem {
    MediaItem(uri: uri, title: title, kind: .file)
  }

  @Test("The owner's title counts more than the file's own, and that more than the name of the file")
  func titles() {
    let tags = MediaMetadata(title: " Part I ", artist: "Keith Jarrett", album: "The Köln Concert")
    #expect(
      SoundCard(item(title: "Lobby"), tags, isStation: false)
        == SoundCard(title: "Lobby", lines: ["Keith Jarrett", "The Köln Concert"]))
    #expect(SoundCard(item(), tags, isStation: false).title == "Part I")
    #expect(SoundCard(item(), MediaMetadata(), isStation: false) == SoundCard(title: "01 Köln.live"))
  }

  @Test("Of a station the title is what it plays, and below is what it is called")
  func stations() {
    let playing = MediaMetadata(title: "Miles Davis - So What", station: "Jazz FM")
    let named = item("http://radio:8000/jazz", title: "Jazz in the lobby")
    #expect(
      SoundCard(named, playing, isStation: true)
        == SoundCard(title: "Miles Davis - So What", lines: ["Jazz in the lobby"], isStation: true))
    let nameless = item("http://radio:8000/jazz")
    #expect(SoundCard(nameless, playing, isStation: true).lines == ["Jazz FM"])
    let silent = MediaMetadata(station: "Jazz FM")
    #expect(SoundCard(nameless, silent, isStation: true) == SoundCard(title: "Jazz FM", isStation: true))
  }

  @Test("What says nothing is left out, and nothing is said twice")
  func repetitions() {
    let tags = MediaMetadata(title: "Kind of Blue", artist: "  ", album: "Kind of Blue")
    #expect(SoundCard(item(), tags, isStation: false).lines == [])
  }

  @Test(
    "There is always something to call it",
    arguments: [
      ("http://radio.test:8000/", "radio.test:8000"), ("http://radio.test/stream.mp3?x=1/2", "stream"),
      ("file:///a/%FF%FE.mp3", "%FF%FE"), ("file:///a/.mp3", ".mp3"), ("file:///a/%20.mp3", "file:///a/%20.mp3"),
      ("x", "x"), ("", ""), ("rtsp://mic/", "mic"), ("file:///a/100%.wav", "100%"),
    ])
  func names(uri: String, name: String) {
    #expect(SoundCard(item(uri), MediaMetadata(), isStation: false).title == name)
  }
}

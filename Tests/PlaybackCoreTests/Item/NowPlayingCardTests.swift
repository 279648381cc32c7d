import PlaybackCore
import Testing

@Suite("Words on the card of an item without a picture")
struct NowPlayingCardTests {
  private func item(_ uri: String = "file:///music/01%20K%C3%B6ln.live.flac", title: String = "") -> MediaItem {
    MediaItem(uri: uri, title: title, kind: .file)
  }

  @Test("The owner's title comes before the file's tag, and that before the file's name")
  func titles() {
    let tags = MediaMetadata(title: " Part I ", artist: "Keith Jarrett", album: "The Köln Concert")
    #expect(
      NowPlayingCard(item(title: "Lobby"), tags, isStation: false)
        == NowPlayingCard(title: "Lobby", lines: ["Keith Jarrett", "The Köln Concert"]))
    #expect(NowPlayingCard(item(), tags, isStation: false).title == "Part I")
    #expect(NowPlayingCard(item(), MediaMetadata(), isStation: false) == NowPlayingCard(title: "01 Köln.live"))
  }

  @Test("A station's card shows what it plays as the title, and the station's name below")
  func stations() {
    let playing = MediaMetadata(title: "Miles Davis - So What", station: "Jazz FM")
    let named = item("http://radio:8000/jazz", title: "Jazz in the lobby")
    #expect(
      NowPlayingCard(named, playing, isStation: true)
        == NowPlayingCard(title: "Miles Davis - So What", lines: ["Jazz in the lobby"], isStation: true))
    let nameless = item("http://radio:8000/jazz")
    #expect(NowPlayingCard(nameless, playing, isStation: true).lines == ["Jazz FM"])
    let silent = MediaMetadata(station: "Jazz FM")
    #expect(NowPlayingCard(nameless, silent, isStation: true) == NowPlayingCard(title: "Jazz FM", isStation: true))
  }

  @Test("The card leaves out blank tags and repetitions")
  func repetitions() {
    let tags = MediaMetadata(title: "Kind of Blue", artist: "  ", album: "Kind of Blue")
    #expect(NowPlayingCard(item(), tags, isStation: false).lines == [])
  }

  @Test(
    "A card always has a title",
    arguments: [
      ("http://radio.test:8000/", "radio.test:8000"), ("http://radio.test/stream.mp3?x=1/2", "stream"),
      ("file:///a/%FF%FE.mp3", "%FF%FE"), ("file:///a/.mp3", ".mp3"), ("file:///a/%20.mp3", "file:///a/%20.mp3"),
      ("x", "x"), ("", ""), ("rtsp://mic/", "mic"), ("file:///a/100%.wav", "100%"),
    ])
  func names(uri: String, name: String) {
    #expect(NowPlayingCard(item(uri), MediaMetadata(), isStation: false).title == name)
  }
}

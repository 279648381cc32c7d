import PlaybackCore
import Testing

@Suite("Kinds of sources")
struct SourceKindTests {
  private func kind(_ uri: String, _ kind: MediaKind, isLive: Bool = false) -> SourceKind {
    SourceKind(MediaItem(uri: uri, kind: kind), DeckReadiness(isLive: isLive))
  }

  @Test("An item is local, remote, live or a picture")
  func kinds() {
    #expect(kind("file:///m/film.mp4", .file) == .local)
    #expect(kind("http://h/film.mp4", .progressive) == .remote)
    #expect(kind("http://h/film.m3u8", .adaptive) == .remote)
    #expect(kind("rtsp://h/cam", .rtsp, isLive: true) == .live)
    #expect(kind("file:///m/p.png", .picture) == .picture(isRemote: false))
    #expect(kind("https://h/p.png", .picture) == .picture(isRemote: true))
    #expect(SourceKind(MediaItem(uri: "rtsp://h/cam", kind: .rtsp)) == .remote, "before anything is known of it")
  }
}

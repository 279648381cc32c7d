import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Lists of addresses that a server gives")
struct ServedListTests {
  private func items(_ text: String, _ medium: ServedMedium = .m3u, at uri: String = "https://h:8/a/list?x=1")
    -> [MediaItem]
  {
    let item = MediaItem(uri: uri, title: "Radio", kind: .progressive, volume: 0.5, origin: "playlist 1")
    return ServedList.items(of: Array(text.utf8), medium, for: item)
  }

  @Test("Relative addresses are resolved against the list's own server")
  func relative() {
    let found = items("#EXTM3U\nb.mp3\n/c.mp3\n//other/d.mp3\n?id=2\n../e%20f.mp3\nhttp://z/g.m3u8\n")
    #expect(
      found.map(\.uri) == [
        "https://h:8/a/b.mp3", "https://h:8/c.mp3", "https://other/d.mp3", "https://h:8/a/list?id=2",
        "https://h:8/a/../e%20f.mp3", "http://z/g.m3u8",
      ])
    #expect(found.map(\.kind).last == .adaptive)
    #expect(found.allSatisfy { $0.volume == 0.5 }, "what the item says holds for all")
  }

  @Test("A server's list must not reach this machine: files, local paths and other schemes are left out")
  func local() {
    #expect(items("file:///etc/passwd\nFILE:/etc/passwd\ngopher://h/\njavascript:x\nhttp://\n").isEmpty)
    // A path of the server, not of this machine.
    #expect(items("/etc/passwd").map(\.uri) == ["https://h:8/etc/passwd"])
    #expect(items("a.mp3", at: "file:///media/list.m3u").isEmpty)
  }

  @Test("PLS and XSPF too, with their titles")
  func formats() {
    #expect(items("[playlist]\nFile1=http://h/a\nTitle1=One\n", .pls).map(\.title) == ["One"])
    let xspf = "<playlist><trackList><track><location>b.ogg</location></track></trackList></playlist>"
    #expect(items(xspf, .xspf).map(\.uri) == ["https://h:8/a/b.ogg"])
    #expect(items("[playlist]\n", .pls).isEmpty && items("x", .hls).isEmpty)
  }

  @Test("A served list is cut off at the maximum")
  func long() {
    let text = (0..<3000).map { "\($0).mp3" }.joined(separator: "\n")
    #expect(items(text).count == ServedList.maximumItems)
  }
}

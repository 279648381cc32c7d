import ContentStore
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Lists of servers that are kept")
struct KeptListsTests {
  private func kept(_ lists: [String: String], reach: NetworkReach = .everywhere) -> KeptLists {
    KeptLists(versions: lists.mapValues { KeptLists.Version(name: "1.m3u", text: Array($0.utf8), reach: reach) })
  }

  private func entries(_ kept: KeptLists, of uris: String...) -> [String: [String]] {
    kept.entries(
      in: uris.map { MediaItem(uri: $0, kind: .progressive, volume: 0.5) }, redirects: RedirectPolicy(),
      networks: AttachedNetworks()
    ).mapValues { $0.map(\.uri) }
  }

  @Test("Kept lists are followed to further lists, but not in circles, and not to missing ones")
  func nested() {
    let kept = kept([
      "http://h/a.m3u": "b.m3u\nfilm.mp4\na.m3u\n", "http://h/b.m3u": "other.mp4\nmissing.m3u\na.m3u\n",
      "http://h/unused.m3u": "x.mp4\n",
    ])
    #expect(
      entries(kept, of: "http://h/a.m3u", "http://h/z.mp4") == [
        "http://h/a.m3u": ["http://h/b.m3u", "http://h/film.mp4", "http://h/a.m3u"],
        "http://h/b.m3u": ["http://h/other.mp4", "http://h/missing.m3u", "http://h/a.m3u"],
      ])
  }

  @Test("A kept list from the internet still may not name local addresses; one from the local network may")
  func reach() {
    let list = ["http://h/a.m3u": "http://127.0.0.1/a.mp4\nhttp://192.168.1.9/b.mp4\nhttp://h/c.mp4\n"]
    #expect(entries(kept(list), of: "http://h/a.m3u") == ["http://h/a.m3u": ["http://h/c.mp4"]])
    #expect(
      entries(kept(list, reach: .local), of: "http://h/a.m3u") == [
        "http://h/a.m3u": ["http://192.168.1.9/b.mp4", "http://h/c.mp4"]
      ])
  }

  @Test("An item with a checksum isn't a list, and a kept file that isn't a list any more has no entries")
  func none() {
    let kept = kept(["http://h/a.m3u": "#EXTM3U\n", "http://h/b.m3u": "x.mp4\n"])
    #expect(entries(kept, of: "http://h/a.m3u").isEmpty)
    var proven = MediaItem(uri: "http://h/b.m3u", kind: .progressive)
    proven.sha256 = String(repeating: "a", count: 64)
    #expect(
      kept.entries(in: [proven], redirects: RedirectPolicy(), networks: AttachedNetworks()).isEmpty)
  }

  @Test("The store wants a list's file as a list, and a film as a film")
  func wanted() {
    let kinds = ["http://h/a.m3u", "http://h/a.PLS?x=1", "http://h/a.xspf", "http://h/a.m3u8", "http://h/a.mp4"].map {
      MediaItem(uri: $0, kind: .progressive).wantedFiles(isNeededToday: true).map(\.kind)
    }
    #expect(kinds == [[.list], [.list], [.list], [.media], [.media]])
  }
}

import PlaybackCore
import PlaylistConfig
import Testing

/// The cost of a long list, counted and not timed.
@Suite("Long lists")
struct LongListTests {
  private func configuration(_ items: [String]) throws -> Configuration {
    let text = "version = 1\n" + items.map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }.joined()
    return try Configuration.parse(Array(text.utf8), path: "/etc/vitrine.toml").get()
  }

  @Test("After the first thousand, files aren't read: their names decide their kinds")
  func looks() throws {
    var files = FakeFiles()
    for number in 0..<10 { files.files["/m/\(number).mp4"] = Array("film".utf8) }
    let configuration = try configuration(
      (0..<10).map { "/m/\($0).mp4" } + ["/m/missing.mp4", "/m/p.png", "/m/../m/0.mp4"])
    let playlist = try #require(configuration.mainPlaylist)
    let all = ItemResolver(files: files).resolve(playlist.items, of: configuration)
    #expect(all.items.count == 11 && all.problems.count == 2)
    let asked = files.log.all.count
    let few = ItemResolver(files: files).resolve(playlist.items, of: configuration, lookingAt: 4)
    // A missing file is found out when its turn comes. A path with .. is looked up at once, because it may lead through
    // a link.
    #expect(few.items.count == 13 && few.problems.isEmpty)
    #expect(few.items.prefix(10) == all.items.prefix(10))
    #expect(few.items[11].kind == .picture && few.items[12].uri == "file:///m/0.mp4")
    #expect(files.log.all.count - asked < asked / 2)
  }

  @Test("A configuration that was named by a relative path asks once where that begins")
  func relative() throws {
    let files = FakeFiles()
    let text = "version = 1\n" + (0..<20).map { "[[playlist.main.item]]\nuri = \"\($0).mp4\"\n" }.joined()
    let configuration = try Configuration.parse(Array(text.utf8), path: "shop/list.toml").get()
    let playlist = try #require(configuration.mainPlaylist)
    let found = ItemResolver(files: files).resolve(playlist.items, of: configuration, lookingAt: 0)
    #expect(found.items.count == 20 && found.items[19].uri == "file:///home/kiosk/shop/19.mp4")
    #expect(files.directoryLog.all.count == 1)
  }

  @Test("A folder's files behind the first thousand are taken by their names, in the same order")
  func folder() throws {
    var files = FakeFiles()
    for number in 0..<50 { files.files["/m/\(number).mp4"] = Array("film".utf8) }
    files.files["/m/notes.txt"] = Array("text".utf8)
    let configuration = try configuration(["/m"])
    let playlist = try #require(configuration.mainPlaylist)
    let all = ItemResolver(files: files).resolve(playlist.items, of: configuration)
    let few = ItemResolver(files: files).resolve(playlist.items, of: configuration, lookingAt: 7)
    #expect(all.items.count == 50 && few.items == all.items)
  }

  @Test("Items with equal details share one copy; each keeps its own")
  func shared() {
    var items = (0..<100).map { MediaItem(uri: "/m/\($0).png", kind: .picture) }
    items[50].volume = 0.5
    items[51].pictureDuration = .seconds(3)
    MediaItem.setUsualPictureDuration(.seconds(9), of: &items)
    #expect(items.allSatisfy { $0.usualPictureDuration == .seconds(9) })
    #expect(items[50].volume == 0.5 && items[49].volume == nil && items[51].pictureDuration == .seconds(3))
    items[10].start = .seconds(1)
    #expect(items[9].start == .zero && items[11].start == .zero)
    // Going back to the usual is being as usual.
    var item = MediaItem(uri: "/m/a.png", kind: .picture)
    item.volume = 1
    item.volume = nil
    #expect(item == MediaItem(uri: "/m/a.png", kind: .picture))
  }
}

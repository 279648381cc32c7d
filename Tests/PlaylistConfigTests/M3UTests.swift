import PlaybackCore
import PlaylistConfig
import Testing

@Suite("M3U playlists")
struct M3UTests {
  private let media = ["/m/a.mp4": "x", "/m/sub/b.mp4": "x", "/m/c d.mp4": "x"]

  private func items(_ list: String, named name: String = "/m/list.m3u") throws -> [MediaItem] {
    var files = media
    files[name] = list
    return try ItemResolver(files: FakeFiles(files)).items(for: name)
  }

  @Test(
    "Relative entries start at the list's folder, with any line ending",
    arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func lines(end: String, mark: String) throws {
    let list = ["#EXTM3U", "# a remark", "a.mp4", "", "  sub/b.mp4\t", "c d.mp4", "http://h/x.mp4"]
    let found = try items(mark + list.joined(separator: end))
    #expect(
      found.map(\.uri) == ["file:///m/a.mp4", "file:///m/sub/b.mp4", "file:///m/c%20d.mp4", "http://h/x.mp4"])
    #expect(found.map(\.title) == ["a", "b", "c d", "x"])
    #expect(found[1].origin == "/m/list.m3u:5: sub/b.mp4")
  }

  @Test("Titles come from EXTINF, each for one entry")
  func titles() throws {
    let found = try items(
      """
      #EXTM3U
      #EXTINF:12,Artist - Title, the second
      a.mp4
      sub/b.mp4
      #EXTINF:-1 logo="x,y" id="1", Quoted
      a.mp4
      #EXTINF:3,
      a.mp4
      """)
    #expect(found.map(\.title) == ["Artist - Title, the second", "b", "Quoted", "a"])
  }

  @Test("A list with HLS tags is one adaptive item", arguments: ["/m/live.m3u8", "/m/live.m3u"])
  func adaptive(name: String) throws {
    let found = try items("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nseg0.ts\n", named: name)
    #expect(found.map(\.uri) == ["file://\(name)"])
    #expect(found.map(\.kind) == [.adaptive])
  }

  @Test("A plain .m3u8 is a list")
  func plain() throws {
    #expect(try items("a.mp4\n", named: "/m/list.m3u8").map(\.uri) == ["file:///m/a.mp4"])
  }

  @Test("A list of nothing is an error", arguments: ["", "#EXTM3U\n\n# nothing\n", "\u{FEFF}"])
  func empty(list: String) {
    let error = #expect(throws: VitrineError.self) { try items(list) }
    #expect(error?.configurationNumber == .playlistEmpty)
  }

  @Test("A bad entry doesn't keep the others from the screen")
  func problems() {
    var files = media
    files["/m/list.m3u"] = "a.mp4\ngone.mp4\nftp://x/y\nsub/b.mp4\n"
    let resolution = ItemResolver(files: FakeFiles(files)).resolve(["/m/list.m3u"])
    #expect(resolution.items.map(\.title) == ["a", "b"])
    #expect(resolution.problems.map(\.configurationNumber) == [.mediaMissing, .uriInvalid])
    #expect(resolution.problems.map(\.subject) == ["/m/list.m3u:2: gone.mp4", "/m/list.m3u:3: ftp://x/y"])
  }

  @Test("Lists may hold lists, but not themselves, nor too deeply")
  func nesting() throws {
    var files = FakeFiles(media)
    files.files["/m/0.m3u"] = Array("a.mp4".utf8)
    for depth in 1...5 { files.files["/m/\(depth).m3u"] = Array("\(depth - 1).m3u".utf8) }
    files.files["/m/loop.m3u"] = Array("a.mp4\nloop.m3u\n./sub/../loop.m3u".utf8)
    let resolver = ItemResolver(files: files)
    #expect(try resolver.items(for: "/m/3.m3u").map(\.uri) == ["file:///m/a.mp4"])
    let deep = #expect(throws: VitrineError.self) { try resolver.items(for: "/m/4.m3u") }
    #expect(deep?.configurationNumber == .playlistTooLarge)
    let loop = resolver.resolve(["/m/loop.m3u"])
    #expect(loop.items.count == 1)
    #expect(loop.problems.map(\.message) == ["the playlist includes itself", "the playlist includes itself"])
  }

  @Test("Lists that multiply end at the limit")
  func multiplying() {
    var files = FakeFiles(media)
    files.files["/m/leaf.m3u"] = Array(String(repeating: "a.mp4\n", count: 300).utf8)
    files.files["/m/tree.m3u"] = Array(String(repeating: "leaf.m3u\n", count: 400).utf8)
    let resolution = ItemResolver(files: files).resolve(["/m/tree.m3u"])
    #expect(resolution.items.count == ItemResolver<FakeFiles>.maximumItems)
    #expect(resolution.problems.last?.configurationNumber == .playlistTooLarge)
  }

  @Test("Bytes that aren't UTF-8 stay as on disk")
  func latin1() throws {
    let files = Latin1Files()
    #expect(try ItemResolver(files: files).items(for: "/m/list.m3u").map(\.uri) == ["file:///m/%E9.mp4"])
  }
}

/// A list and a film whose name is in Latin-1.
private struct Latin1Files: FileAccess {
  private let film = [0xE9] + Array(".mp4".utf8)

  func status(of path: FilePath) throws(FileError) -> FileStatus {
    let isList = path == FilePath("/m/list.m3u")
    guard isList || path.bytes == Array("/m/".utf8) + film else { throw FileError(.missing) }
    return FileStatus(kind: .regular, identity: FileStatus.Identity(device: 1, inode: isList ? 1 : 2))
  }
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    path.fileExtension == "m3u" ? film : []
  }
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { [] }
  func currentDirectory() throws(FileError) -> FilePath { FilePath("/") }
  func confined(to folder: FilePath) -> Latin1Files { self }
}

@Suite("Natural order")
struct NaturalOrderTests {
  @Test("Numbers count by value, however long")
  func order() throws {
    let names = [
      "10", "9", "1", "a10b2", "a10b10", "a2", "A1", "file100000000000000000000002", "file100000000000000000000001",
      "01",
    ]
    let files = FakeFiles(Dictionary(uniqueKeysWithValues: names.map { ("/m/\($0).mp4", "") }))
    let sorted = try ItemResolver(files: files).items(for: "/m").map(\.title)
    #expect(
      sorted == [
        "01", "1", "9", "10", "A1", "a2", "a10b2", "a10b10", "file100000000000000000000001",
        "file100000000000000000000002",
      ])
  }
}

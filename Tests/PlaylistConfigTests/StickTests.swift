import Foundation
import KioskTestSupport
import PlaylistConfig
import Testing

@Suite("USB sticks")
struct StickTests {
  private func find(_ files: [String: String], password: String? = nil) -> StickReader<FakeFiles>.Found {
    StickReader(files: FakeFiles(files)).find(in: "/sticks", passwordFile: password)
  }

  @Test("A configuration in the folder comes before one at the top, and that before a folder of media")
  func kinds() {
    let (media, top, inner) = ("/sticks/a/vitrine/a.mp4", "/sticks/a/vitrine.toml", "/sticks/a/vitrine/vitrine.toml")
    #expect(find([:]).content == nil)
    #expect(find(["/sticks/a/holiday.mp4": "x"]).content == nil)
    let folder = find([media: "x"]).content
    #expect(folder?.kind == .media(FilePath("/sticks/a/vitrine")) && folder?.folder == FilePath("/sticks/a/vitrine"))
    let file = find([media: "x", top: "x"]).content
    #expect(file?.kind == .configuration(FilePath(top)) && file?.folder == nil)
    let whole = find([media: "x", top: "x", inner: "x"]).content
    #expect(whole?.kind == .configuration(FilePath(inner)) && whole?.folder == FilePath("/sticks/a/vitrine"))
  }

  @Test("Of several sticks the first that has something; hidden entries are none")
  func several() {
    let found = find([
      "/sticks/.new/vitrine/a.mp4": "x", "/sticks/a/holiday.mp4": "x", "/sticks/c/vitrine/c.mp4": "x",
      "/sticks/b/vitrine/b.mp4": "x",
    ])
    #expect(found.content?.stick == FilePath("/sticks/b"))
  }

  @Test(
    "A password on the board: a stick needs the same",
    arguments: [
      ("secret\n", "secret", true), ("secret", "secret\r\n", true), ("secret", "Secret", false), ("secret", "", false),
      ("", "", false), ("secret", nil, false), (nil, "secret", false), (nil, nil, false),
    ] as [(String?, String?, Bool)])
  func password(board: String?, stick: String?, isTaken: Bool) {
    var files = ["/sticks/a/vitrine/a.mp4": "x"]
    files["/etc/password"] = board
    files["/sticks/a/vitrine.password"] = stick
    let found = find(files, password: "/etc/password")
    #expect((found.content != nil) == isTaken)
    #expect(found.refusals.isEmpty == isTaken)
  }

  @Test("A folder of media stands for a configuration that plays them whatever the schedule says")
  func media() throws {
    let content = try #require(find(["/sticks/a/vitrine/a.mp4": "x"]).content)
    let source = try content.source(files: FakeFiles())
    let base = ConfigurationSource(
      path: "/etc/v.toml",
      text: Array(
        "version = 1\n[[schedule.rule]]\nplaylist = \"main\"\n[[playlist.main.item]]\nuri = \"b.mp4\"\n".utf8))
    let configuration = try Configuration.check([base, source]).get()
    #expect(configuration.schedule.rules.isEmpty)
    #expect(configuration.mainPlaylist?.items.map(\.uri) == ["."])
    #expect(configuration.sources[1].hasPrefix("/sticks/a/vitrine/"))
  }
}

@Suite("What is copied from USB sticks")
struct StickStoreTests {
  private struct Rig {
    let directory: TemporaryDirectory
    let store: StickStore

    init() throws {
      directory = try TemporaryDirectory()
      let state = LastGoodStore(directory: directory.path("state"))
      try #require(state.prepare())
      store = StickStore(state: state)
    }

    func write(_ files: [String: String]) throws -> FilePath {
      let root = directory.url.appending(path: "stick/vitrine")
      try? FileManager.default.removeItem(at: root)
      for (name, text) in files {
        let url = root.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      return FilePath(root.path)
    }

    /// What is in the folder of copies, without what is in the content.
    func entries() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path("state/usb")).sorted()
    }
  }

  @Test("All of a folder is copied, but no links and no hidden files; the same again is known")
  func whole() throws {
    let rig = try Rig()
    let large = String(repeating: "0123456789", count: 250_000)
    let folder = try rig.write([
      "vitrine.toml": "version = 1\n", "films/a.mp4": large, "films/x/b.mp4": "", ".Trash": "x",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: rig.directory.path("stick/vitrine/passwd"), withDestinationPath: "/etc/passwd")
    #expect(rig.store.content() == nil && !rig.store.has(folder))
    try rig.store.take(folder)
    let content = try #require(rig.store.content())
    let copy = content.stick.text
    #expect(content.kind == .configuration(FilePath("\(copy)/vitrine.toml")))
    #expect(try String(contentsOfFile: "\(copy)/films/a.mp4", encoding: .utf8) == large)
    let copied = try #require(FileManager.default.enumerator(atPath: copy)).compactMap { $0 as? String }
    #expect(copied.sorted() == ["films", "films/a.mp4", "films/x", "films/x/b.mp4", "vitrine.toml"])
    #expect(rig.store.has(folder))
    #expect(try rig.entries().count == 2)
  }

  @Test("Other content takes its place in one step; what was there stays until it is let go")
  func replaced() throws {
    let rig = try Rig()
    try rig.store.take(rig.write(["a.mp4": "1"]))
    let first = try #require(rig.store.content())
    try rig.store.take(rig.write(["b.mp4": "22"]))
    let second = try #require(rig.store.content())
    #expect(first != second)
    #expect(try rig.entries().count == 3)
    // On trial: what it would go back to has to stay.
    rig.store.removeOthers(keeping: ["\(first.stick.text)/(media)"])
    #expect(try rig.entries().count == 3)
    rig.store.removeOthers(keeping: ["/etc/vitrine/vitrine.toml"])
    #expect(try rig.entries().count == 2)
    #expect(rig.store.content() == second)
  }

  @Test("A copy that can't be finished leaves what was there, and nothing beside it")
  func broken() throws {
    let rig = try Rig()
    try rig.store.take(rig.write(["a.mp4": "1"]))
    let before = rig.store.content()
    let deep = try rig.write([String(repeating: "x/", count: 17) + "b.mp4": "2", "a.mp4": "2"])
    #expect(throws: StickStore.CopyError.self) { try rig.store.take(deep) }
    #expect(rig.store.content() == before)
    // A stick that is gone.
    #expect(throws: StickStore.CopyError.self) { try rig.store.take(FilePath(rig.directory.path("none"))) }
    #expect(rig.store.content() == before)
    #expect(try rig.entries().count == 2)
  }

  @Test("What is left of a copy that was cut off is no content, and goes with the next one", arguments: 0...2)
  func cutOff(after step: Int) throws {
    let rig = try Rig()
    try rig.store.take(rig.write(["a.mp4": "1"]))
    let before = rig.store.content()
    let usb = rig.directory.url.appending(path: "state/usb")
    let files = FileManager.default
    // Half of the files; all of them under another name; the link that was to take the other's place.
    if step == 0 {
      try files.createDirectory(at: usb.appending(path: "new/films"), withIntermediateDirectories: true)
    } else {
      try files.createDirectory(at: usb.appending(path: "content-0123"), withIntermediateDirectories: true)
    }
    if step == 2 {
      try files.createSymbolicLink(
        at: usb.appending(path: "current.new"), withDestinationURL: usb.appending(path: "content-0123"))
    }
    #expect(rig.store.content() == before)
    try rig.store.take(rig.write(["b.mp4": "22"]))
    rig.store.removeOthers(keeping: [])
    #expect(try rig.entries().count == 2)
    #expect(rig.store.content() != before)
  }
}

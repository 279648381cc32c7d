import ConfigurationFiles
import FileModel
import Foundation
import KioskTestSupport
import PlaylistConfig
import Testing

@Suite("Copies of USB sticks")
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

    func write(_ files: [String: String]) throws -> StickContent {
      let root = directory.url.appending(path: "stick/vitrine")
      try? FileManager.default.removeItem(at: root)
      for (name, text) in files {
        let url = root.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      return content()
    }

    func content(_ stick: String = "stick") -> StickContent {
      let stick = FilePath(directory.path(stick))
      return StickContent(stick: stick, kind: .media(stick.resolving(FilePath("vitrine"))))
    }

    /// The names in the folder of copies, without those in its subfolders.
    func entries() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path("state/usb")).sorted()
    }
  }

  @Test("The store copies all of a folder but links and hidden files, and recognises the same content")
  func whole() throws {
    let rig = try Rig()
    let large = String(repeating: "0123456789", count: 250_000)
    let folder = try rig.write([
      "vitrine.toml": "version = 1\n", "films/a.mp4": large, "films/x/b.mp4": "", ".Trash": "x",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: rig.directory.path("stick/vitrine/passwd"), withDestinationPath: "/etc/passwd")
    #expect(rig.store.content() == nil && !rig.store.has(folder))
    try rig.store.installContent(folder)
    let content = try #require(rig.store.content())
    let copy = content.stick.text
    #expect(content.kind == .configuration(FilePath("\(copy)/vitrine.toml")))
    #expect(try String(contentsOfFile: "\(copy)/films/a.mp4", encoding: .utf8) == large)
    let copied = try #require(FileManager.default.enumerator(atPath: copy)).compactMap { $0 as? String }
    #expect(copied.sorted() == ["films", "films/a.mp4", "films/x", "films/x/b.mp4", "vitrine.toml"])
    #expect(rig.store.has(folder))
    #expect(try rig.entries().count == 2)
  }

  @Test("New content replaces the old in one step; the old stays until it is released")
  func replaced() throws {
    let rig = try Rig()
    try rig.store.installContent(rig.write(["a.mp4": "1"]))
    let first = try #require(rig.store.content())
    try rig.store.installContent(rig.write(["b.mp4": "22"]))
    let second = try #require(rig.store.content())
    #expect(first != second)
    #expect(try rig.entries().count == 3)
    // The new content is on trial, so the content to fall back to must stay.
    rig.store.removeOthers(keeping: ["\(first.stick.text)/(media)"])
    #expect(try rig.entries().count == 3)
    rig.store.removeOthers(keeping: ["/etc/vitrine/vitrine.toml"])
    #expect(try rig.entries().count == 2)
    #expect(rig.store.content() == second)
  }

  @Test("A copy that can't be finished leaves the content before it, and nothing beside it")
  func broken() throws {
    let rig = try Rig()
    try rig.store.installContent(rig.write(["a.mp4": "1"]))
    let before = rig.store.content()
    let deep = try rig.write([String(repeating: "x/", count: 17) + "b.mp4": "2", "a.mp4": "2"])
    #expect(throws: StickStore.CopyError.self) { try rig.store.installContent(deep) }
    #expect(rig.store.content() == before)
    // A stick that is gone.
    #expect(throws: StickStore.CopyError.self) { try rig.store.installContent(rig.content("none")) }
    #expect(rig.store.content() == before)
    #expect(try rig.entries().count == 2)
  }

  @Test("An interrupted copy is never played, and the next copy removes it", arguments: 0...2)
  func cutOff(after step: Int) throws {
    let rig = try Rig()
    try rig.store.installContent(rig.write(["a.mp4": "1"]))
    let before = rig.store.content()
    let usb = rig.directory.url.appending(path: "state/usb")
    let files = FileManager.default
    // Step 0: half of the files are copied; 1: all, under another name; 2: the link that replaces the old one, too.
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
    try rig.store.installContent(rig.write(["b.mp4": "22"]))
    rig.store.removeOthers(keeping: [])
    #expect(try rig.entries().count == 2)
    #expect(rig.store.content() != before)
  }

  @Test("A folder that is a link isn't copied, wherever it leads")
  func linkedFolder() throws {
    let rig = try Rig()
    let content = try rig.write(["a.mp4": "1"])
    let files = FileManager.default
    try files.moveItem(atPath: rig.directory.path("stick/vitrine"), toPath: rig.directory.path("secret"))
    try files.createSymbolicLink(
      atPath: rig.directory.path("stick/vitrine"), withDestinationPath: rig.directory.path("secret"))
    #expect(throws: StickStore.CopyError.file(content.folder?.text ?? "", FileError(.confined))) {
      try rig.store.installContent(content)
    }
    #expect(!rig.store.has(content) && rig.store.content() == nil)
  }

  @Test("Only the player's user may enter the folder of copies")
  func modes() throws {
    let rig = try Rig()
    try FileManager.default.createDirectory(
      atPath: rig.directory.path("state/usb"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try rig.store.installContent(rig.write(["a.mp4": "1"]))
    let mode = try FileManager.default.attributesOfItem(atPath: rig.directory.path("state/usb"))[.posixPermissions]
    #expect(mode as? Int == 0o700)
  }

  @Test(
    "The store refuses sparse files whose sizes overflow 64 bits",
    .enabled(if: access("/dev/shm", W_OK) == 0, "only a file system in memory takes files of that size"))
  func sparse() throws {
    let rig = try Rig()
    let stick = "/dev/shm/vitrine-\(UUID().uuidString)"
    let folder = "\(stick)/vitrine"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: stick) }
    for name in ["a.mp4", "b.mp4", "c.mp4"] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      try #require(truncate("\(folder)/\(name)", off_t(1) << 62) == 0)
    }
    #expect {
      try rig.store.installContent(StickContent(stick: FilePath(stick), kind: .media(FilePath(folder))))
    } throws: { error in
      guard case .noRoom(let needed, _)? = error as? StickStore.CopyError else { return false }
      return needed == .max
    }
  }
}

import FileModel
import Foundation
import KioskTestSupport
import Testing

@testable import FileSystem

@Suite("Open files and changes of names")
struct OpenFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func path(_ name: String) -> FilePath { FilePath(directory.path(name)) }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: directory.url.appending(path: name))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? []).sorted()
  }

  @Test("A call that a signal interrupts is repeated; one that fails isn't")
  func interrupted() throws {
    var calls = 0
    let result = try SystemCall.retried { () -> Int32 in
      calls += 1
      if calls < 3 { errno = EINTR }
      return calls < 3 ? -1 : 7
    }
    #expect(result == 7 && calls == 3)
    #expect(throws: FileError.self) {
      try SystemCall.retried { () -> Int32 in
        calls += 1
        errno = EIO
        return -1
      }
    }
    #expect(calls == 4)
  }

  @Test("Each error gives its kind, with the system's words")
  func errors() {
    #expect(FileError(code: ENOENT).isMissing && FileError(code: ENOTDIR).isMissing)
    #expect(FileError(code: EACCES).isPermission && FileError(code: EPERM).isPermission)
    #expect(FileError(code: ENOSPC).reason == .full("No space left on device"))
    #expect(FileError(code: EROFS).words == "Read-only file system")
    #expect("\(FileError(code: EROFS))" == "read-only file system")
  }

  @Test("A new file replaces no other, nor one behind a link")
  func making() throws {
    try write("old", "a")
    #expect(throws: FileError.self) { _ = try OpenFile(creating: path("a")) }
    try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: directory.path("a"))
    #expect(throws: FileError.self) { _ = try OpenFile(emptying: path("link"), mode: 0o644) }
    #expect(throws: FileError.self) { _ = try OpenFile.continuing(path("link"), after: 0) }
    #expect(throws: FileError.self) { _ = try OpenFile(readingUnlinked: path("link")) }
    #expect(try text("a") == "old")
    try OpenFile(creating: path("b")).write(Array("new".utf8))
    try OpenFile(emptying: path("a"), mode: 0o644).write(Array("x".utf8))
    #expect(try text("b") == "new" && text("a") == "x")
  }

  @Test("Continuing a file cuts it after its known good part, and fails where it is shorter")
  func goingOn() throws {
    try write("good and bad", "part")
    let file = try OpenFile.continuing(path("part"), after: 4)
    try file.write(Array(" more".utf8))
    #expect(try text("part") == "good more")
    #expect(throws: FileError.self) { _ = try OpenFile.continuing(path("part"), after: 10) }
    #expect(try text("part") == "good more")
  }

  @Test("Reading at a place gives the bytes that are there, and leaves the file's position alone")
  func places() throws {
    try write("0123456789", "a")
    let file = try OpenFile(reading: path("a"))
    #expect(try file.bytes(at: 7, count: 5) == Array("789".utf8))
    #expect(try file.bytes(at: 20, count: 5) == [])
    #expect(try file.bytes(limit: 3) == Array("012".utf8))
  }

  @Test("Opening a pipe without a writer doesn't block")
  func pipe() throws {
    try #require(mkfifo(directory.path("pipe"), 0o600) == 0)
    #expect(SmallFile.bytes(directory.path("pipe")) == [])
    #expect(throws: FileError.self) { _ = try OpenFile.continuing(path("pipe"), after: 0) }
  }

  @Test("A write never goes into a link, another name of a file, or a pipe under the temporary name")
  func temporaryName() throws {
    try write("precious", "victim")
    let (victim, temporary) = (directory.path("victim"), directory.path("a.new"))
    for plant in [
      { symlink(victim, temporary) }, { link(victim, temporary) }, { mkfifo(temporary, 0o644) },
    ] {
      try #require(plant() == 0)
      try DurableFile.replace(directory.path("a"), with: Array("own".utf8), readers: .nobody)
      #expect(try text("victim") == "precious" && text("a") == "own")
      #expect(names == ["a", "victim"])
    }
  }

  @Test("root's durable write gives the file to the owner it names", .enabled(if: geteuid() == 0, "gives files away"))
  func owner() throws {
    let owner = FileOwner(user: 65534, group: 65533, mode: 0)
    try DurableFile.replace(directory.path("a"), with: [], readers: .nobody, owner: owner)
    #expect(try FileTree.owner(of: directory.path("a")) == FileOwner(user: 65534, group: 65533, mode: 0o600))
  }

  @Test("A file is replaced whole or not at all, and nothing is left beside it")
  func replacing() throws {
    try DurableFile.replace(directory.path("a"), with: Array("one".utf8))
    try DurableFile.replace(directory.path("a"), with: Array("two".utf8), readers: .nobody)
    #expect(try text("a") == "two" && names == ["a"])
    // A folder with something in it can't be replaced by a file.
    try FileManager.default.createDirectory(atPath: directory.path("folder/inside"), withIntermediateDirectories: true)
    #expect(throws: FileError.self) { try DurableFile.replace(directory.path("folder"), with: []) }
    #expect(names == ["a", "folder"])
    try DurableFile.remove(directory.path("a"))
    try DurableFile.remove(directory.path("a"))
    #expect(names == ["folder"])
  }

  @Test("Removing a tree keeps what its links lead to; a link is replaced in one step")
  func tree() throws {
    try write("mine", "kept")
    for folder in ["tree/a/b", "other"] {
      try FileManager.default.createDirectory(atPath: directory.path(folder), withIntermediateDirectories: true)
    }
    try FileTree.replaceLink(directory.path("tree/a/link"), to: directory.path("other"))
    try FileTree.replaceLink(directory.path("tree/link"), to: directory.path("kept"))
    try FileTree.replaceLink(directory.path("tree/link"), to: directory.path("other"))
    #expect(FileTree.target(ofLink: directory.path("tree/link")) == directory.path("other"))
    #expect(try FileTree.statusOfLink(directory.path("tree/link")).kind == .other)
    FileTree.removeTree(directory.path("tree"))
    #expect(names == ["kept", "other"])
    #expect(FileTree.target(ofLink: directory.path("kept")) == nil)
  }

  @Test("A missing file or folder reads as empty, without an error")
  func nothing() {
    #expect(SmallFile.bytes("/no/such") == [] && SmallFile.firstLine("/no/such") == nil)
    #expect(SmallFile.names(in: "/no/such") == [] && !FileTree.isThere("/no/such"))
    #expect(SmallFile.firstLine("/proc/self/status")?.hasPrefix("Name:") == true)
    #expect(SmallFile.names(in: "/proc/self").contains("fd"))
  }
}

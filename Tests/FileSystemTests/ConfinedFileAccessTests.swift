import FileModel
import Foundation
import KioskTestSupport
import Testing

@testable import FileSystem

/// Uses real files, and both ways of resolving paths.
@Suite("Confined access to a folder that another user has filled")
struct ConfinedFileAccessTests {
  private let directory: TemporaryDirectory
  private let files = FileManager.default

  /// A folder `stick` with a film, and another folder beside it.
  init() throws {
    directory = try TemporaryDirectory()
    try write("film", "stick/films/a.mp4")
    try write("secret", "board/secret")
  }

  private func write(_ text: String, _ name: String) throws {
    let url = directory.url.appending(path: name)
    try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func link(_ name: String, to target: String) throws {
    try files.createSymbolicLink(atPath: directory.path(name), withDestinationPath: target)
  }

  private func path(_ name: String) -> FilePath { FilePath(directory.path(name)) }

  private func access(_ resolution: ConfinedFileAccess.Resolution, _ folder: String = "stick") -> ConfinedFileAccess {
    ConfinedFileAccess(path(folder), resolution: resolution)
  }

  @Test("A folder with more files than can be played isn't read to its end")
  func names() throws {
    for name in ["b.mp4", "c.mp4"] { try write("film", "stick/films/\(name)") }
    func names(atMost count: Int) throws(FileError) -> Int {
      try ConfinedFileAccess(path("stick"), resolution: .whole, mostNames: count).names(in: path("stick/films")).count
    }
    #expect(try names(atMost: 3) == 3)
    #expect(throws: FileError(.tooMany(2))) { try names(atMost: 2) }
  }

  @Test("A path in the folder is read by any spelling", arguments: ConfinedFileAccess.Resolution.allCases)
  func inside(resolution: ConfinedFileAccess.Resolution) throws {
    let access = access(resolution)
    for name in ["stick/films/a.mp4", "stick/./films//a.mp4", "stick/films/../films/a.mp4"] {
      #expect(try access.read(path(name), limit: 100) == Array("film".utf8))
      #expect(try access.status(of: path(name)).kind == .regular)
    }
    #expect(try access.read(path("stick/films/a.mp4"), limit: 2) == Array("fi".utf8))
    #expect(try access.names(in: path("stick")) == [Array("films".utf8)])
    #expect(try access.names(in: path("stick/films")) == [Array("a.mp4".utf8)])
    #expect(try access.status(of: path("stick")).kind == .directory)
    #expect(throws: FileError(.missing)) { try access.status(of: path("stick/none/a.mp4")) }
    #expect(throws: FileError(.missing)) { try access.status(of: path("stick/films/a.mp4/b")) }
    #expect(throws: FileError(.notRegular)) { try access.read(path("stick/films"), limit: 1) }
    #expect(throws: FileError(.missing)) { try access.names(in: path("stick/films/a.mp4")) }
  }

  @Test(
    "Confined access follows no link, within the folder or out of it",
    arguments: ConfinedFileAccess.Resolution.allCases)
  func links(resolution: ConfinedFileAccess.Resolution) throws {
    let access = access(resolution)
    try link("stick/file", to: "../board/secret")
    try link("stick/absolute", to: directory.path("board/secret"))
    try link("stick/folder", to: "../board")
    try link("stick/own", to: "films/a.mp4")
    try link("stick/nowhere", to: "none")
    for name in ["file", "absolute", "folder/secret", "own", "nowhere"] {
      #expect(throws: FileError(.confined), "\(name)") { try access.status(of: path("stick/\(name)")) }
      #expect(throws: FileError(.confined), "\(name)") { try access.read(path("stick/\(name)"), limit: 10) }
    }
    #expect(throws: FileError(.confined)) { try access.names(in: path("stick/folder")) }
    #expect(throws: FileError(.confined)) { _ = try access.openFile(path("stick/file")) }
  }

  @Test("No path leads out of the folder", arguments: ConfinedFileAccess.Resolution.allCases)
  func outside(resolution: ConfinedFileAccess.Resolution) throws {
    let access = access(resolution)
    try write("other", "stick2/a")
    for name in ["board/secret", "stick/../board/secret", "stick/films/../../board/secret", "stick2/a", ""] {
      #expect(throws: FileError(.confined), "\(name)") { try access.read(path(name), limit: 10) }
    }
    #expect(throws: FileError(.confined)) { try access.read(FilePath("/etc/passwd"), limit: 10) }
    #expect(throws: FileError(.confined)) { try access.read(FilePath("films/a.mp4"), limit: 10) }
    // Confining to a folder inside doesn't widen the access.
    let other = access.confined(to: path("board"))
    #expect(throws: FileError(.confined)) { try other.read(path("board/secret"), limit: 10) }
  }

  @Test("The path to the folder itself may be a link", arguments: ConfinedFileAccess.Resolution.allCases)
  func root(resolution: ConfinedFileAccess.Resolution) throws {
    try link("mounted", to: directory.path("stick"))
    let access = access(resolution, "mounted")
    #expect(try access.read(path("mounted/films/a.mp4"), limit: 10) == Array("film".utf8))
    #expect(throws: FileError(.missing)) { try ConfinedFileAccess(path("none")).status(of: path("none/a")) }
  }

  @Test("Confined access never opens a pipe or a device", arguments: ConfinedFileAccess.Resolution.allCases)
  func special(resolution: ConfinedFileAccess.Resolution) throws {
    try #require(mkfifo(directory.path("stick/pipe"), 0o600) == 0)
    let access = access(resolution)
    #expect(try access.status(of: path("stick/pipe")).kind == .other)
    #expect(throws: FileError(.notRegular)) { try access.read(path("stick/pipe"), limit: 10) }
  }

  @Test("A date beyond 64 bits of nanoseconds becomes the nearest one that fits")
  func dates() throws {
    #expect(FileStatus.nanoseconds(seconds: .max, nanoseconds: 999_999_999) == .max)
    #expect(FileStatus.nanoseconds(seconds: .min, nanoseconds: 0) == .min)
    #expect(FileStatus.nanoseconds(seconds: 9_223_372_036, nanoseconds: 999_999_999) == .max)
    #expect(FileStatus.nanoseconds(seconds: 2, nanoseconds: 3) == 2_000_000_003)
    // The year 2400, or the last year that this file system can store.
    var times = [timespec(tv_sec: 13_569_465_600, tv_nsec: 0), timespec(tv_sec: 13_569_465_600, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, directory.path("stick/films/a.mp4"), &times, 0) == 0)
    #expect(try SystemFileAccess().status(of: path("stick/films/a.mp4")).modified > 0)
    #expect(try access(.whole).status(of: path("stick/films/a.mp4")).modified > 0)
  }
}

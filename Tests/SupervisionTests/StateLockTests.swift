import FileModel
import FileSystem
import Foundation
import Glibc
import KioskTestSupport
import PlaybackCore
import Testing

@testable import Supervision

@Suite("The lock of a state folder")
struct StateLockTests {
  private func lock(in folder: String) throws -> FileLock {
    guard case .taken(let lock) = StateLock.acquire(in: [folder], wait: { _ in }) else { throw FileError(.missing) }
    return lock
  }

  @Test("A second player is refused after its wait, and learns which process has the folder")
  func refused() throws {
    let directory = try TemporaryDirectory()
    let first = try lock(in: directory.url.path)
    var (waited, told) = (Duration.zero, [Int32?]())
    let outcome = StateLock.acquire(in: [directory.url.path]) {
      waited += $0
    } tell: {
      told.append($0)
    }
    guard case .refused(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.number == 7517 && error.subject == directory.path("lock"))
    #expect(error.message.contains("process \(getpid())"))
    #expect(waited == StateLock.patience && told == [getpid()])
    withExtendedLifetime(first) {}
  }

  @Test("A successor gets the folder as soon as its predecessor has ended, even if the lock's file is left")
  func successor() throws {
    let directory = try TemporaryDirectory()
    var first: FileLock? = try lock(in: directory.url.path)
    var pauses = 0
    let outcome = StateLock.acquire(in: [directory.url.path]) { _ in
      pauses += 1
      if pauses == 3 { first = nil }
    }
    guard case .taken = outcome else {
      Issue.record("\(outcome) \(first == nil)")
      return
    }
    #expect(pauses == 3)
    #expect(try FileTree.owner(of: directory.path("lock")).mode == 0o600)
  }

  @Test("A player doesn't wait for a predecessor that was killed and hangs in the kernel")
  func doomed() throws {
    let directory = try TemporaryDirectory()
    let first = try lock(in: directory.url.path)
    let outcome = StateLock.acquire(in: [directory.url.path], isDoomed: { $0 == getpid() }) { _ in
      Issue.record("waited")
    }
    guard case .unlocked(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains("hangs in the kernel"))
    withExtendedLifetime(first) {}

    let status = "Name:\tvitrine\nState:\tD (disk sleep)\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n"
    #expect(StateLock.isDoomed(status: status))
    #expect(StateLock.isDoomed(status: "SigPnd:\t0000000000000100\n"))
    // A pending SIGTERM, and a blocked SIGHUP: these processes may still end.
    #expect(
      !StateLock.isDoomed(status: "SigPnd:\t0000000000000000\nShdPnd:\t0000000000004001\nSigBlk:\t0000000000000100\n"))
    #expect(!StateLock.isDoomed(status: ""))
    #expect(!StateLock.isDoomed(getpid()))
  }

  @Test("If a folder can't be locked, the next one is; without any the player plays unlocked")
  func unlocked() throws {
    let directory = try TemporaryDirectory()
    // The lock doesn't follow a link.
    let victim = try directory.write("precious", as: "victim")
    try FileManager.default.createSymbolicLink(atPath: directory.path("lock"), withDestinationPath: victim)
    guard case .unlocked = StateLock.acquire(in: [directory.url.path, "/nowhere"], wait: { _ in }) else {
      Issue.record("locked")
      return
    }
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    let other = try TemporaryDirectory()
    guard case .taken = StateLock.acquire(in: ["/nowhere", other.url.path], wait: { _ in }) else {
      Issue.record("not locked")
      return
    }
    #expect(FileManager.default.fileExists(atPath: other.path("lock")))
  }
}

import Foundation
import MainLoop
import PlaybackCore
import Testing

@testable import Supervision

@Suite("Child pipe: a process that answers lines")
struct ChildPipeTests {
  /// Whether a child of this process, given by its number, has been reaped.
  private func isBuried(_ pid: Int32) -> Bool { waitpid(pid, nil, WNOHANG) < 0 && errno == ECHILD }

  private func end(of script: String, patience: Duration = .seconds(20)) throws -> (end: ProcessEnd?, pid: Int32) {
    let pipe = try ChildPipe("/bin/sh", ["-c", script])
    let pid = try #require(Int32(String(decoding: try pipe.ask([], patience: .seconds(20)), as: UTF8.self)))
    do throws(ProcessEnd) {
      _ = try pipe.ask([], patience: patience)
      return (nil, pid)
    } catch {
      return (error, pid)
    }
  }

  @Test("A child's end is reported, and each child is reaped, even one that closes its pipe and goes on")
  func buried() throws {
    let ends: [(script: String, end: ProcessEnd)] = [
      ("exit 7", .exited(7)), ("kill -SEGV $$", .signalled(SIGSEGV)),
      ("exec <&- >&-; exec sleep 1000", .timedOut), ("read line; exec sleep 1000", .timedOut),
    ]
    for (script, wanted) in ends {
      let (end, pid) = try end(of: "read line; echo $$; \(script)", patience: .seconds(1))
      #expect(end == wanted && isBuried(pid), "\(script): \(String(describing: end))")
    }
  }

  @Test("A child inherits none of this process's files, whether marked close-on-exec or not")
  func files() throws {
    let opened = open("/dev/null", O_RDONLY)
    let file = fcntl(opened, F_DUPFD, 100)
    defer { for file in [opened, file] { close(file) } }
    #expect(file >= 100 && fcntl(file, F_GETFD) == 0)
    // The shell itself has the folder open while it answers.
    let pipe = try ChildPipe("/bin/sh", ["-c", "read line; echo /proc/$$/fd/*"])
    let names = String(decoding: try pipe.ask([], patience: .seconds(20)), as: UTF8.self).split(separator: " ")
    let numbers = names.compactMap { $0.split(separator: "/").last.flatMap { Int32($0) } }
    #expect(numbers.contains(0) && !numbers.contains(file), "\(names)")
  }

  @Test("A child ends when its pipe is released")
  func dropped() throws {
    var pid: Int32?
    do {
      let pipe = try ChildPipe("/bin/sh", ["-c", "read line; echo $$; exec sleep 1000"])
      pid = Int32(String(decoding: try pipe.ask([], patience: .seconds(20)), as: UTF8.self))
    }
    #expect(isBuried(try #require(pid)))
  }
}

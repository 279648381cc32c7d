import Foundation
import KioskTestSupport
import Testing

/// The project's own C, tried by programs (Tests/Tools/limits): a test can't enter a sandbox and go on.
@Suite("What probes may and what the crash handler does, tried out", .serialized)
struct LimitsTests {
  /// A folder with the programs in it, and in `work` what they are to leave alone.
  private func folder() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-s", "-C", Tool.root.appending(path: "Tests/Tools/limits").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "work/d"), withIntermediateDirectories: true)
    try Data("untouched".utf8).write(to: directory.url.appending(path: "work/f"))
    return directory
  }

  /// By a pipe: into files it writes nothing.
  private func sandbox(_ what: String, in directory: TemporaryDirectory) async throws -> Tool.Outcome {
    try await Tool.run(
      "bash", ["-c", "cd \"$1\" && ../try-sandbox \"$2\" | cat", "bash", directory.path("work"), what], limit: 60)
  }

  @Test("Each call that signals, starts, makes, changes or takes away is refused; reading and abort(3) aren't")
  func calls() async throws {
    let directory = try await folder()
    let outcome = try await sandbox("calls", in: directory)
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count > 35)
    for line in lines where !line.hasPrefix("allowed: ") { #expect(line.hasSuffix(" \(EACCES)"), "\(line)") }
    #expect(
      lines.filter { $0.hasPrefix("allowed: ") } == [
        "allowed: openat2 as if it weren't there \(ENOSYS)", "allowed: openat 0", "allowed: tgkill of itself 0",
      ])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("work"))
    #expect(names.sorted() == ["d", "f"])
    #expect(try String(contentsOfFile: directory.path("work/f"), encoding: .utf8) == "untouched")
  }

  /// The codes are sandbox.h's.
  @Test(
    "How it ends says of what: the processor by its own signal, files and memory by a code, anything else by what it is",
    arguments: [
      ("abort", 128 + SIGABRT), ("processor", 128 + SIGXCPU), ("memory", 102), ("files", 101), ("fault", 139),
    ])
  func ends(what: String, status: Int32) async throws {
    let directory = try await folder()
    let outcome = try await Tool.run(
      "bash", ["-c", "cd \"$1\" && ../try-sandbox \"$2\"; echo $?", "bash", directory.path("work"), what], limit: 60)
    #expect(outcome.output == "\(status)\n", "\(outcome)")
  }

  @Test("A fault of the crash handler's own, of another kind, ends the process by the signal that it had first")
  func nested() async throws {
    let directory = try await folder()
    let outcome = try await Tool.run(
      "bash", ["-c", "\"$1\" \"$2\"; echo $?", "bash", directory.path("try-crash"), directory.path("run")], limit: 20)
    #expect(!outcome.wasKilled && outcome.output == "139\n", "\(outcome)")
  }
}

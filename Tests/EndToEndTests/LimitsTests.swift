import Foundation
import KioskTestSupport
import Testing

/// The project's own C, tried by programs (Tests/Tools/limits): a test can't enter a sandbox and leave it again.
@Suite("Limits of probes, and the crash handler", .serialized)
struct LimitsTests {
  /// A folder with the programs in it; the files in `work` must stay as they are.
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

  /// Runs the program with a pipe for its output, because it can't write files.
  private func sandbox(_ what: String, in directory: TemporaryDirectory) async throws -> Tool.Outcome {
    try await Tool.run(
      "bash", ["-c", "cd \"$1\" && ../try-sandbox \"$2\" | cat", "bash", directory.path("work"), what], limit: 60)
  }

  @Test("The sandbox refuses calls that signal, start, make, change or remove; it allows reading and abort(3)")
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

  /// sandbox.h defines the codes.
  @Test(
    "A probe's end tells its cause: a signal for processor time, codes for files and memory",
    arguments: [
      ("abort", 128 + SIGABRT), ("processor", 128 + SIGXCPU), ("memory", 102), ("files", 101), ("fault", 139),
    ])
  func ends(what: String, status: Int32) async throws {
    let directory = try await folder()
    let outcome = try await Tool.run(
      "bash", ["-c", "cd \"$1\" && ../try-sandbox \"$2\"; echo $?", "bash", directory.path("work"), what], limit: 60)
    #expect(outcome.output == "\(status)\n", "\(outcome)")
  }

  @Test("A second fault in the crash handler ends the process by its first signal")
  func nested() async throws {
    let directory = try await folder()
    let outcome = try await Tool.run(
      "bash", ["-c", "\"$1\" \"$2\"; echo $?", "bash", directory.path("try-crash"), directory.path("run")], limit: 20)
    #expect(!outcome.wasKilled && outcome.output == "139\n", "\(outcome)")
  }
}

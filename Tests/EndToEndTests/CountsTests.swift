import Foundation
import KioskTestSupport
import Testing

/// The measures that `Tests/Performance/counts` compares with `Tests/Performance/baseline.json`.
enum Counts {
  static let instructions = ["machine-step", "gesture-frame", "overlay-redraw", "tile-pan"]
  /// Counted in the virtual board's time.
  static let board = ["film", "film-720p", "still", "asleep"]

  /// - Returns: the output of `counts`, with its status: 0 as good as the baseline, 1 worse, 2 not counted, 77 not
  ///   comparable here.
  static func run(_ arguments: [String]) async throws -> Tool.Outcome {
    try await Tool.run(
      Tool.root.appending(path: "Tests/Performance/counts").path,
      ["--binary", Player.path, "--work", URL(filePath: Player.path).deletingLastPathComponent().path] + arguments,
      limit: 280)
  }

  static func expectAsGood(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let outcome = try await run(["--check", name])
    #expect(
      outcome.status == 0 || outcome.status == 77, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
  }

  static func expectWorse(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let outcome = try await run(["--check", name, "--control"])
    #expect(
      outcome.status == 1 || outcome.status == 77, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
      outcome.status == 77 || outcome.output.contains("WORSE"), "\(outcome.output)\(outcome.errors)",
      sourceLocation: sourceLocation)
  }
}

@Suite("Instructions of recurring work, against the baseline", .serialized)
struct CountsTests {
  @Test("The work takes no more instructions than the baseline", arguments: Counts.instructions)
  func asGood(name: String) async throws { try await Counts.expectAsGood(name) }

  @Test("A fifth more work fails the comparison", arguments: Counts.instructions)
  func worse(name: String) async throws { try await Counts.expectWorse(name) }

  @Test("Each count has a test, and each test has a count in the baseline")
  func names() async throws {
    let outcome = try await Counts.run(["--list"])
    #expect(outcome.output.split(separator: "\n").map(String.init) == Counts.instructions + Counts.board)
  }
}

@Suite(
  "Allocations, wake-ups and framebuffers on the virtual board, against the baseline",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct CountsBoardTests {
  @Test("The player makes no more of them than the baseline", arguments: Counts.board)
  func asGood(name: String) async throws {
    _ = try await Media.path("h264-60s-640x360-30.mp4")
    try await Counts.expectAsGood(name)
  }

  @Test("A player that makes more fails the comparison", arguments: Counts.board)
  func worse(name: String) async throws {
    _ = try await Media.path("h264-60s-640x360-30.mp4")
    try await Counts.expectWorse(name)
  }
}

import Foundation
import KioskTestSupport
import Testing

/// What `Tests/Performance/counts` counts and compares with `Tests/Performance/baseline.json`.
enum Counts {
  static let instructions = ["machine-step", "gesture-frame", "overlay-redraw"]
  /// In the virtual board's time.
  static let board = ["film", "film-720p", "still", "asleep"]

  /// - Returns: what `counts` said, with its status: 0 as good as the baseline, 1 worse, 2 not counted, 77 not comparable here.
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

@Suite("Instructions of the work that comes again and again, against the baseline", .serialized)
struct CountsTests {
  @Test("No more than the baseline", arguments: Counts.instructions)
  func asGood(name: String) async throws { try await Counts.expectAsGood(name) }

  @Test("A fifth more work is noticed", arguments: Counts.instructions)
  func worse(name: String) async throws { try await Counts.expectWorse(name) }

  @Test("Each count has a test, and each test a count in the baseline")
  func names() async throws {
    let outcome = try await Counts.run(["--list"])
    #expect(outcome.output.split(separator: "\n").map(String.init) == Counts.instructions + Counts.board)
  }
}

@Suite(
  "Allocations, wake-ups and framebuffers on the virtual board, against the baseline",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct CountsBoardTests {
  @Test("No more than the baseline", arguments: Counts.board)
  func asGood(name: String) async throws {
    _ = try await Media.path("h264-60s-640x360-30.mp4")
    try await Counts.expectAsGood(name)
  }

  @Test("A player that does more is noticed", arguments: Counts.board)
  func worse(name: String) async throws {
    _ = try await Media.path("h264-60s-640x360-30.mp4")
    try await Counts.expectWorse(name)
  }
}

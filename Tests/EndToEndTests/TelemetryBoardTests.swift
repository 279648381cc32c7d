import Foundation
import KioskTestSupport
import Testing

/// Compares the player's telemetry with what its screen composed.
@Suite(
  "Telemetry beside the screen, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct TelemetryBoardTests {
  @Test("Proof of play of six minutes matches the composed frames; make test-play-day takes a day")
  func playDay() async throws { try await TestTool.expectPass("play-day", ["--hours", "0.1"], limit: 300) }

  @Test("The counters match eight faults from outside; make test-telemetry-truth takes 200")
  func faults() async throws {
    try await TestTool.expectPass("telemetry-truth", ["--faults", "8", "--first", "3"], limit: 500)
  }
}

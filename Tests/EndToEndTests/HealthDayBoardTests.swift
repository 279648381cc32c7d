import Foundation
import KioskTestSupport
import Testing

/// Runs an hour of a normal day under the player's own keeper; `make test-health-day` runs the whole day.
@Suite(
  "Normal days, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .long)
struct HealthDayBoardTests {
  @Test("Pauses, nights, pulled plugs, hour-long pictures and still films raise no alarm")
  func hour() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/health-day").path,
      ["--hours", "1", "--seed", "1", "--binary", Player.path, "--out", directory.path("day")], limit: 300)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
  }
}

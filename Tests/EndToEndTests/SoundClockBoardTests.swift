import Foundation
import KioskTestSupport
import Testing

/// Sound devices with a clock of their own. Short runs of `make test-sound-day`, with a much worse clock.
@Suite(
  "Sound keeps time, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SoundClockBoardTests {
  @Test(
    "With a device 0.09 % off no sample is added or dropped, and picture and sound stay within 20 ms",
    arguments: ["900", "-900"])
  func player(fast: String) async throws {
    try await TestTool.expectPass("sound-day", ["--fast", fast, "--seconds", "100"], limit: 300)
  }

  @Test(
    "The control: GStreamer's own sink fails the same check with skips and single samples",
    arguments: ["skew", "resample"])
  func control(method: String) async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/sound-day").path,
      ["--method", method, "--fast", "900", "--seconds", "60", "--out", directory.path("out")], limit: 200)
    #expect(outcome.status == 1 && outcome.errors.contains("the tone jumps"), "\(outcome.output)\(outcome.errors)")
    // The sound was recorded.
    #expect(outcome.output.contains("s heard, 5"), "\(outcome.output)")
  }
}

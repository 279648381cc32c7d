import Foundation
import KioskTestSupport
import Testing

/// Sound devices whose clock isn't ours. Short runs of what `make test-sound-day` does for a day, with a clock that is much worse.
@Suite(
  "Sound keeps time, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct SoundClockBoardTests {
  @Test(
    "A device that is 0.09 % too fast, or too slow: nothing is left out or put in, and lips and voice are within 20 ms",
    arguments: ["900", "-900"])
  func player(fast: String) async throws {
    try await TestTool.expectPass("sound-day", ["--fast", fast, "--seconds", "100"], limit: 300)
  }

  @Test(
    "The same verdict fails for what GStreamer's sink does by itself: skips, and single samples",
    arguments: ["skew", "resample"])
  func control(method: String) async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/sound-day").path,
      ["--method", method, "--fast", "900", "--seconds", "60", "--out", directory.path("out")], limit: 200)
    #expect(outcome.status == 1 && outcome.errors.contains("the tone jumps"), "\(outcome.output)\(outcome.errors)")
    // It was heard at all.
    #expect(outcome.output.contains("s heard, 5"), "\(outcome.output)")
  }
}

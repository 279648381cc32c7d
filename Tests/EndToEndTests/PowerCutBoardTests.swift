import Foundation
import KioskTestSupport
import Testing

/// A loss of power: data that wasn't flushed is gone. Short runs of `make test-power`, which cuts it two hundred times.
@Suite("Power cuts during a change of the configuration, on the virtual board")
struct PowerCutBoardTests {
  private static let cuts = Board.isLong ? 20 : 4

  @Test(
    "After each power cut a configuration that plays is in use, the old or the new one",
    .enabled("the board's kernel has no ext4 (VITRINE_BOARD_KERNEL); board/virtual/build-kernel makes one that has") {
      try await Board.disksMissing() == nil
    }, .timeLimit(.minutes(15)))
  func cuts() async throws {
    try await TestTool.expectPass("power-cuts", ["--cuts", "\(Self.cuts)"], limit: 800)
  }
}

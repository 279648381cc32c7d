import Foundation
import KioskTestSupport
import Testing

/// A loss of power: what wasn't brought to the disk is gone. Short runs of what `make test-power` does two hundred times.
@Suite("Power cuts during a change of the configuration, on the virtual board")
struct PowerCutBoardTests {
  private static let cuts = Board.isLong ? 20 : 4

  @Test(
    "After each cut the old configuration or the new one, and one that plays, never neither",
    .enabled("the board's kernel has no ext4 (VITRINE_BOARD_KERNEL); board/virtual/build-kernel makes one that has") {
      try await Board.disksMissing() == nil
    }, .timeLimit(.minutes(15)))
  func cuts() async throws {
    try await TestTool.expectPass("power-cuts", ["--cuts", "\(Self.cuts)"], limit: 800)
  }
}

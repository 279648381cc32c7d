import Foundation
import KioskTestSupport
import Testing

/// Playback with the store, in virtual time: one row of `Tests/Tools/store-faults`, and hours without a server.
@Suite(
  "The store, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct StoreFaultBoardTests {
  @Test(
    "With all files stored the picture never stands still, whatever the server does for hours (P6)",
    .long)
  func faults() async throws {
    try await TestTool.expectPass("store-faults", ["--days", "0.25", "absent-40"], limit: 400)
  }
}

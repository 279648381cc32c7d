import Foundation
import KioskTestSupport
import Testing

/// Playing with the store, in virtual time: a row of the table of `Tests/Tools/store-faults`, and hours with no server.
@Suite(
  "The store, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct StoreFaultBoardTests {
  @Test(
    "Once all is stored the picture never stands still again, whatever the server does, for hours without one (P6)",
    .enabled(if: Board.isLong, "takes minutes; make test-long"))
  func faults() async throws {
    try await TestTool.expectPass("store-faults", ["--days", "0.25", "absent-40"], limit: 400)
  }
}

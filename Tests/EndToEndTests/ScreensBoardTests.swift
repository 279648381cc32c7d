import Foundation
import KioskTestSupport
import Testing

/// Several screens in one process, on real KMS.
@Suite(
  "Several screens on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct ScreensBoardTests {
  private static let seatIsMissing: Bool = !FileManager.default.isExecutableFile(atPath: "/usr/sbin/seatd")

  @Test("The displays' own tests of several screens pass in the guest, with a seat too", arguments: [false, true])
  func displayTests(hasSeat: Bool) async throws {
    if hasSeat, Self.seatIsMissing { return }
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      \(hasSeat ? "SEATD_VTBOUND=0 seatd & sleep 0.5" : "")
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter KMSScreensBoardTests
      """, devices: "none")
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("Several KMS screens") && !run.outcome.output.contains("with 0 tests"))
  }

  @Test("The input's own tests of several screens pass in the guest")
  func inputTests() async throws {
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter DisplaysTests.InputBoardTests
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("Input of two screens") && !run.outcome.output.contains("with 0 tests"))
  }

  @Test(
    "Another session takes the seat and gives it back: two screens of one card go dark together, and both come back",
    .enabled(if: !seatIsMissing, "seatd is missing (deploy/setup --only test)"))
  func seat() async throws {
    let run = try await Board.run(
      SeatBoardTests.tools + """
        card=$(make-device --overlays 4 --connectors 2)
        as_nobody VITRINE_ON_BOARD=1 VITRINE_HOLD_SCREENS=$card SEATD_SOCK=/run/nobody/seat \\
          "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing \\
          --filter holdScreens > /run/out/log 2>&1 & player=$!
        sleep 5; lit > /run/out/lit
        other_session; sleep 1
        echo 2 >&8; sleep 5
        lit >> /run/out/lit; cp /run/out/holder /run/out/taken
        timeout 1 kms-hold "$card" > /run/out/hold 2>&1
        echo 1 >&7; sleep 5
        lit >> /run/out/lit
        kill -KILL $player
        """, devices: "none")
    let log = try run.text("log")
    #expect(try run.text("taken") == "active\n", "\(log)")
    #expect(try run.text("hold").contains("holding"), "\(log)")
    #expect(try run.text("lit") == "2\n0\n2\n", "\(log)")
  }
}

import Foundation
import KioskTestSupport
import Testing

/// Servers that fail while an item plays, in virtual time: some rows of `Tests/Tools/network-faults`, and some seeds of
/// `Tests/Tools/random-faults`.
@Suite(
  "Network faults, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct NetworkFaultBoardTests {
  @Test("An item continues at its position after a fault, with the shortest possible pause (P6)")
  func faults() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "mp4", "none", "stall-20", "close", "503-5", "absent-10", "start-503"],
      limit: 300)
  }

  @Test("HLS continues after short and long faults, and a failing server is asked once a second")
  func adaptive() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "hls", "absent-1", "absent-10"], limit: 240)
  }

  @Test(
    "A live stream continues after its server was away, without waiting for missed parts")
  func live() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "live", "frozen-10", "absent-10", "absent-40"], limit: 240)
  }

  @Test("DASH continues after faults as HLS does", .long)
  func dash() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "dash", "absent-1", "absent-10"], limit: 240)
  }

  @Test(
    "Live DASH plays every segment, and continues after its server was away",
    .long)
  func liveDASH() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "dash-live", "none", "absent-10"], limit: 240)
  }

  @Test("A radio station that breaks off is reopened, and counts neither as ended nor as failed")
  func radio() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "radio", "none", "close", "stall-20", "404-5", "absent-10"], limit: 240)
  }

  @Test("WebM continues after faults as MP4 does", .long)
  func webm() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "webm", "absent-10"], limit: 240)
  }

  @Test("A stream of 8 Mbit/s plays through five seconds without data", .long)
  func rich() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "rich", "stall-5"], limit: 240)
  }

  @Test("Twenty runs with random faults take at most 10 % longer", .long)
  func random() async throws { try await TestTool.expectPass("random-faults", ["--seeds", "1-20"], limit: 3600) }

  @Test("A run with random faults takes at most 10 % longer")
  func randomOnce() async throws { try await TestTool.expectPass("random-faults", ["--seeds", "3"], limit: 300) }
}

import Foundation
import KioskTestSupport
import Testing

/// Servers that fail while an item plays, in virtual time: some rows of the table of `Tests/Tools/network-faults`, and some
/// seeds of `Tests/Tools/random-faults`.
@Suite(
  "Network faults, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct NetworkFaultBoardTests {
  @Test("A fault that ends is got over at the same position; the picture stands still for no longer than it must (P6)")
  func faults() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "mp4", "none", "stall-20", "close", "503-5", "absent-10", "start-503"],
      limit: 300)
  }

  @Test("HLS is got over short faults and long ones, and a server that fails is asked once a second")
  func adaptive() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "hls", "absent-1", "absent-10"], limit: 240)
  }

  @Test(
    "What is on air goes on after its server was away and after no new parts came; what was missed isn't waited for")
  func live() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "live", "frozen-10", "absent-10", "absent-40"], limit: 240)
  }

  @Test("DASH is got over faults as HLS is")
  func dash() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "dash", "absent-1", "absent-10"], limit: 240)
  }

  @Test("DASH on air plays every segment, and goes on after its server was away")
  func liveDASH() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "dash-live", "none", "absent-10"], limit: 240)
  }

  @Test("A radio station that breaks off is opened again, and has neither ended nor failed")
  func radio() async throws {
    try await TestTool.expectPass(
      "network-faults", ["--media", "radio", "none", "close", "stall-20", "404-5", "absent-10"], limit: 240)
  }

  @Test("WebM is got over faults as MP4 is")
  func webm() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "webm", "absent-10"], limit: 240)
  }

  @Test("What is richer is buffered for as long: 8 Mbit/s get over five seconds without data unseen")
  func rich() async throws {
    try await TestTool.expectPass("network-faults", ["--media", "rich", "stall-5"], limit: 240)
  }

  @Test("Five minutes of faults at random, 20 times: 10 % above the ideal at most", .enabled(if: Board.isLong))
  func random() async throws { try await TestTool.expectPass("random-faults", ["--seeds", "1-20"], limit: 3600) }

  @Test("Five minutes of faults at random")
  func randomOnce() async throws { try await TestTool.expectPass("random-faults", ["--seeds", "3"], limit: 300) }
}

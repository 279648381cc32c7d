import Foundation
import KioskTestSupport
import Testing

/// Servers that fail while an item plays, in virtual time: some rows of the table of `Tests/Tools/network-faults`.
@Suite(
  "Network faults, on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct NetworkFaultTests {
  @Test("A fault that ends is got over at the same position; the picture stands still for no longer than it lasts (P6)")
  func faults() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/network-faults").path,
      [
        "--binary", Player.path, "--out", directory.path("faults"), "none", "stall-20", "close", "503-5", "absent-10",
        "html-10",
      ], limit: 300)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}

import Foundation
import KioskTestSupport
import Testing

/// What is between two items: nothing. Short runs of what `make test-seams` does a thousand times.
@Suite(
  "Seams, on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct SeamTests {
  @Test(
    "No gap beyond a frame, no frame dropped, no composed picture of the background alone, no drift (P5)",
    arguments: ["loop", "mixed", "broken"])
  func seams(list: String) async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/soak").path,
      [
        "--list", list, "--transitions", "8", "--checksums", "--out", directory.path("soak"), "--binary",
        Player.path,
      ], limit: 240)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}

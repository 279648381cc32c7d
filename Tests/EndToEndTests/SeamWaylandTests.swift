import Foundation
import KioskTestSupport
import Testing

/// Nothing may be seen between two items in a compositor; a module of the compositor itself watches.
@Suite(
  "Seams, in a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"),
  .enabled(
    if: FileManager.default.fileExists(atPath: "/usr/include/libweston-10"),
    "What reads a compositor's frames is for Weston 10 alone, which Debian 12 has (.ci/blank-root runs it)"),
  // The compositor runs on the virtual board, in its time.
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SeamWaylandTests {
  @Test(
    "The compositor shows every frame of every item once, in order, and nothing black between",
    arguments: ["loop", "mixed", "broken"])
  func weston(list: String) async throws {
    try await TestTool.expectPass("soak", ["--list", list, "--transitions", "8", "--output", "wayland"], limit: 240)
  }
}

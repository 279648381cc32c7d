import Foundation
import KioskTestSupport
import Testing

/// What is between two items in a compositor, seen by a module of the compositor itself: nothing.
@Suite(
  "Seams, in a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"),
  .enabled(
    if: FileManager.default.fileExists(atPath: "/usr/include/libweston-10"),
    "What reads a compositor's frames is for Weston 10 alone, which Debian 12 has (.ci/blank-root runs it)"))
struct SeamWaylandTests {
  @Test(
    "Every frame of every item is composed once and in its place, and nothing black between",
    arguments: ["loop", "mixed", "broken"])
  func weston(list: String) async throws {
    try await TestTool.expectPass("soak", ["--list", list, "--transitions", "8", "--output", "wayland"], limit: 240)
  }
}

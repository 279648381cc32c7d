import Foundation
import KioskTestSupport
import Testing

/// The screen when the player dies in a compositor: no file keeps its surfaces there, because they are the
/// compositor's.
@Suite(
  "A process that dies in a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
struct SurvivalWaylandTests {
  @Test(
    "Weston shows its background after the client's death, and the next process brings the picture back")
  func death() async throws {
    let directory = try TemporaryDirectory()
    let tools = Tool.root.appending(path: "Tests/Tools/weston")
    let media = URL(filePath: try await Media.path("text.mp4")).deletingLastPathComponent().path
    let file = try directory.write(
      """
      set -u
      OUT='\(directory.url.path)'
      shot() { '\(tools.appending(path: "weston-shot").path)' "$XDG_RUNTIME_DIR" "$OUT/$1"; }
      play() {
        '\(Player.path)' play --osd never --no-audio '\(media)/h264-60s-640x360-30.mp4' 2>> "$OUT/log" & player=$!
        until grep -q 'output: wayland' "$OUT/log"; do sleep 0.05; done
        sleep 2.5
      }
      play; shot alive.png
      kill -KILL $player; wait $player 2> /dev/null; sleep 0.3; shot dead.png; sleep 2; shot later.png
      play; shot next.png
      kill -KILL $player
      """, as: "script.sh")
    let outcome = try await Tool.run(
      tools.appending(path: "weston-headless").path,
      ["--size", "640x360", directory.path("run"), "--", "bash", file], limit: 90)
    func isDark(_ name: String) async throws -> Bool {
      try await Pixels(path: directory.path(name)).bytes.allSatisfy { $0 < 40 }
    }
    #expect(try await !isDark("alive.png"), "\(outcome.errors)")
    // The screen is dark before the next process can be there, as docs/survival.md says.
    #expect(try await isDark("dead.png"))
    #expect(try await isDark("later.png"))
    #expect(try await !isDark("next.png"))
  }
}

import Foundation
import KioskTestSupport
import Testing

/// Runs Examples/PlayInWindow in Weston, and looks at the compositor's own screenshots.
@Suite(
  "A film in a GTK window", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
struct WindowTests {
  @Test("The film fills the window and moves, and the window closes at its end")
  func window() async throws {
    let directory = try TemporaryDirectory()
    let program = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
      .appending(path: "PlayInWindow").path
    let tools = Tool.root.appending(path: "Tests/Tools/weston")
    let film = try await Media.path("h264-aac-640x360-30.mp4")
    let script = try directory.write(
      """
      set -u
      shot() { '\(tools.appending(path: "weston-shot").path)' "$XDG_RUNTIME_DIR" '\(directory.url.path)'/"$1"; }
      ASAN_OPTIONS=detect_leaks=0 GDK_BACKEND=wayland GSK_RENDERER=cairo '\(program)' '\(film)' > '\(directory.path("log"))' 2>&1 &
      for _ in $(seq 100); do grep -q plays '\(directory.path("log"))' && break; sleep 0.1; done
      sleep 0.7; shot a.png; sleep 0.5; shot b.png
      wait $!
      echo $? > '\(directory.path("status"))'
      """, as: "script.sh")
    let outcome = try await Tool.run(
      tools.appending(path: "weston-headless").path,
      ["--size", "800x600", directory.path("run"), "--", "bash", script], limit: 60)
    let log = try String(contentsOfFile: directory.path("log"), encoding: .utf8)
    #expect(try String(contentsOfFile: directory.path("status"), encoding: .utf8) == "0\n", "\(log)\(outcome.errors)")
    #expect(log.contains("plays on 800x600"), "\(log)")
    let (first, second) = (
      try await Pixels(path: directory.path("a.png")), try await Pixels(path: directory.path("b.png"))
    )
    // 640x360 on 800x600 is 800x450, 75 from the top.
    let (a, b) = (first.frameNumber(x: 0, y: 75, width: 800), second.frameNumber(x: 0, y: 75, width: 800))
    #expect(a != nil && b != nil && a != b, "\(a ?? -1), \(b ?? -1)")
  }
}

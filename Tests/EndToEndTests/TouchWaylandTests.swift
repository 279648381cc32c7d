import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A finger and a mouse, injected into the compositor's seat.
@Suite(
  "Touch in a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
struct TouchWaylandTests {
  enum Pointer: String, CaseIterable, Sendable {
    case touch
    case mouse
  }

  @Test(
    "A drag by wl_touch and by the pointer has one seek at a time and the exact frame at its end",
    arguments: Pointer.allCases)
  func drag(pointer: Pointer) async throws {
    let size = PixelSize(width: 1280, height: 720)
    let bar = TransportBar(title: "", position: .zero, duration: .seconds(60))
    let track = try #require(OverlayRenderer().targets(of: bar, screen: size).track)
    let y = Int(track.y + track.height / 2)
    let (from, to) = (300, 1020)
    // Two seconds of lines for weston-inject.
    let driver = """
      import os, socket, time
      link = socket.socket(socket.AF_UNIX); link.connect(os.environ["WESTON_INJECT_SOCKET"])
      answers = link.makefile("r")
      def send(line):
          link.sendall((line + "\\n").encode()); assert answers.readline().startswith("ok"), line
      begin = time.monotonic()
      for step in range(241):
          x = \(from) + (\(to - from)) * step / 240
          time.sleep(max(0, begin + step / 120 - time.monotonic()))
          if "\(pointer.rawValue)" == "touch":
              send(f"touch {'move' if step else 'down'} 0 {x} \(y)"); send("touch frame")
          else:
              send(f"pointer move {x} \(y)")
              if step == 0: send("pointer button 272 1")
      # No frame after the last up.
      send("touch up 0" if "\(pointer.rawValue)" == "touch" else "pointer button 272 0")
      """
    let directory = try TemporaryDirectory()
    let media = try await Media.path("h264-60s-640x360-30.mp4")
    let driverPath = try directory.write(driver, as: "driver.py")
    let out = directory.url.path
    let script = try directory.write(
      """
      \(pointer == .mouse ? "export WAYLAND_DEBUG=client" : "")
      '\(Player.path)' play -v --output wayland --osd always --no-audio --for 9 --report '\(out)/r.json' \
        '\(media)' 2> '\(out)/log' & player=$!
      sleep 3
      python3 '\(driverPath)' 2> '\(out)/driver'
      wait $player
      """, as: "script.sh")
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/weston/weston-headless").path,
      ["--size", "1280x720", directory.path("run"), "--", "bash", script], limit: 60)
    let log = try String(contentsOfFile: directory.path("log"), encoding: .utf8)
    #expect(outcome.status == 0, "\(outcome.errors) \(log)")
    #expect(try String(contentsOfFile: directory.path("driver"), encoding: .utf8) == "")
    let seeks = Drag.Seeks(log: log)
    #expect(seeks.mostInFlight == 1, "\(log)")
    let asked = (Double(to) - track.x) / track.width * 60
    let last = try #require(seeks.targets.last)
    #expect(abs(last - asked) < 1.0 / 30, "\(last) instead of \(asked)")
    #expect(seeks.kinds.last == "exact")
    // After the release only the drag's last seek is sent.
    #expect(seeks.countAtEnd == seeks.targets.count - 1, "\(log)")
    let report = try #require(try Report.read(directory.path("r.json")))
    let shown = try #require(report.seeks.last?.shownSeconds)
    #expect(abs(shown - asked) < 1.0 / 30, "\(shown) instead of \(asked)")
    #expect(Set(report.seeks.compactMap(\.shownSeconds)).count >= 8, "\(report.seeks)")
    // The pointer is invisible when the window appears under it, an arrow while it moves, and invisible 3 s later.
    let pictures = log.matches(of: /set_cursor\([0-9]+, ([a-z_]+)/).map { String($0.1) }
    #expect(pictures == (pointer == .mouse ? ["nil", "wl_surface", "nil"] : []), "\(pictures)")
  }
}

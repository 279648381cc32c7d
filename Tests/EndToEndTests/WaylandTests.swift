import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player as a client of a real compositor, checked on the compositor's screenshots.
@Suite(
  "In a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
struct WaylandTests {
  /// Runs a bash script as a client of Weston headless with the kiosk shell; `$OUT` is a directory, `$SHOT FILE` takes
  /// a screenshot.
  private func inWeston(_ script: String, size: String = "1280x720", limit: Double = 60) async throws -> (
    outcome: Tool.Outcome, directory: TemporaryDirectory
  ) {
    let directory = try TemporaryDirectory()
    let tools = Tool.root.appending(path: "Tests/Tools/weston")
    let body = """
      set -u
      VITRINE='\(Player.path)'; OUT='\(directory.url.path)'
      MEDIA='\(URL(filePath: try await Media.path("text.mp4")).deletingLastPathComponent().path)'
      # Waits until the item has played up to that second.
      reached() {
        until "$VITRINE" ctl status --json --socket "$OUT/control" 2> /dev/null | python3 -c '
      import re, sys
      found = re.search(r"position_seconds\\W+([0-9.]+)", sys.stdin.read())
      sys.exit(not found or float(found[1]) < float(sys.argv[1]))' "$1" 2> /dev/null; do sleep 0.2; done
      }
      shot() { '\(tools.appending(path: "weston-shot").path)' "$XDG_RUNTIME_DIR" "$OUT/$1"; }
      \(script)
      """
    let file = try directory.write(body, as: "script.sh")
    let outcome = try await Tool.run(
      tools.appending(path: "weston-headless").path,
      ["--size", size, directory.path("run"), "--", "bash", file], limit: limit)
    return (outcome, directory)
  }

  @Test("The compositor's screenshot has the video fitted to the screen with the overlay above it (S4)")
  func picture() async throws {
    let (outcome, directory) = try await inWeston(
      """
      "$VITRINE" play --osd always --control "$OUT/control" "$MEDIA/h264-60s-640x360-30.mp4" 2> "$OUT/log" &
      reached 0.1
      # Half of the bar is played then.
      "$VITRINE" ctl seek 30 --socket "$OUT/control"
      reached 31; shot a.png
      "$VITRINE" ctl quit --socket "$OUT/control"
      wait $!
      "$VITRINE" play --osd always --report "$OUT/r.json" "$MEDIA/h264-aac-640x360-30.mp4"
      """, size: "800x600")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try String(contentsOfFile: directory.path("log"), encoding: .utf8).contains("a Wayland compositor answers"))
    let pixels = try await Pixels(path: directory.path("a.png"))
    #expect(pixels.width == 800 && pixels.height == 600)
    #expect(pixels.isNear(400, 30, (0, 0, 0), within: 2))
    let number = try #require(pixels.frameNumber(x: 0, y: 75, width: 800))
    #expect((900..<1800).contains(number))
    let row = 600 - Int(3.4 * 600 / 54)
    #expect((0..<800).contains { pixels.isNear($0, row, (0xFF, 0xC2, 0x4B), within: 24) })
    let report = try #require(try Report.read(directory.path("r.json")))
    #expect(report.output == "wayland")
    #expect(report.framesRendered + report.framesDropped == 120)
  }

  @Test("Subtitles appear above the video, and go when their time is over")
  func subtitles() async throws {
    let (outcome, directory) = try await inWeston(
      """
      ln -s "$MEDIA/h264-60s-640x360-30.mp4" "$OUT/film.mp4"
      printf '1\\n00:00:00,000 --> 00:00:30,000\\n%s\\n' '{\\an8}Hallo' > "$OUT/film.de.srt"
      "$VITRINE" play --osd never --subtitles de --control "$OUT/control" "$OUT/film.mp4" 2> "$OUT/log" &
      reached 1; shot a.png
      "$VITRINE" ctl seek 31 --socket "$OUT/control"
      reached 32; shot b.png
      "$VITRINE" ctl quit --socket "$OUT/control"
      wait $!
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    func whites(_ name: String) async throws -> Int {
      let pixels = try await Pixels(path: directory.path(name))
      var count = 0
      // At the top, where the clip is grey.
      for y in 35..<62 { for x in 500..<780 where pixels.isNear(x, y, (255, 255, 255), within: 4) { count += 1 } }
      return count
    }
    #expect(try await whites("a.png") > 300)
    #expect(try await whites("b.png") < 50)
  }

  @Test("The second and the third item move too")
  func laterItems() async throws {
    let (outcome, directory) = try await inWeston(
      """
      # The second item lasts from 2 to 5 s; the third goes on for long, so that a busy machine may be late.
      "$VITRINE" play --osd never --for 12 --report "$OUT/r.json" "$MEDIA/h264-640x360-30-2s.mp4" \
        "$MEDIA/vp8-vorbis-320x240-25.webm" "$MEDIA/h264-60s-640x360-30.mp4" 2> "$OUT/log" &
      sleep 3; shot a.png; sleep 0.4; shot b.png
      sleep 4; shot c.png; sleep 0.4; shot d.png
      wait $!
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    // 320x240 on 1280x720 is 960x720, 160 from the left.
    for (names, x, width) in [(("a.png", "b.png"), 160, 960), (("c.png", "d.png"), 0, 1280)] {
      let first = try await Pixels(path: directory.path(names.0)).frameNumber(x: x, y: 0, width: width)
      let second = try await Pixels(path: directory.path(names.1)).frameNumber(x: x, y: 0, width: width)
      #expect(first != nil && second != nil && first != second, "\(names): \(first ?? -1), \(second ?? -1)")
    }
    #expect(try Report.read(directory.path("r.json"))?.transitionsTotal == 2)
  }

  @Test("When the compositor goes, play ends with 69 and run waits for the next one")
  func compositorGoes() async throws {
    let (_, directory) = try await inWeston(
      """
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-640x360-30-2s.mp4" > "$OUT/v.toml"
      ( "$VITRINE" play --loop --report "$OUT/play.json" "$MEDIA/h264-640x360-30-2s.mp4" 2> "$OUT/play.log"
        echo $? > "$OUT/play.status" ) &
      ( timeout -s TERM 8 "$VITRINE" run --config "$OUT/v.toml" --output wayland --report "$OUT/run.json" 2> "$OUT/run.log"
        echo $? > "$OUT/run.status" ) &
      sleep 2.5
      kill -KILL "$WESTON_PID"
      wait
      """, limit: 60)
    #expect(try String(contentsOfFile: directory.path("play.status"), encoding: .utf8) == "69\n")
    #expect(try Report.read(directory.path("play.json"))?.exitCode == 69)
    let log = try String(contentsOfFile: directory.path("run.log"), encoding: .utf8)
    #expect(log.contains("waiting for a screen"), "\(log)")
    // 124 is the time limit's own status; the player has written its report on SIGTERM.
    #expect(try String(contentsOfFile: directory.path("run.status"), encoding: .utf8) == "124\n")
    #expect((try Report.read(directory.path("run.json"))?.framesRendered ?? 0) > 0)
  }
}

import Foundation
import KioskTestSupport
import Testing

/// Parts of the player that stop (Tests/Tools/stand-still), under the player's own keeper. Virtual time: the test
/// measures how long the player and its keeper wait.
@Suite(
  "Threads and sinks that stop, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct WatchdogBoardTests {
  /// - Parameter begin: commands that make the part stop; `$player` is the player's process id.
  private func run(_ begin: String) async throws -> Board.Run {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/stand-still").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await Board.run(
      """
      mkdir -p /run/state /run/vitrine
      cp "$MEDIA/h264-640x360-30-2s.mp4" /run/1.mp4; cp /run/1.mp4 /run/2.mp4
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "/run/%s.mp4"\\n' 1 > /run/kiosk.toml
      printf '[[playlist.main.item]]\\nuri = "/run/2.mp4"\\n' >> /run/kiosk.toml
      now() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; }
      STATE_DIRECTORY=/run/state RUNTIME_DIRECTORY=/run/vitrine STAND_STILL=/run/fault \\
        LD_PRELOAD=\(directory.path("stand-still.so")) "$VITRINE" supervise -- \\
        run -v --config /run/kiosk.toml --output kms --no-audio --osd never --size 640x360 2> /run/out/log & keeper=$!
      sleep 3; player=$(pgrep -P $keeper); begin=$(now)
      \(begin)
      for try in $(seq 400); do
        [ -s /run/out/noticed ] || ! grep -q 'video output: ' /run/out/log || echo "$(( $(now) - begin ))" > /run/out/noticed
        next=$(pgrep -P $keeper); [ -n "$next" ] && [ "$next" != "$player" ] && break
        sleep 0.1
      done
      echo "$(( $(now) - begin ))" > /run/out/found
      for try in $(seq 50); do kms-planes | grep -q '"type":"overlay".*"fb":[1-9]' && break; sleep 0.1; done
      sleep 1; kms-planes > /run/out/planes; pgrep -P $keeper | grep -c . > /run/out/players
      kill $keeper; wait $keeper; echo "$?" > /run/out/ended
      """, limit: 120)
    withExtendedLifetime(directory) {}
    return run
  }

  private func expectPicture(_ run: Board.Run) throws {
    #expect(try Board.planes(try run.text("planes")).contains { $0.type == "overlay" && $0.isLit })
    #expect(try run.text("players") == "1\n" && run.text("ended") == "0\n")
    #expect(try run.text("log").components(separatedBy: "first frame shown").count >= 3)
  }

  @Test(
    "A loop or a decoder that stops is found within ten seconds, and another process shows a picture",
    arguments: Board.cases(usual: 1, ["decoder-block", "loop"]))
  func part(_ part: String) async throws {
    let run = try await run("echo \(part) > /run/fault")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: \(part)"))
    // Two of these seconds are for writing the core dump.
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 12_300 } ?? false, "\(log)")
    #expect(log.contains("(error 7502)"), "\(log)")
    try expectPicture(run)
  }

  @Test(
    "A sink that blocks or drops is found within ten seconds; if no sink helps, a new process shows a picture",
    arguments: Board.cases(usual: 1, ["sink-block", "sink-drop"]))
  func sink(_ part: String) async throws {
    let run = try await run("echo \(part) > /run/fault")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: \(part)"))
    func milliseconds(_ file: String) throws -> Int {
      Int(try run.text(file).trimmingCharacters(in: .newlines)) ?? .max
    }
    #expect(try milliseconds("noticed") <= 10_000, "\(log)")
    // The player replaces the sink and reopens the card before that.
    #expect(try milliseconds("found") <= 30_000, "\(log)")
    try expectPicture(run)
  }

  @Test("A mode change that never returns is reported within five seconds, and no item is blamed")
  func modeset() async throws {
    let run = try await run("echo modeset-block > /run/fault; kill -USR1 $player")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: modeset-block"))
    #expect(
      log.contains("a call of its driver hasn't returned for 4.5 s: the screen is switched off; ")
        && log.contains("(error 5051)"),
      "\(log)")
    // Two of these seconds are for writing the core dump.
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 7500 } ?? false, "\(log)")
    #expect(
      log.contains("hung in a screen's driver (the screen is switched off) and was ended by the watchdog"), "\(log)")
    #expect(!log.contains("most likely of"), "\(log)")
    try expectPicture(run)
  }

  @Test(
    "A dead player's picture goes after 5 s when its plane takes no new frame, and the card is reopened"
  )
  func leftStays() async throws {
    let run = try await run(
      "kms-planes > /run/out/before; echo plane-drop > /run/fault; kill -KILL $player; sleep 12; kms-planes > /run/out/later"
    )
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: plane-drop") && log.contains("the last picture stays"), "\(log)")
    #expect(log.components(separatedBy: "(error 5050)").count >= 2, "\(log)")
    func lit(_ name: String) throws -> [String] { try Board.planes(try run.text(name)).filter(\.isLit).map(\.type) }
    #expect(try lit("before") == ["primary", "overlay"])
    #expect(try lit("later") == ["primary"], "\(log)")
    #expect(log.components(separatedBy: "output: kms ").count >= 4, "reopened: \(log)")
  }

  @Test("A stopped process is found within ten seconds")
  func stopped() async throws {
    let run = try await run("kill -STOP $player")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 12_300 } ?? false, "\(log)")
    #expect(log.contains("has said nothing for 6 s"))
    try expectPicture(run)
  }
}

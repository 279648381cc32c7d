import Foundation
import KioskTestSupport
import Testing

/// Parts of the player that stand still (Tests/Tools/stand-still), under its own keeper. Virtual time: what is measured is what the player and
/// its keeper wait for.
@Suite(
  "What stands still, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct WatchdogBoardTests {
  /// - Parameter begin: has it stand still; `$player` is the player's number.
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
    "A loop or a decoder that stands still is found within ten seconds, and another process shows a picture",
    arguments: ["loop", "decoder-block"])
  func part(_ part: String) async throws {
    let run = try await run("echo \(part) > /run/fault")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: \(part)"))
    // Two of them are for the core that is written of where it stood.
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 12_300 } ?? false, "\(log)")
    #expect(log.contains("(error 7502)"), "\(log)")
    try expectPicture(run)
  }

  @Test(
    "A sink that blocks or drops is found within ten seconds; where no sink of the process shows anything, another process does",
    arguments: ["sink-block", "sink-drop"])
  func sink(_ part: String) async throws {
    let run = try await run("echo \(part) > /run/fault")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: \(part)"))
    func milliseconds(_ file: String) throws -> Int {
      Int(try run.text(file).trimmingCharacters(in: .newlines)) ?? .max
    }
    #expect(try milliseconds("noticed") <= 10_000, "\(log)")
    // A new sink and the card opened anew come first.
    #expect(try milliseconds("found") <= 30_000, "\(log)")
    try expectPicture(run)
  }

  @Test("A change of modes that doesn't come back is told within five seconds, and no item is blamed for it")
  func modeset() async throws {
    let run = try await run("echo modeset-block > /run/fault; kill -USR1 $player")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(log.contains("stand-still: modeset-block"))
    #expect(
      log.contains("its driver doesn't come back: the screen is switched off, for 4.5 s; ")
        && log.contains("(error 5051)"),
      "\(log)")
    // Two of them are for the core that is written of where it stood.
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 7500 } ?? false, "\(log)")
    #expect(
      log.contains("hung in a screen's driver (the screen is switched off) and was ended by the watchdog"), "\(log)")
    #expect(!log.contains("most likely of"), "\(log)")
    try expectPicture(run)
  }

  @Test(
    "A dead player's picture whose plane takes no frame of the next one goes after five seconds, and the card is opened anew"
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
    #expect(log.components(separatedBy: "output: kms ").count >= 4, "opened anew: \(log)")
  }

  @Test("A process that is stopped is found within ten seconds")
  func stopped() async throws {
    let run = try await run("kill -STOP $player")
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(Int(try run.text("found").trimmingCharacters(in: .newlines)).map { $0 <= 12_300 } ?? false, "\(log)")
    #expect(log.contains("has said nothing for 6 s"))
    try expectPicture(run)
  }
}

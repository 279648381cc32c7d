import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

/// Stuck sinks (Tests/Tools/hang/stuck.c), with cards that report their picture by writeback. Virtual time.
@Suite(
  "Outputs that fail without an error, on the virtual board (0139)",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct OutputBoardTests {
  /// Alternates clips of 2 s and 60 s on a screen whose first `sinks` sinks get stuck after 60 frames.
  private func play(_ how: String, sinks: Int, for seconds: Int, look: Int, restarts: String = "") async throws
    -> (report: PlaybackReport, run: Board.Run)
  {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/hang").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await Board.run(
      """
      card=$(make-device --overlays 2 --writeback)
      mkdir -p /run/state
      printf '\(restarts)' | sed "s/NOW/$(date +%s)/" > /run/state/restarts
      printf 'version = 1\\n[display]\\nmode = "640x480"\\n[audio]\\nenabled = false\\n' > /run/config.toml
      for clip in h264-640x360-30-2s h264-60s-640x360-30; do
        printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/$clip.mp4" >> /run/config.toml
      done
      export STATE_DIRECTORY=/run/state
      play() { "$VITRINE" run -v --config /run/config.toml --osd never --output kms "$@"; }
      STUCK_HOW=\(how) STUCK_SINKS=\(sinks) STUCK_AFTER=60 LD_PRELOAD=\(directory.path("stuck.so")) \\
        play --for \(seconds) --report /run/out/report.json 2> /run/out/log & player=$!
      sleep \(look); kms-screenshot -d "$card" /run/out/one.ppm
      sleep 0.5; kms-screenshot -d "$card" /run/out/two.ppm
      wait $player; echo $? > /run/out/status; cp /run/state/restarts /run/out/
      if [ "$(cat /run/out/status)" = 75 ]; then
        play --for 3 2> /run/out/again & player=$!
        sleep 2; kms-screenshot -d "$card" /run/out/one.ppm; sleep 0.5; kms-screenshot -d "$card" /run/out/two.ppm
        wait $player
      fi
      """, devices: "none", limit: 100)
    withExtendedLifetime(directory) {}
    return (try #require(try Report.read(run.directory.path("report.json")), "\(run.outcome)"), run)
  }

  /// Expects two different pictures half a second apart, so that the screen shows a moving film.
  private func expectMovingPicture(_ run: Board.Run) async throws {
    let pictures = [
      try await Pixels(path: run.directory.path("one.ppm")), try await Pixels(path: run.directory.path("two.ppm")),
    ]
    #expect(pictures[0].difference(from: pictures[1]).worst > 50, "it stands still")
  }

  @Test(
    "A stuck SetPlane and lost frames are found within 5 s, and another sink brings the picture back",
    arguments: ["blocks", "vanish"])
  func blocks(how: String) async throws {
    let (report, run) = try await play(how, sinks: 1, for: 20, look: 15)
    try await expectMovingPicture(run)
    let log = try run.text("log")
    #expect(report.outputFaults == 1 && report.errors.map(\.number) == [5433], "\(log)")
    // The longest stall shows how fast the fault was found: it lasts from the missing frame to the next one.
    #expect(report.stalls.map(\.seconds).max().map { $0 > 3 && $0 < 5 } == true, "\(report.stalls)")
    #expect(report.items.allSatisfy { $0.status == "played" && $0.errors.isEmpty }, "no item is blamed")
    #expect(log.contains("the output shows frames again; done last: rebuild"))
  }

  @Test("A sink that drops each frame is replaced after a second item fails on it, and neither item is blamed")
  func drops() async throws {
    let (report, run) = try await play("drops", sinks: 1, for: 30, look: 20)
    try await expectMovingPicture(run)
    #expect((1...2).contains(report.outputFaults) && report.errors.allSatisfy { $0.number == 5434 })
    #expect(report.items.allSatisfy { $0.status == "played" && $0.errors.isEmpty }, "\(report.items)")
    #expect(report.stalls.map(\.seconds).max().map { $0 < 10 } == true, "\(report.stalls)")
  }

  @Test("Stuck sinks: the player replaces the sink, reopens the card, then a new process has a picture")
  func ladder() async throws {
    let (report, run) = try await play("blocks", sinks: 99, for: 60, look: 1)
    let log = try run.text("log")
    #expect(try run.text("status") == "75\n", "\(log)")
    let rungs = ["its sink is rebuilt", "the screen is closed and reopened", "another process is to take over"]
    var rest = log[...]
    for rung in rungs {
      let place = try #require(rest.range(of: rung), "\(rung): \(log)")
      rest = rest[place.upperBound...]
    }
    #expect(log.components(separatedBy: "vitrine: output: kms ").count == 3, "the card was opened twice")
    #expect(RestartEscalation.History(text: try run.text("restarts")).restarts.count == 1)
    #expect(report.framesRendered == 59 || report.framesRendered == 60)
    try await expectMovingPicture(run)
  }

  @Test("With no restart left, the player reopens the card once a minute, and plays on when that helps")
  func patience() async throws {
    let history = String(repeating: "restart NOW\\n", count: 5) + "reboot NOW\\n"
    let (report, run) = try await play("blocks", sinks: 5, for: 180, look: 170, restarts: history)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(log.contains("done last: reopen"))
    #expect(report.outputFaults >= 6)
    try await expectMovingPicture(run)
  }
}

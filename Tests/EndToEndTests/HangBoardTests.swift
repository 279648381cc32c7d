import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

/// A source that blocks for ever in a state change, as the http source can. Virtual time measures the player's own
/// waits, not the machine's load.
@Suite(
  "State changes that hang, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct HangBoardTests {
  /// A folder with `hang.so` in it, which makes the file source hang.
  private func library() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/hang").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  /// Plays clips of 2 s by their names; `hangs-down` never gets from PAUSED to READY, and `hangs-up` never from READY
  /// to PAUSED.
  private func play(_ names: [String], options: String = "", then: String = "wait $player") async throws -> (
    report: PlaybackReport, run: Board.Run
  ) {
    let directory = try await library()
    let clips = names.map { "\(directory.url.path)/\($0).mp4" }
    let run = try await Board.run(
      """
      for clip in \(Set(clips).sorted().joined(separator: " ")); do cp "$MEDIA/h264-640x360-30-2s.mp4" $clip; done
      LD_PRELOAD=\(directory.path("hang.so")) "$VITRINE" play -v --no-audio --osd never --output headless \\
        --size 640x360 --report /run/out/report.json \(options) \(clips.joined(separator: " ")) \\
        2> /run/out/log & player=$!
      \(then)
      """, devices: "none", limit: 60)
    withExtendedLifetime(directory) {}
    return (try #require(try Report.read(run.directory.path("report.json")), "\(run.outcome)"), run)
  }

  @Test("A pipeline that never shuts down delays neither the next item nor the one after it (P8)")
  func down() async throws {
    let (report, run) = try await play(["hangs-down", "good", "good", "good"])
    #expect(try run.text("log").contains("hang: "))
    #expect(report.decksAbandoned == 1)
    #expect(report.framesRendered == 240 && report.framesDropped == 0)
    #expect(report.items.map(\.status) == Array(repeating: "played", count: 4))
    // Only the second item after it is a little late: a third pipeline starts when the first is given up.
    #expect(report.gapsMilliseconds.allSatisfy { $0 < 250 }, "\(report.gapsMilliseconds)")
    #expect(report.exitCode == 0)
  }

  @Test("An item whose pipeline never starts is passed over, and the next one shows within 5 s")
  func up() async throws {
    let (report, _) = try await play(["good", "hangs-up", "good"])
    #expect(report.items.map(\.status) == ["played", "failed", "played"])
    #expect(report.items[1].errors.map(\.number) == [4101])
    #expect(
      report.gapsMilliseconds.count == 1 && report.gapsMilliseconds.allSatisfy { $0 < 5000 },
      "\(report.gapsMilliseconds)")
    #expect(report.framesRendered == 120)
  }

  @Test("With a hanging pipeline the screen still switches off and on, and the player ends within a second")
  func loopAnswers() async throws {
    let (report, run) = try await play(
      ["hangs-down", "good", "good"], options: "--loop",
      then: """
        # A tenth of a second after the hanging item has made room for the next.
        while ! grep -q '^hang: ' /run/out/log; do sleep 0.01; done; sleep 0.1
        kill -USR1 $player; sleep 0.2; kill -USR2 $player; sleep 0.5
        date +%s.%N > /run/out/asked; kill -TERM $player; wait $player; date +%s.%N > /run/out/ended
        """)
    #expect(report.exitCode == 0)
    let times = try ["asked", "ended"].map { try #require(Double(run.text($0).dropLast())) }
    #expect(times[1] - times[0] < 1, "\(times[1] - times[0])")
    // The allowance is 0.2 s of darkness, and the time that a held deck needs to go on.
    let log = try run.text("log")
    #expect(log.contains("screen"), "\(log)")
    #expect(report.framesRendered >= 60 + 15)
  }

  /// Runs a list of clips by names, after the restarts in `history`.
  private func runList(_ clips: [String], history: String) async throws -> (
    status: String, kept: RestartEscalation.History, quarantine: Quarantine, log: String
  ) {
    let directory = try await library()
    let run = try await Board.run(
      """
      mkdir -p /run/state /run/media; cd /run/media
      for clip in \(clips.joined(separator: " ")); do cp "$MEDIA/h264-640x360-30-2s.mp4" $clip.mp4; done
      printf 'version = 1\n[audio]\nenabled = false\n' > config.toml
      for clip in \(clips.joined(separator: " ")); do printf '[[playlist.main.item]]\nuri = "%s.mp4"\n' $clip >> config.toml; done
      printf '\(history.replacing("\n", with: "\\n"))' | sed "s/NOW/$(date +%s)/" > /run/state/restarts
      LD_PRELOAD=\(directory.path("hang.so")) STATE_DIRECTORY=/run/state "$VITRINE" run --config config.toml --for 20 \\
        --osd never --output headless --size 320x180 --report /run/out/report.json 2> /run/out/log
      echo $? > /run/out/status; touch /run/state/quarantine; cp /run/state/restarts /run/state/quarantine /run/out/
      """, devices: "none", limit: 60)
    withExtendedLifetime(directory) {}
    return (
      try run.text("status"), RestartEscalation.History(text: try run.text("restarts")),
      Quarantine(text: try run.text("quarantine")), try run.text("log")
    )
  }

  @Test(
    "When all pipelines hang `run` ends with 75, a sixth time within the hour with 76, and after that not again",
    arguments: [
      ("", 75), (String(repeating: "restart NOW\n", count: 5), 76),
      (String(repeating: "restart NOW\n", count: 5) + "reboot NOW\n", 65),
    ] as [(String, Int32)])
  func ladder(history: String, status: Int32) async throws {
    let ended = try await runList(["hangs-up"], history: history)
    #expect(ended.status == "\(status)\n", "\(ended.log)")
    #expect(ended.kept.restarts.count == (status == 75 ? 1 : 5))
    #expect(ended.kept.reboots.count == (history.isEmpty ? 0 : 1))
    // The item is released from quarantine before the reboot, because the driver may be at fault.
    #expect(ended.quarantine.held.count == (status == 76 ? 0 : 1), "\(ended.log)")
  }

  @Test(
    "An item that hangs twice while another plays is left out and the process replaced, without a reboot",
    arguments: Board.cases(
      usual: 1,
      [
        ("", 75), (String(repeating: "restart NOW\n", count: 5), 75), (String(repeating: "item NOW\n", count: 5), 0),
      ] as [(String, Int32)]), ["hangs-up", "hangs-down"])
  func leftOut(before: (history: String, status: Int32), clip: String) async throws {
    let ended = try await runList(["good", clip], history: before.history)
    #expect(ended.status == "\(before.status)\n", "\(ended.log)")
    #expect(ended.kept.reboots.isEmpty && ended.kept.itemRestarts.count == (before.status == 75 ? 1 : 5))
    #expect(ended.quarantine.held.map(\.deaths) == [2] && ended.log.contains("its pipeline hung"), "\(ended.log)")
    #expect(ended.quarantine.held.first?.subject.uri.hasSuffix("\(clip).mp4") == true)
  }
}

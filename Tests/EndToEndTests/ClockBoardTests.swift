import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Clocks that fail or are set, in virtual time, where each frame is on time to the microsecond unless something delays
/// it.
@Suite(
  "Clocks, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ClockBoardTests {
  /// Loops a clip of 4 s for 20 s while `meanwhile` runs.
  private func play(_ options: String, meanwhile: String) async throws -> (report: PlaybackReport, log: String) {
    let run = try await Board.run(
      """
      \(Board.soundServer)
      "$VITRINE" play --loop --for 20 -v \(options) --output headless --size 320x180 --osd never \\
        --report /run/out/report.json "$MEDIA/h264-aac-640x360-30.mp4" 2> /run/out/log & player=$!
      \(meanwhile)
      wait $player; kill $server
      """, devices: "none", limit: 150)
    return (
      try #require(try Report.read(run.directory.path("report.json")), "\(run.outcome)"), try run.text("log")
    )
  }

  /// Expects every frame at its time.
  private func expectUnbroken(_ report: PlaybackReport) {
    #expect(report.exitCode == 0)
    // 20 s at 30 frames a second.
    #expect((600...602).contains(report.framesRendered), "\(report.framesRendered)")
    #expect(report.framesDropped == 0)
    #expect(report.stalls.isEmpty, "\(report.stalls)")
    #expect(report.gapsMilliseconds.count == 4 || report.gapsMilliseconds.count == 5)
    #expect(report.gapsMilliseconds.allSatisfy { abs($0) < 1 }, "\(report.gapsMilliseconds)")
  }

  @Test("No frame is a millisecond late while the sound sink goes and its server is killed and restarted (P9)")
  func soundDevice() async throws {
    let (report, log) = try await play(
      "--audio-device pulse",
      meanwhile: """
        sleep 5; pactl unload-module module-null-sink
        sleep 2; pactl load-module module-null-sink sink_name=speaker > /dev/null
        sleep 3; kill -KILL $server; sleep 2; serve
        """)
    expectUnbroken(report)
    #expect(report.errors.allSatisfy { (5301...5303).contains($0.number) } && !report.errors.isEmpty)
    // The sound was there at first and came back after each loss.
    #expect(log.components(separatedBy: "sound: pulse").count - 1 == 3, "\(log)")
  }

  @Test("An https item fails with 2611 while the clock isn't set, and plays as soon as it is")
  func clockNotSet() async throws {
    let directory = try TemporaryDirectory()
    try await Certificates.make(in: directory, days: 5)
    let now = Int(Date().timeIntervalSince1970)
    let run = try await Board.run(
      """
      ip link set lo up 2> /dev/null || true
      date -s 2020-01-01 > /run/out/date
      mkfifo /run/end /run/port; exec 8<> /run/end 9<> /run/port
      "$PROJECT/Tests/Tools/picky-server" --cert '\(directory.path("cert.pem"))' --key '\(directory.path("key.pem"))' \
        "$MEDIA" < /run/end > /run/port & server=$!
      read -r port <&9
      printf '%s\\n' 'version = 1' '[network]' 'ca_file = "\(directory.path("ca.pem"))"' '[store]' 'directory = "/run/store"' \
        '[[playlist.main.item]]' "uri = \\"https://127.0.0.1:$port/h264-aac-640x360-30.mp4\\"" > /run/vitrine.toml
      "$VITRINE" run --config /run/vitrine.toml --no-audio -v --output headless --size 320x180 --osd never \
        --report /run/out/report.json 2> /run/out/log & player=$!
      for _ in $(seq 600); do grep -q "error 2611.*in [23][0-9] s" /run/out/log && break; sleep 1; done
      sleep 2
      grep -c "error 2611" /run/out/log > /run/out/before
      date -s "@\(now)" > /run/out/set; start=$(cut -d ' ' -f 1 /proc/uptime)
      for _ in $(seq 400); do grep -q "^vitrine: item 1: https" /run/out/log && break; sleep 0.1; done
      echo "$start $(cut -d ' ' -f 1 /proc/uptime)" > /run/out/times
      sleep 5; kill $player; wait $player; kill $server
      """, devices: "none", limit: 150)
    let log = try run.text("log")
    let report = try #require(try Report.read(run.directory.path("report.json")), "\(run.outcome) \(log)")
    #expect(report.framesRendered > 100, "\(log)")
    // The deck's message names its next try; the store's message for the copy has no such part.
    let words = log.split(separator: "\n").filter { $0.contains("error 2611") }
    #expect(words.contains { $0.contains("; reopened ") } && words.contains { !$0.contains("; reopened ") }, "\(log)")
    #expect(!log.contains("error 2601"), "another word for the same: \(log)")
    let times = try run.text("times").split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    // The deck's next try was at least 20 s away, and the store's some minutes.
    #expect(times.count == 2 && times[1] - times[0] < 5, "\(times) \(log)")
  }

  @Test(
    "Setting the time of day by an hour, forwards and back, delays no frame",
    arguments: Board.cases(usual: 1, ["", "--no-audio"]))
  func timeOfDay(sound: String) async throws {
    let (report, log) = try await play(
      sound,
      meanwhile: """
        sleep 5; date -s "+1 hour" > /run/out/forwards; sleep 5; date -s "-2 hours" > /run/out/back
        """)
    expectUnbroken(report)
    #expect(report.errors.isEmpty)
    #expect(!log.contains("given up"))
    #expect((19.9...21).contains(report.seconds), "\(report.seconds)")
  }
}

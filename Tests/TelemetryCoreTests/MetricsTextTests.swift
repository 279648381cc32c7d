import Foundation
import InteractionCore
import KioskCore
import PlaybackCore
import TelemetryCore
import Testing

@Suite("Metrics")
struct MetricsTextTests {
  private let start = Instant(nanoseconds: 0)

  private func screen(_ name: String? = nil) -> KioskStatus.Screen {
    var machine = PlaybackMachine(
      queue: [MediaItem(uri: "file:///a.mp4", title: "A", kind: .file)], loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: start) }
    return KioskStatus.Screen(
      name: name, presence: .on, playback: KioskStatus.Playback(machine, at: start),
      counters: PlaybackCounters([.framesRendered: 10, .framesDropped: 1, .stalls: 2]))
  }

  private func status() -> KioskStatus {
    var status = KioskStatus(version: "1.2", name: "board-7", uptimeSeconds: 100)
    status.screens = [screen("left"), screen("ri\"g\\ht\n")]
    status.configuration = .init(state: .confirmed, reason: nil, files: [])
    status.configuration?.hash = "abc"
    status.configuration?.sinceUptimeSeconds = 40
    status.store = .init(wanted: 3, stored: 2, bytes: 4_200_000, fetching: nil, problem: nil)
    status.survival = .init(mode: .safe, modeSeconds: 3, lastCrash: nil, quarantine: [])
    status.board.temperatureCelsius = 61.5
    status.board.isThrottled = true
    status.board.wearPercent = 20
    return status
  }

  private func lines(_ status: KioskStatus) -> [String] {
    MetricsText(status).text.split(separator: "\n").map(String.init)
  }

  @Test("Each figure of the status has a metric with its labels")
  func figures() {
    let lines = Set(lines(status()))
    for line in [
      "vitrine_info{version=\"1.2\",board=\"board-7\"} 1", "vitrine_health{state=\"attention\"} 1",
      "vitrine_health{state=\"healthy\"} 0", "vitrine_frames_rendered_total{screen=\"left\"} 10",
      "vitrine_frames_dropped_total{screen=\"ri\\\"g\\\\ht\\\\u{a}\"} 1", "vitrine_stalls_total{screen=\"left\"} 2",
      "vitrine_configuration_info{hash=\"abc\"} 1", "vitrine_configuration_age_seconds 60",
      "vitrine_configuration_state{state=\"confirmed\"} 1", "vitrine_store_files 2", "vitrine_safe_mode 1",
      "vitrine_board_temperature_celsius 61.5", "vitrine_board_throttled 1", "vitrine_disk_wear_ratio 0.2",
      "vitrine_frame_overdue_seconds{screen=\"left\"} 0", "vitrine_process_starts_total{reason=\"crash\"} 0",
    ] { #expect(lines.contains(line), "\(line)") }
    var night = status()
    night.screens[0].presence = .asleep
    night.screens[0].playback.waitingReason = .noOutput
    #expect(self.lines(night).contains("vitrine_playback_waiting{screen=\"left\"} 0"))
    night.screens[0].presence = .on
    #expect(self.lines(night).contains("vitrine_playback_waiting{screen=\"left\"} 1"))
    // A figure that the board doesn't report is left out, and isn't 0.
    #expect(!lines.contains { $0.hasPrefix("vitrine_board_under_voltage") })
  }

  @Test("Every metric has help and type once, before its samples, and only counters end with _total")
  func form() {
    var known: [String: String] = [:]
    var last = ""
    for line in lines(status()) {
      if line.hasPrefix("# TYPE ") {
        let words = line.split(separator: " ").map(String.init)
        #expect(known[words[2]] == nil && (words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
        known[words[2]] = words[3]
        last = words[2]
      } else if !line.hasPrefix("#") {
        let name = String(line.prefix { $0 != "{" && $0 != " " })
        #expect(name == last && name.hasPrefix("vitrine_"), "\(line)")
      }
    }
    #expect(known.count > 30)
  }

  @Test("promtool accepts the metrics")
  func promtool() throws {
    let tool = "/usr/bin/promtool"
    try #require(FileManager.default.isExecutableFile(atPath: tool), "install what deploy/packages.txt lists")
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = ["check", "metrics"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(MetricsText(status()).text.utf8))
    try input.fileHandleForWriting.close()
    let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && said.isEmpty, "\(said)")
  }

  @Test("Recent problems are listed newest first, counted when they repeat, and bounded")
  func problems() {
    var recent = RecentProblems()
    func error(_ number: Int) -> VitrineError {
      VitrineError(number, subject: "http://me:secret@host/x", message: "no", remedy: "yes")
    }
    for number in 1...20 {
      recent.recordProblem(error(number), at: Instant(nanoseconds: Int64(number) * 1_000_000_000))
    }
    recent.recordProblem(error(20), at: Instant(nanoseconds: 21_000_000_000))
    let all = recent.all(at: Instant(nanoseconds: 23_000_000_000))
    #expect(all.count == RecentProblems.limit && recent.total == 21)
    #expect(all.first?.count == 2 && all.first?.number == 20 && all.first?.ageSeconds == 2)
    #expect(!all.contains { $0.text.contains("secret") })
  }
}

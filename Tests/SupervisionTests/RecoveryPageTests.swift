import Foundation
import KioskCore
import PlaybackCore
import Supervision
import Testing

@Suite("The page on recovery has the times of the policies")
struct RecoveryPageTests {
  /// The times after which something is done about a screen that stands still, by their names on the page.
  private static let policies: [String: Duration?] = {
    let playback = PlaybackPolicy()
    let health = HealthPolicy()
    let output = OutputHealth.Policy()
    let keeper = KeeperPolicy()
    let crashes = CrashLoop.Policy()
    let ladder = RestartEscalation.Policy()
    let sound = SoundRetryPolicy()
    return [
      "DecoderFallback.firstPicture": DecoderFallback.firstPicture,
      "PlaybackPolicy.localPrerollDeadline": playback.localPrerollDeadline,
      "PlaybackPolicy.remotePrerollDeadline": playback.remotePrerollDeadline,
      "PlaybackPolicy.failedRoundPause": playback.failedRoundPause,
      "PlaybackPolicy.checkDeadline": playback.checkDeadline,
      "ReconnectPolicy.starved": playback.reconnect.starved, "ReconnectPolicy.stuck": playback.reconnect.stuck,
      "ReconnectPolicy.stuckLocal": playback.reconnect.stuckLocal, "ReconnectPolicy.silent": playback.reconnect.silent,
      "ReconnectPolicy.silentAlone": playback.reconnect.silentAlone,
      "ReconnectPolicy.budget": playback.reconnect.budget, "SourcePolicy.timeout": playback.source.timeout,
      "TurnPolicy.opening": playback.turn.opening, "TurnPolicy.filling": playback.turn.filling,
      "ClockLosses.window": ClockLosses.window, "OutputHealth.limit": output.limit,
      "OutputHealth.patience": output.patience,
      "HealthPolicy.local": health.local, "HealthPolicy.remote": health.remote, "HealthPolicy.output": health.output,
      "HealthPolicy.remedy": health.remedy, "HealthPolicy.soon": health.soon,
      "HealthPolicy.driverCall": health.driverCall, "HealthPolicy.firstOpening": health.firstOpening,
      "SoundRetryPolicy.first": sound.first, "SoundRetryPolicy.longest": sound.longest,
      "KeeperPolicy.watchdog": keeper.watchdog, "KeeperPolicy.abortLimit": keeper.abortLimit,
      "KeeperPolicy.killLimit": keeper.killLimit, "KeeperPolicy.delay": keeper.delay,
      "KeeperPolicy.longestDelay": keeper.longestDelay, "CrashLoop.window": .seconds(crashes.window),
      "RestartEscalation.window": ladder.window, "RestartEscalation.rebootWindow": ladder.rebootWindow,
      "Quarantine.patience": Quarantine.Policy().patience,
    ]
  }()

  private struct Row {
    var symptom: String
    var time: Duration
    /// Whether the time counts from the row above.
    var isMore: Bool
    var policy: String
    var text: String
  }

  private static func page() throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/recovery.md")
    var symptom = ""
    var rows: [Row] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) {
      if line.hasPrefix("## ") { symptom = line }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].hasSuffix(" s") else { continue }
      let seconds = try #require(Double(cells[0].dropLast(2).drop { $0 == "+" }), "\(line)")
      rows.append(
        Row(
          symptom: symptom, time: .seconds(seconds), isMore: cells[0].hasPrefix("+"),
          policy: cells[3].trimmingCharacters(in: ["`"]), text: line))
    }
    return rows
  }

  @Test("Each time on the page equals its policy's, and each policy is on the page once")
  func times() throws {
    let rows = try Self.page()
    for row in rows {
      let policy = try #require(Self.policies[row.policy], "no such policy: \(row.text)")
      #expect(policy == row.time, "\(row.policy) is \(String(describing: policy)): \(row.text)")
    }
    #expect(rows.map(\.policy).sorted() == Self.policies.keys.sorted())
  }

  @Test("The rows of a symptom are in the order of their times, and no two have the same time")
  func order() throws {
    let rows = try Self.page()
    #expect(Set(rows.map(\.symptom)).count > 8)
    for (row, next) in zip(rows, rows.dropFirst()) where row.symptom == next.symptom && !row.isMore && !next.isMore {
      #expect(row.time < next.time, "\(row.text)\n\(next.text)")
    }
  }

  @Test("Playback tries its own remedies before the health machine calls the process hung")
  func gentlestFirst() {
    let playback = PlaybackPolicy()
    let health = HealthPolicy()
    let output = OutputHealth.Policy()
    #expect(playback.localPrerollDeadline < health.local && playback.reconnect.stuck < health.remote)
    #expect(output.limit + output.interval < health.output && playback.checkDeadline < health.soon)
    #expect(health.driverCall + health.driverAgain <= .seconds(5))
    // Every standstill is found within ten seconds.
    #expect(health.local + health.lookInterval * 2 < .seconds(10))
  }
}

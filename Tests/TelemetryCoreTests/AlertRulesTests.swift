import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import TelemetryCore
import Testing

@Suite("Alerts and the dashboard")
struct AlertRulesTests {
  private static let deploy = Tool.root.appending(path: "deploy")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.deploy.appending(path: path), encoding: .utf8)
  }

  @Test("Each alert fires for its fault only, by promtool's test")
  func rules() async throws {
    for arguments in [["check", "rules", "vitrine.rules.yml"], ["test", "rules", "vitrine.test.yml"]] {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/promtool")
      process.arguments = arguments
      process.currentDirectoryURL = Self.deploy.appending(path: "prometheus")
      let output = Pipe()
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(said)")
    }
  }

  @Test("Each alert has a case in which it fires, and one in which it stays quiet")
  func cases() throws {
    let names = try text("prometheus/vitrine.rules.yml").matches(of: /alert: (\w+)/).map { String($0.1) }
    let cases = try text("prometheus/vitrine.test.yml")
    #expect(names.count > 15)
    for name in names {
      #expect(cases.contains("name: \(name) fires\n") && cases.contains("name: \(name) stays quiet\n"), "\(name)")
    }
  }

  @Test("Alerts and dashboard name only metrics that the player has")
  func metrics() throws {
    var status = KioskStatus(version: "1", name: "a", uptimeSeconds: 1)
    let machine = PlaybackMachine(queue: [], loops: true, seed: 1)
    var screen = KioskStatus.Screen(
      name: nil, presence: .on, playback: KioskStatus.Playback(machine, at: Instant(nanoseconds: 0)),
      counters: PlaybackCounters())
    screen.gaps.percentile99Seconds = 0.1
    status.screens = [screen]
    status.configuration = .init(state: .confirmed, reason: nil, files: [])
    status.store = .init(wanted: 1, stored: 1, bytes: 1, fetching: nil, problem: nil)
    status.survival = .init(mode: .normal, modeSeconds: nil, lastCrash: nil, quarantine: [])
    status.board.temperatureCelsius = 1
    status.board.isThrottled = true
    status.board.isUnderVoltage = true
    status.board.residentBytes = 1
    status.board.writtenBytes = 1
    status.board.diskFreeBytes = 1
    status.board.wearPercent = 10
    let known = Set(MetricsText(status).text.matches(of: /# TYPE (\w+)/).map { String($0.1) })
    for path in ["prometheus/vitrine.rules.yml", "grafana/vitrine.json"] {
      let named = Set(try text(path).matches(of: /vitrine_\w+/).map { String($0.0) })
      #expect(named.count > 10 && named.subtracting(known) == [], "\(path): \(named.subtracting(known))")
    }
  }

  @Test("The dashboard is JSON with one panel for each metric")
  func dashboard() throws {
    let value = try JSONSerialization.jsonObject(with: Data(try text("grafana/vitrine.json").utf8))
    let panels = try #require((value as? [String: Any])?["panels"] as? [[String: Any]])
    let ids = panels.compactMap { $0["id"] as? Int }
    #expect(panels.count > 15 && Set(ids).count == panels.count)
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// After a kill at any moment of a change the player comes back with the old configuration or the new one.
@Suite("kill -9 during a change of the configuration", .serialized)
struct KillTests {
  /// VITRINE_KILLS=200 runs the whole test; every ordinary run has a few kills.
  static let kills = ProcessInfo.processInfo.environment["VITRINE_KILLS"].flatMap { Int($0) } ?? 12

  @Test("After each kill the old or the new configuration is in use", .timeLimit(.minutes(20)))
  func kill() async throws {
    let directory = try TemporaryDirectory()
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(long)\"\n", as: "vitrine.toml", in: directory)
    var numbers = SystemRandomNumberGenerator()
    // The allowed configurations: the last confirmed one, and those put in place since then.
    var player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    var allowed = Set([try #require(try await player.state { $0.state == "confirmed" }.active)])
    var seen: [String: Int] = [:]
    var last: String?
    for kill in 0..<Self.kills {
      // Every third change has an item that can't be played, and is refused or rolled back.
      let isBroken = kill % 3 == 2
      let text =
        isBroken
        ? "[[playlist.main.item]]\nuri = \"http://127.0.0.1:9/\(kill).mp4\"\n"
        : "playback.picture_duration = \(kill + 1)\n"
      // Kills at up to 2.4 s, after the confirmation: playing takes about 0.6 s, the trial 1 s.
      let delay = Double.random(in: 0..<2.4, using: &numbers)
      try player.write(text, as: "conf.d/50-change.toml")
      let check = try await Tool.run(Player.path, ["check", "--json", directory.path("etc")])
      let report = try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any]
      allowed.insert(try #require(report?["fingerprint"] as? String))
      try await Task.sleep(for: .seconds(delay))
      _ = try await player.stop(signal: SIGKILL)
      // Four kills within seconds would put the film into quarantine.
      try? FileManager.default.removeItem(atPath: directory.path("state/quarantine"))

      player = try RunningPlayer(["--confirm-after", "1"], in: directory)
      let state = try await player.state { $0.state != "none" }
      let active = try #require(state.active, "\(player.log)")
      #expect(allowed.contains(active), "after kill \(kill), \(delay) s: \(state)")
      seen[state.state, default: 0] += 1
      last = active
      if state.state == "confirmed" { allowed = [active] }
    }
    // The last change is one that plays.
    try RunningPlayer.write("# nothing", as: "conf.d/50-change.toml", in: directory)
    // An earlier configuration is confirmed without a frame, so the state from before the change doesn't count.
    try await player.state { $0.state == "confirmed" && $0.active != last }
    let run = try await player.stop()
    #expect(run.outcome.status == 0 && run.report?.framesRendered ?? 0 > 0)
    #expect(seen.values.reduce(0, +) == Self.kills)
    print("kills: \(seen.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
  }
}

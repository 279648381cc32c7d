import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Safe mode and the card, started from the state that earlier runs left. `CrashLoopTests` and `SafeModeBoardTests`
/// show how a player gets there.
@Suite("Safe mode")
struct SafeModeTests {
  /// CLOCK_BOOTTIME in seconds: the clock of the count of deaths.
  private static var sinceBoot: Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec
  }

  private func begin(_ mode: String, _ secondsAgo: Int, in directory: TemporaryDirectory) throws {
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "run"), withIntermediateDirectories: true)
    try Data("mode \(max(0, Self.sinceBoot - secondsAgo)) \(mode)\n".utf8).write(
      to: directory.url.appending(path: "run/deaths"))
  }

  private func list(_ path: String) -> String { "version = 1\n[[playlist.main.item]]\nuri = \"\(path)\"\n" }

  @Test("Safe mode plays the last good configuration, not an unconfirmed one; status and report name the mode")
  func lastGood() async throws {
    let directory = try TemporaryDirectory()
    let (good, other) = (try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("picture-640x480.jpg"))
    try RunningPlayer.write(list(good), as: "vitrine.toml", in: directory)
    let first = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let active = try await first.state { $0.state == "confirmed" }.active
    _ = try await first.stop()
    try begin("safe", 5, in: directory)
    try RunningPlayer.write(list(other), as: "vitrine.toml", in: directory)
    let safe = try RunningPlayer(["-v"], in: directory)
    let state = try await safe.state { $0.state != "none" }
    #expect(
      state.state == "rolled-back" && state.active == active && state.reason?.contains("safe mode") == true, "\(state)")
    try await safe.showedFrame()
    let told = try String(contentsOfFile: directory.path("run/survival.json"), encoding: .utf8)
    #expect(told.contains("\"mode\": \"safe\""), "\(told)")
    let run = try await safe.stop()
    #expect(run.report?.errors.contains { $0.number == 7512 } == true)
    #expect(run.report?.items.first?.uri.hasSuffix("h264-60s-640x360-30.mp4") == true)
  }

  @Test("Card mode plays nothing, asks for one reboot when its time is up, and then tries again")
  func card() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(
      list(try await Media.path("h264-640x360-30-2s.mp4")), as: "vitrine.toml", in: directory)
    for code in [76, 75] as [Int32] {
      try begin("card", 298, in: directory)
      let player = try RunningPlayer(["-v"], in: directory)
      let run = try await player.end()
      #expect(run.outcome.status == code, "\(player.ownLog)")
      #expect(player.ownLog.contains("(error 7513)") && !player.ownLog.contains("vitrine: item "), "\(player.ownLog)")
      let loop = try String(contentsOfFile: directory.path("run/deaths"), encoding: .utf8)
      #expect(loop.hasSuffix("safe\n"), "\(loop)")
    }
    let ladder = try String(contentsOfFile: directory.path("state/restarts"), encoding: .utf8)
    #expect(ladder.components(separatedBy: "reboot").count == 2, "\(ladder)")
  }
}

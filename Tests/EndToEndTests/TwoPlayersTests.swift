import Foundation
import KioskTestSupport
import Testing

@Suite("Two players on one state folder", .serialized)
struct TwoPlayersTests {
  private func first() async throws -> RunningPlayer {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(film)\"\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    try await player.state { $0.state == "confirmed" }
    return player
  }

  @Test("A second player is refused with error 7517 while the first plays on; play and check aren't refused")
  func refused() async throws {
    let first = try await first()
    let folder = first.directory
    let environment = ["STATE_DIRECTORY": folder.path("state"), "RUNTIME_DIRECTORY": folder.path("run")]
    let told = try String(contentsOfFile: folder.path("run/configuration.json"), encoding: .utf8)
    let second = try await Tool.run(
      Player.path, ["run", "--config", folder.path("etc"), "--output", "headless", "--no-audio", "--for", "1"],
      environment: environment, limit: 60)
    #expect(second.status == 75, "\(second)")
    #expect(second.errors.contains("lock: another player (process ") && second.errors.contains("(error 7517)"))
    #expect(try String(contentsOfFile: folder.path("run/configuration.json"), encoding: .utf8) == told)
    let checked = try await Tool.run(Player.path, ["check", folder.path("etc")], environment: environment)
    #expect(checked.status == 0, "\(checked)")
    let played = try await Tool.run(
      Player.path,
      ["play", "--output", "headless", "--no-audio", "--for", "1", try await Media.path("h264-60s-640x360-30.mp4")],
      environment: environment, limit: 60)
    #expect(played.status == 0, "\(played)")
    #expect(try await first.stop().outcome.status == 0)
  }

  @Test("A second player starts after a killed one, and waits for one that is still running")
  func successor() async throws {
    let first = try await first()
    _ = try await first.stop(signal: SIGKILL)
    let second = try RunningPlayer(["--confirm-after", "1"], in: first.directory)
    try await second.state { $0.state == "confirmed" }
    #expect(!second.log.contains("waiting for its end"))
    // A third player waits, and then the second one ends.
    let third = try RunningPlayer(["--confirm-after", "1"], in: first.directory)
    try await third.logged { $0.contains("uses the state folder: waiting for its end") }
    #expect(try await second.stop().outcome.status == 0)
    try await third.state { $0.state == "confirmed" }
    #expect(!third.log.contains("(error 7517)"))
    _ = try await third.stop()
  }
}

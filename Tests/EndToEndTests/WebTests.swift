import Foundation
import KioskTestSupport
import Testing

/// The page, the figures and the alerts of players that play, by the programs that people use for them.
@Suite("The page and the figures, end to end", .serialized)
struct WebTests {
  private static let token = "correct-horse-battery-staple"

  private func start(_ settings: String = "") async throws -> (player: RunningPlayer, address: String) {
    let directory = try TemporaryDirectory()
    let token = try directory.write(Self.token + "\n", as: "token")
    let (film, picture) = (
      try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("picture-640x480.jpg")
    )
    let address = "127.0.0.1:\(Int.random(in: 20_000..<32_000))"
    try RunningPlayer.write(
      """
      version = 1
      [telemetry]
      http = "\(address)"
      token_file = "\(token)"
      \(settings)
      [[playlist.main.item]]
      uri = "\(film)"
      title = "A guided tour of the hall and of the Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
      [[playlist.main.item]]
      uri = "\(picture)"
      duration = 60
      """, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    return (player, address)
  }

  @Test("A person with a phone and one at a desk look, log in and steer; without the token they only look")
  func page() async throws {
    let (player, address) = try await start()
    let other = try await start("read_token_file = \"\(player.directory.path("read"))\"")
    _ = try player.directory.write("only-looking-only-looking\n", as: "read")
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/look-at-page").path,
      [
        "--address", address, "--token-file", player.directory.path("token"), "--locked", other.address, "--out",
        Tool.root.appending(path: "build/page").path,
      ], limit: 400)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(player.log.contains("web: pause by 127.0.0.1"))
    _ = try await player.stop()
    _ = try await other.player.stop()
  }

  @Test("Each alert fires for its fault, by a real Prometheus, and none for what is sound")
  func alerts() async throws {
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/prometheus-alerts").path, ["--binary", Player.path, "--seconds", "180"],
      limit: 400)
    #expect(outcome.status == 0 && outcome.output.hasSuffix("ok\n"), "\(outcome.output)\(outcome.errors)")
  }
}

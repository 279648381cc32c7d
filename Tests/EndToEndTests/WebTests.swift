import Foundation
import KioskTestSupport
import Testing

/// The page, the metrics and the alerts of running players, checked with a browser and Prometheus.
@Suite("The page and the metrics, end to end", .serialized)
struct WebTests {
  private static let token = "correct-horse-battery-staple"

  private func start(_ settings: String = "") async throws -> (player: RunningPlayer, address: String) {
    let directory = try TemporaryDirectory()
    let token = try directory.write(Self.token + "\n", as: "token")
    let (film, picture) = (
      try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("picture-640x480.jpg")
    )
    let address = "127.0.0.1:\(try FreePort.next())"
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

  @Test("The page works on a phone and at a desk; without the token it shows and doesn't steer")
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

  @Test("A real Prometheus fires each alert for its fault, and none for a healthy player")
  func alerts() async throws {
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/prometheus-alerts").path, ["--binary", Player.path, "--seconds", "180"],
      limit: 400)
    #expect(outcome.status == 0 && outcome.output.hasSuffix("ok\n"), "\(outcome.output)\(outcome.errors)")
  }
}

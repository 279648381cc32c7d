import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Alerts of a whole player: what is on the screen, over kills and restarts.
@Suite("Alerts of a running player", .serialized)
struct AlertTests {
  /// The accent's colour, which an alert has as its ground.
  private static let ground = (0xFF, 0xC2, 0x4B)

  private func start(in directory: TemporaryDirectory? = nil) async throws -> RunningPlayer {
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let directory = try directory ?? TemporaryDirectory()
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(film)\"\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    return player
  }

  private func client(_ player: RunningPlayer) throws -> ControlClient {
    try ControlClient(path: player.directory.path("run/control"), wait: .seconds(60))
  }

  private func ctl(_ player: RunningPlayer, _ arguments: [String]) async throws -> Tool.Outcome {
    try await Tool.run(
      Player.path, ["ctl", arguments[0], "--socket", player.directory.path("run/control")] + arguments.dropFirst(),
      limit: 30)
  }

  private func ids(_ client: ControlClient) throws -> [String] {
    try client.ask("status")["alerts"]?.elements?.compactMap { $0["id"]?.text } ?? []
  }

  private func picture(_ player: RunningPlayer) async throws -> Pixels {
    let path = player.directory.path("now.png")
    #expect(try await ctl(player, ["screenshot", path]).status == 0)
    return try await Pixels(path: path)
  }

  private func kept(_ player: RunningPlayer) -> String {
    (try? String(contentsOfFile: player.directory.path("state/alerts"), encoding: .utf8)) ?? ""
  }

  @Test("An alert is on the screen at once, survives kill -9, and doesn't come back when its end was meanwhile")
  func kill() async throws {
    var player = try await start()
    var asking = try client(player)
    #expect(try await ctl(player, ["alert", "Leave by stair B", "--until", "2h", "--test"]).status == 0)
    // No frame has to come first: the film is covered in the very next picture.
    #expect(try await picture(player).isNear(2, 2, Self.ground, within: 0))
    #expect(try await ctl(player, ["alert", "All out", "--until", "2h", "--id", "fire", "--instead"]).status == 0)
    let whole = try await picture(player)
    #expect([(2, 2), (2, 717), (1277, 717)].allSatisfy { whole.isNear($0.0, $0.1, Self.ground, within: 0) })
    try await eventually("it isn't kept") { kept(player).contains("fire") }
    _ = try await player.stop(signal: SIGKILL)

    player = try await start(in: player.directory)
    asking = try client(player)
    #expect(try ids(asking) == ["fire", "alert"])
    _ = try asking.ask("alert-end", [.init("alert_id", .string("fire"))])
    let band = try await picture(player)
    #expect(band.isNear(2, 2, Self.ground, within: 0) && !band.isNear(2, 717, Self.ground, within: 60))
    try await eventually("it is kept") { !kept(player).contains("fire") }
    _ = try await player.stop(signal: SIGKILL)

    // As if two hours had passed, and the machine had been off.
    let text = kept(player).replacing(/"until":\d+/, with: "\"until\":1700000000").replacing(
      /"boot":"[^"]*"/, with: "\"boot\":\"earlier\"")
    try text.write(toFile: player.directory.path("state/alerts"), atomically: true, encoding: .utf8)
    player = try await start(in: player.directory)
    #expect(try ids(client(player)).isEmpty)
    #expect(!player.ownLog.contains("is shown"))
    try await eventually("it stays in the file") { kept(player).isEmpty }
    #expect(try await player.stop().outcome.status == 0)
  }

  @Test("An alert goes by itself at its end, and programs are told of both")
  func expires() async throws {
    let player = try await start()
    let (listener, hand) = (try client(player), try client(player))
    let kinds = ["alert-shown", "alert-ended"].map { JSONValue.string($0) }
    _ = try listener.ask("subscribe", [.init("events", .array(kinds))])
    let (text, until) = (JSONValue.Member("text", .string("Leave by stair B")), JSONValue.string("1s"))
    _ = try hand.ask("alert", [text, .init("until", until)])
    let shown = try listener.nextEvent()
    #expect(shown["event"] == .string("alert-shown") && shown["alert"]?["text"] == .string("Leave by stair B"))
    let ended = try listener.nextEvent()
    #expect(ended["event"] == .string("alert-ended") && ended["reason"] == .string("expired"), "\(ended.compact)")
    #expect(try ids(hand).isEmpty)
    #expect(try await !picture(player).isNear(2, 2, Self.ground, within: 60))
    _ = try await player.stop()
  }

  @Test("An alert in a dropped-in file comes and goes with the file, and one that is over is only a warning")
  func file() async throws {
    let player = try await start()
    let (listener, hand) = (try client(player), try client(player))
    _ = try listener.ask(
      "subscribe", [.init("events", .array(["alert-shown", "alert-ended"].map { JSONValue.string($0) }))])
    func alert(_ id: String, _ until: String) -> String {
      "[[alert]]\nid = \"\(id)\"\ntext = \"Stair B is closed\"\nuntil = \(until)\n"
    }
    try player.write(
      alert("old", "2020-01-01T00:00:00Z") + alert("stairs", "2120-01-01T00:00:00"), as: "conf.d/90-alert.toml")
    let shown = try listener.nextEvent()
    #expect(shown["alert"]?["id"] == .string("stairs"), "\(shown.compact)")
    #expect(try ids(hand) == ["stairs"])
    #expect(try await picture(player).isNear(2, 2, Self.ground, within: 0))
    do throws(ControlFailure) {
      _ = try hand.ask("alert-end", [.init("alert_id", .string("stairs"))])
      Issue.record("it was taken back")
    } catch { #expect(error.reason == "alert-of-configuration") }
    let check = try await Tool.run(Player.path, ["check", player.directory.path("etc")])
    #expect(
      check.status == 0 && (check.output + check.errors).contains("is over, so the alert isn't shown"), "\(check)")
    try FileManager.default.removeItem(atPath: player.directory.path("etc/conf.d/90-alert.toml"))
    #expect(try listener.nextEvent()["reason"] == .string("removed"))
    _ = try await player.stop()
  }

  @Test("A text that is too long, letters that no font has and a damaged file are reported")
  func badInput() async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path("state"), withIntermediateDirectories: true)
    try Data(repeating: 0, count: 8192).write(to: directory.url.appending(path: "state/alerts"))
    let player = try await start(in: directory)
    try await player.logged { $0.contains("(error 7621)") }
    let long = try await ctl(player, ["alert", String(repeating: "a", count: 10_000), "--until", "20m"])
    #expect(long.status != 0 && long.errors.contains("at most 300 characters"), "\(long.errors)")
    // Letters for private use, which no font has.
    #expect(try await ctl(player, ["alert", "\u{F8D0}\u{F8D1}", "--until", "20m"]).status == 0)
    try await player.logged { $0.contains("(error 7622)") }
    #expect(try ids(client(player)) == ["alert"])
    #expect(try await picture(player).isNear(2, 2, Self.ground, within: 0))
    #expect(try await player.stop().outcome.status == 0)
  }
}

import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

private typealias M = MadeWarning

/// Warnings of a feed on a whole player: what programs are told, and what is on the screen, also after a restart
/// without the server.
@Suite("Warnings of authorities on a running player", .serialized)
struct WarningTests {
  /// The accent's colour, which an alert has as its ground.
  private static let ground = (0xFF, 0xC2, 0x4B)

  private func time(_ after: TimeInterval) -> String {
    Date(timeIntervalSinceNow: after).ISO8601Format().replacing("Z", with: "+00:00")
  }

  private func message(_ id: String, _ headline: String, _ parts: [String: String] = [:]) -> String {
    M.message(
      id, ["sent": time(-60)].merging(parts) { $1 },
      infos: [M.info(["headline": headline, "expires": time(3600)], more: M.area(M.code("EMMA_ID", "DE413")))])
  }

  private func references(_ id: String) -> String { "warn@example.org,\(id),2026-11-27T13:50:00+00:00" }

  private func put(_ text: String, as name: String, in directory: TemporaryDirectory) throws {
    let folder = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  private func client(_ player: RunningPlayer) throws -> ControlClient {
    try ControlClient(path: player.directory.path("run/control"), wait: .seconds(60))
  }

  /// - Parameter interval: another one has the feed asked at once.
  private func configure(_ port: Int, interval: Int, in directory: TemporaryDirectory) async throws {
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    try RunningPlayer.write(
      "version = 1\n[warnings]\nfeed = \"http://127.0.0.1:\(port)/index.atom\"\nareas = [\"EMMA_ID=DE413\"]\n"
        + "interval = \(interval)\n[[playlist.main.item]]\nuri = \"\(film)\"\n", as: "vitrine.toml", in: directory)
  }

  @Test("An alert, its update and its cancel are told and shown; a restart without the server keeps what is in force")
  func chain() async throws {
    let directory = try TemporaryDirectory()
    try put(message("a", "Storm until four"), as: "a.cap", in: directory)
    try put(message("far", "Elsewhere").replacing("DE413", with: "DE999"), as: "far.cap", in: directory)
    try put(M.index(M.entry("a.cap"), M.entry("far.cap")), as: "index.atom", in: directory)
    let port = try FreePort.next()
    func serve() throws -> ToolServer { try ToolServer("fault-server", ["--port", "\(port)", directory.path("www")]) }
    var server = try serve()
    try await configure(port, interval: 30, in: directory)
    var player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    try await player.logged { $0.contains("alert cap:a is shown") }
    let (listener, hand) = (try client(player), try client(player))
    let kinds = ["alert-shown", "alert-ended"].map { JSONValue.string($0) }
    _ = try listener.ask("subscribe", [.init("events", .array(kinds))])
    func texts() throws -> [String] {
      try hand.ask("status")["alerts"]?.elements?.compactMap { $0["text"]?.text } ?? []
    }
    #expect(try texts() == ["Storm until four"])
    let picture = player.directory.path("now.png")
    #expect(
      try await Tool.run(
        Player.path, ["ctl", "screenshot", "--socket", player.directory.path("run/control"), picture], limit: 30
      ).status == 0)
    #expect(try await Pixels(path: picture).isNear(2, 2, Self.ground, within: 0))

    try put(
      message("b", "Storm until six", ["msgType": "Update", "references": references("a")]), as: "b.cap", in: directory)
    try put(M.index(M.entry("a.cap"), M.entry("b.cap")), as: "index.atom", in: directory)
    try await configure(port, interval: 31, in: directory)
    let replaced = try listener.nextEvent()
    #expect(replaced["event"] == .string("alert-ended") && replaced["reason"] == .string("replaced"))
    let update = try listener.nextEvent()
    #expect(update["event"] == .string("alert-shown") && update["alert"]?["text"] == .string("Storm until six"))
    #expect(try texts() == ["Storm until six"])
    try await eventually("it isn't kept") {
      (try? String(contentsOfFile: directory.path("state/alerts"), encoding: .utf8))?.contains("until six") ?? false
    }

    // Without the server and after kill -9 it is on the screen all the same.
    server.stop()
    _ = try await player.stop(signal: SIGKILL)
    player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    try await player.logged { _ in player.ownLog.contains("(error 7670)") }
    #expect(player.ownLog.contains("alert cap:b is shown"))
    let (later, other) = (try client(player), try client(player))
    #expect(try other.ask("status")["alerts"]?.elements?.count == 1)
    _ = try later.ask("subscribe", [.init("events", .array(kinds))])

    try put(message("c", "Over", ["msgType": "Cancel", "references": references("b")]), as: "c.cap", in: directory)
    try put(M.index(M.entry("a.cap"), M.entry("b.cap"), M.entry("c.cap")), as: "index.atom", in: directory)
    server = try serve()
    let ended = try later.nextEvent()
    #expect(ended["event"] == .string("alert-ended") && ended["reason"] == .string("taken-back"), "\(ended.compact)")
    try await eventually("it is kept") { !FileManager.default.fileExists(atPath: directory.path("state/alerts")) }
    #expect(try other.ask("status")["alerts"]?.elements?.isEmpty == true)
    server.stop()
    #expect(try await player.stop().outcome.status == 0)
  }
}

import ControlProtocol
import Foundation
import JSONText
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Asks running players every verb, event and refusal of the socket. One that these tables don't have yet makes the
/// tests fail.
@Suite("Every request and event of the control socket", .serialized)
struct ControlCoverageTests {
  private func start(_ settings: String = "", _ arguments: [String] = []) async throws -> RunningPlayer {
    let directory = try TemporaryDirectory()
    let (film, picture) = (
      try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("picture-640x480.jpg")
    )
    // A copy that the test may spoil.
    try FileManager.default.copyItem(atPath: picture, toPath: directory.path("own.jpg"))
    let items = [film, film, directory.path("own.jpg")].map { "[[playlist.main.item]]\nuri = \"\($0)\"\n" }
    try RunningPlayer.write("version = 1\n\(settings)\(items.joined())", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v", "--confirm-after", "1"] + arguments, in: directory)
    try await player.showedFrame()
    return player
  }

  private func client(_ player: RunningPlayer) throws -> ControlClient {
    try ControlClient(path: player.directory.path("run/control"), wait: .seconds(60))
  }

  /// The requests are sent in this order. `reason` is the refusal by a player that has no sound and whose playlist is
  /// complete.
  private static let requests: [(word: String, arguments: [JSONValue.Member], reason: String?)] = [
    ("hello", [.init("version", .integer(1))], nil), ("status", [], nil), ("subscribe", [], nil),
    ("unsubscribe", [], nil),
    ("pause", [], nil), ("play", [], nil), ("toggle", [], nil), ("toggle", [], nil),
    ("seek", [.init("to", .integer(9))], nil),
    ("next", [], nil), ("previous", [], nil), ("select", [.init("number", .integer(1))], nil),
    ("clip", [.init("playlist", .string("main"))], nil), ("hold", [], nil), ("release", [], nil), ("release", [], nil),
    ("captions", [.init("show", .string("de"))], nil), ("language", [], nil),
    ("description", [], nil), ("signed", [], nil), ("choices", [], nil), ("tiles", [], "no-tiles"),
    ("volume", [.init("percent", .integer(50))], "no-sound"), ("mute", [], "no-sound"), ("reload", [], nil),
    ("retry", [], nil), ("retry", [.init("uri", .string("a"))], "not-left-out"),
    ("osd", [.init("show", .string("status"))], nil), ("osd", [.init("show", .string("nothing"))], nil),
    ("message", [.init("text", .string("Back at two"))], nil),
    ("alert", alert("20m"), nil),
    ("alert-end", [], nil), ("alert-end", [], "no-such-alert"), ("screenshot", [.init("width", .integer(160))], nil),
    ("screen", [.init("on", .boolean(false))], nil), ("screen", [.init("on", .boolean(true))], nil), ("quit", [], nil),
  ]

  private static func alert(_ until: String, id: String = "alert") -> [JSONValue.Member] {
    [
      .init("text", .string("Leave by stair B")), .init("until", .string(until)), .init("alert_id", .string(id)),
    ]
  }

  @Test("A running player answers each verb")
  func verbs() async throws {
    #expect(Set(Self.requests.map(\.word)) == Set(ControlVerb.allCases.map(\.word)), "a verb isn't in the table")
    let player = try await start()
    let client = try client(player)
    for (word, arguments, reason) in Self.requests {
      do throws(ControlFailure) {
        _ = try client.ask(word, arguments)
        #expect(reason == nil, "\(word) was done")
      } catch {
        #expect(error.reason == reason && reason != nil, "\(word): \(error)")
      }
    }
    #expect(try await player.end().outcome.status == 0)
  }

  @Test("A subscriber gets each event, and none after it unsubscribes")
  func events() async throws {
    // A picture that can't be written is an error that belongs to no item.
    let player = try await start("", ["--snapshot", "/no/such/folder/a.png", "--at", "20"])
    let (listener, hand) = (try client(player), try client(player))
    // This player has no screen and gets no touch (`ScreenSessionTests` has visits).
    let kinds = ControlEventKind.allCases.filter { ![.visitStarted, .visitEnded].contains($0) }
    let all = kinds.map { JSONValue.string($0.rawValue) }
    var seen: Set<String> = []
    func nextEvent() throws -> JSONValue {
      let event = try listener.nextEvent()
      seen.insert(event["event"]?.text ?? "")
      return event
    }
    _ = try listener.ask("subscribe", [.init("events", .array(all))])
    // The first event of the configuration may have come already.
    _ = try await player.state { $0.state == "confirmed" }
    try Data("nonsense".utf8).write(to: player.directory.url.appending(path: "own.jpg"))
    try player.write("version = 1\nlop = true\n")
    _ = try hand.ask("pause")
    _ = try hand.ask("play")
    _ = try hand.ask("screen", [.init("on", .boolean(false))])
    // Changes within 50 ms are sent as one event.
    while try nextEvent()["presence"]?.text != "asleep" {}
    _ = try hand.ask("screen", [.init("on", .boolean(true))])
    _ = try hand.ask("alert", Self.alert("20m"))
    _ = try hand.ask("alert-end")
    _ = try hand.ask("select", [.init("number", .integer(3))])
    // The position is sent each second, so this loop ends.
    for _ in 0..<200 where seen.count < all.count { _ = try nextEvent() }
    #expect(seen == Set(kinds.map(\.rawValue)))
    _ = try listener.ask("unsubscribe")
    _ = try await player.stop()
  }

  @Test("Each refusal comes from a player that refuses for that reason")
  func refusals() async throws {
    var seen: Set<String> = []
    func ask(_ client: ControlClient, _ verb: String, _ arguments: [JSONValue.Member] = []) {
      do throws(ControlFailure) {
        _ = try client.ask(verb, arguments)
        Issue.record("\(verb) was done")
      } catch {
        #expect(error.error.number == 7609 && error.reason != nil, "\(verb): \(error)")
        seen.formUnion(error.reason.map { [$0] } ?? [])
      }
    }
    let player = try await start()
    let asking = try client(player)
    ask(asking, "select", [.init("number", .integer(99))])
    ask(asking, "mute")
    ask(asking, "pause", [.init("screen", .string("nowhere"))])
    ask(asking, "retry", [.init("uri", .string("a"))])
    _ = try asking.ask("screen", [.init("on", .boolean(false))])
    do throws(ControlFailure) {
      _ = try asking.ask("screenshot")
      Issue.record("a picture of a screen that is off")
    } catch { #expect(error.error.number == 7614) }
    ask(asking, "alert-end")
    ask(asking, "alert", Self.alert("20m") + [.init("playlist", .string("nowhere"))])
    ask(asking, "alert", Self.alert("2020-01-01T00:00Z"))
    ask(asking, "alert", Self.alert("2120-01-01T00:00Z"))
    for number in 1...5 { _ = try asking.ask("alert", Self.alert("20m", id: "\(number)")) }
    ask(asking, "alert", Self.alert("20m", id: "6"))
    _ = try await player.stop()

    // With faulty files nothing can play.
    let directory = try TemporaryDirectory()
    try RunningPlayer.write("version = 1\nlop = true\n", as: "vitrine.toml", in: directory)
    let idle = try RunningPlayer(["-v"], in: directory)
    try await idle.logged { _ in FileManager.default.fileExists(atPath: directory.path("run/control")) }
    ask(try client(idle), "seek", [.init("to", .integer(9))])
    ask(try client(idle), "seek", [.init("by", .integer(9))])
    _ = try await idle.stop()

    // A player without configuration files has none to reload.
    let file = try TemporaryDirectory()
    let (film, socket) = (try await Media.path("h264-60s-640x360-30.mp4"), file.path("control"))
    async let plays = Player.run(
      ["play", "--output", "headless", "--no-audio", "--control", socket, film], limit: 120)
    for _ in 0..<3000 where !FileManager.default.fileExists(atPath: socket) {
      try await Task.sleep(for: .milliseconds(20))
    }
    let other = try ControlClient(path: socket, wait: .seconds(60))
    ask(other, "reload")
    ask(other, "tiles")
    _ = try other.ask("quit")
    #expect(try await plays.outcome.status == 0)

    // No verb plays a key's clip, and the player's ending lasts for an instant (`ScreenSessionTests` have both). The
    // clock isn't the test's to set (`AlertMachineTests`). `AlertTests` has an alert of the configuration.
    let elsewhere: Set<KioskRefusal> = [.noSuchClip, .isEnding, .clockNotSet, .alertOfConfiguration]
    #expect(seen == Set(KioskRefusal.allCases.filter { !elsewhere.contains($0) }.map(\.rawValue)))
  }

  @Test("vitrine ctl tells a forbidden socket from a silent player", .enabled("needs root") { getuid() == 0 })
  func clients() async throws {
    let player = try await start()
    let path = player.directory.path("run/control")
    let nobody = try await Tool.run(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Player.path, "ctl", "status", "--socket", path])
    #expect(nobody.status == 77 && nobody.errors.contains("(error 7611)"), "\(nobody)")
    // The player exists but doesn't answer.
    player.signal(SIGSTOP)
    try await player.isHeld()
    let client = try ControlClient(path: path, wait: .milliseconds(100))
    do throws(ControlFailure) {
      _ = try client.ask("status")
      Issue.record("it answers")
    } catch { #expect(error.error.number == 7612) }
    player.signal(SIGCONT)
    _ = try await player.stop()
  }
}

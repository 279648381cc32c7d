import ControlProtocol
import Foundation
import JSONText
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Each verb, event and refusal that the socket knows, of players that play. A new one that isn't in these tables makes them fail.
@Suite("All that the control socket can be asked and says", .serialized)
struct ControlCoverageTests {
  private func start(_ settings: String = "", _ arguments: [String] = []) async throws -> RunningPlayer {
    let directory = try TemporaryDirectory()
    let (film, picture) = (
      try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("picture-640x480.jpg")
    )
    // One of this test's own, which it can spoil.
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

  /// In this order; with the word of the refusal where a player without sound, and with nothing left out, refuses it.
  private static let requests: [(word: String, arguments: [JSONValue.Member], reason: String?)] = [
    ("hello", [.init("version", .integer(1))], nil), ("status", [], nil), ("subscribe", [], nil),
    ("unsubscribe", [], nil),
    ("pause", [], nil), ("play", [], nil), ("toggle", [], nil), ("toggle", [], nil),
    ("seek", [.init("to", .integer(9))], nil),
    ("next", [], nil), ("previous", [], nil), ("select", [.init("number", .integer(1))], nil),
    ("volume", [.init("percent", .integer(50))], "no-sound"), ("mute", [], "no-sound"), ("reload", [], nil),
    ("retry", [], nil), ("retry", [.init("uri", .string("a"))], "not-left-out"),
    ("osd", [.init("show", .string("status"))], nil), ("osd", [.init("show", .string("nothing"))], nil),
    ("message", [.init("text", .string("Back at two"))], nil), ("screenshot", [.init("width", .integer(160))], nil),
    ("screen", [.init("on", .boolean(false))], nil), ("screen", [.init("on", .boolean(true))], nil), ("quit", [], nil),
  ]

  @Test("Each verb is asked of a player that plays, and answered")
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

  @Test("Each event is told to who wants it, and none to who has it no more")
  func events() async throws {
    // A picture that can't be written is an error that belongs to no item.
    let player = try await start("", ["--snapshot", "/no/such/folder/a.png", "--at", "20"])
    let (listener, hand) = (try client(player), try client(player))
    let all = ControlEventKind.allCases.map { JSONValue.string($0.rawValue) }
    var seen: Set<String> = []
    func hear() throws -> JSONValue {
      let event = try listener.nextEvent()
      seen.insert(event["event"]?.text ?? "")
      return event
    }
    _ = try listener.ask("subscribe", [.init("events", .array(all))])
    // What of the configuration is told first may be told already.
    _ = try await player.state { $0.state == "confirmed" }
    try Data("nonsense".utf8).write(to: player.directory.url.appending(path: "own.jpg"))
    try player.write("version = 1\nlop = true\n")
    _ = try hand.ask("pause")
    _ = try hand.ask("play")
    _ = try hand.ask("screen", [.init("on", .boolean(false))])
    // What follows within 50 ms is told as one.
    while try hear()["presence"]?.text != "asleep" {}
    _ = try hand.ask("screen", [.init("on", .boolean(true))])
    _ = try hand.ask("select", [.init("number", .integer(3))])
    // The place of what plays is told each second, so that this ends.
    for _ in 0..<200 where seen.count < all.count { _ = try hear() }
    #expect(seen == Set(ControlEventKind.allCases.map(\.rawValue)))
    _ = try listener.ask("unsubscribe")
    _ = try await player.stop()
  }

  @Test("Each refusal's word comes from a player that refuses for that reason")
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
    _ = try await player.stop()

    // With files that have errors there is nothing that could play.
    let directory = try TemporaryDirectory()
    try RunningPlayer.write("version = 1\nlop = true\n", as: "vitrine.toml", in: directory)
    let idle = try RunningPlayer(["-v"], in: directory)
    try await idle.logged { _ in FileManager.default.fileExists(atPath: directory.path("run/control")) }
    ask(try client(idle), "seek", [.init("to", .integer(9))])
    ask(try client(idle), "seek", [.init("by", .integer(9))])
    _ = try await idle.stop()

    // Without files there are none to be read again.
    let file = try TemporaryDirectory()
    let (film, socket) = (try await Media.path("h264-60s-640x360-30.mp4"), file.path("control"))
    async let plays = Player.run(
      ["play", "--output", "headless", "--no-audio", "--control", socket, film], limit: 120)
    for _ in 0..<3000 where !FileManager.default.fileExists(atPath: socket) {
      try await Task.sleep(for: .milliseconds(20))
    }
    let other = try ControlClient(path: socket, wait: .seconds(60))
    ask(other, "reload")
    _ = try other.ask("quit")
    #expect(try await plays.outcome.status == 0)

    // A key's clips have no verb. That it is about to end lasts for an instant (`ScreenSessionTests`).
    let elsewhere: Set<KioskRefusal> = [.noSuchClip, .isEnding]
    #expect(seen == Set(KioskRefusal.allCases.filter { !elsewhere.contains($0) }.map(\.rawValue)))
  }

  @Test("Who may not, and where nobody answers: vitrine ctl says which", .enabled("needs root") { getuid() == 0 })
  func clients() async throws {
    let player = try await start()
    let path = player.directory.path("run/control")
    let nobody = try await Tool.run(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Player.path, "ctl", "status", "--socket", path])
    #expect(nobody.status == 77 && nobody.errors.contains("(error 7611)"), "\(nobody)")
    // It is there and doesn't answer.
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

import Foundation
import JSONText
import KioskTestSupport
import Testing

@testable import KioskRuntime

/// An alert with a playlist, of a whole player.
@Suite("An alert's playlist of a running player")
struct AlertPlaylistTests {
  private func item(_ status: JSONValue) -> JSONValue? {
    status["screens"]?.elements?.first?["playback"]?["item"]
  }

  private func client(_ player: RunningPlayer) throws -> ControlClient {
    try ControlClient(path: player.directory.path("run/control"), wait: .seconds(60))
  }

  private func plays(_ name: String, _ client: ControlClient) async throws {
    try await eventually("\(name) doesn't play") {
      item(try client.ask("status"))?["title"]?.text?.contains(name) == true
    }
  }

  @Test("Its film plays round and round below the sentence, again after kill -9, and the list goes on where it was")
  func film() async throws {
    let (film, out) = (try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("h264-640x360-30-2s.mp4"))
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "\(film)"
      title = "the hall"
      [[playlist.evacuation.item]]
      uri = "\(out)"
      title = "the way out"
      """, as: "vitrine.toml", in: directory)
    var player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    var (hand, listener) = (try client(player), try client(player))
    _ = try hand.ask("seek", [.init("to", .integer(30))])
    _ = try listener.ask("subscribe", [.init("events", .array([.string("item-started")]))])
    let alert: [JSONValue.Member] = [
      .init("text", .string("Leave by stair B")), .init("until", .string("2h")),
      .init("playlist", .string("evacuation")),
    ]
    _ = try hand.ask("alert", alert)
    // It begins again at its end.
    for _ in 0..<2 {
      let event = try listener.nextEvent()
      #expect(event["item"]?["title"]?.text == "the way out", "\(event.compact)")
    }
    #expect(try hand.ask("status")["alerts"]?.elements?.first?["playlist"] == .string("evacuation"))
    try await eventually("it isn't kept") {
      (try? String(contentsOfFile: directory.path("state/alerts"), encoding: .utf8))?.contains("evacuation") == true
    }
    _ = try hand.ask("alert-end")
    try await plays("the hall", hand)
    #expect(item(try hand.ask("status"))?["position_seconds"]?.realNumber ?? 0 >= 29.9)
    _ = try hand.ask("alert", alert)
    try await plays("the way out", hand)
    try await eventually("it isn't kept") {
      (try? String(contentsOfFile: directory.path("state/alerts"), encoding: .utf8))?.contains("evacuation") == true
    }
    _ = try await player.stop(signal: SIGKILL)

    player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    hand = try client(player)
    try await plays("the way out", hand)
    // The kept alert is shown by the new run's configuration, which has the playlist.
    #expect(!player.ownLog.contains("(error 7623)"))
    _ = try hand.ask("alert-end")
    try await plays("the hall", hand)
    #expect(try await player.stop().outcome.status == 0)
  }
}

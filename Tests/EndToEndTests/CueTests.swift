import ControlProtocol
import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// A whole player that tells another machine of its program.
@Suite("Cues of a running player")
struct CueTests {
  private func cue(_ moment: CueMoment, _ text: String, to port: Int, _ more: String = "") -> String {
    "[[cue]]\non = \"\(moment.rawValue)\"\nsend = \"udp://127.0.0.1:\(port)\"\ntext = \"\(text)\\n\"\n\(more)\n"
  }

  @Test("Start, time and end are told in each round, once; a seek skips the time, and a reload takes a cue away")
  func rounds() async throws {
    let listener = try await Listener.datagrams()
    let port = listener.port
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let film = "version = 1\n[[playlist.main.item]]\nuri = \"\(clip)\"\n"
    let always =
      cue(.itemStarted, "START", to: port, "playlist = \"main\"\nitem = 1") + cue(.itemEnded, "END", to: port)
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(film + always + cue(.time, "TIME", to: port, "at = 1.0"), as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await eventually("three rounds: \(listener.lines)") { listener.lines.count >= 9 }
    let rounds = Array(listener.lines.prefix(9))
    #expect(rounds == ["START", "TIME", "END", "START", "TIME", "END", "START", "TIME", "END"])

    let before = try await player.state { $0.state == "confirmed" }.active
    try player.write(film + always)
    try await player.state { $0.active != before }
    let reloaded = listener.lines.count
    try await eventually("two more rounds: \(listener.lines)") { listener.lines.count >= reloaded + 6 }
    // The datagram of a moment before may have come late.
    let later = listener.lines.dropFirst(reloaded + 1)
    #expect(!later.contains("TIME") && later.contains("START") && later.contains("END"), "\(listener.lines)")
    #expect(try await player.stop().outcome.status == 0)
  }

  @Test("A time is told when a film plays over it, not when it is sought over, and again after a seek back")
  func seeks() async throws {
    let listener = try await Listener.datagrams()
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let directory = try TemporaryDirectory()
    let list = "version = 1\n[[playlist.main.item]]\nuri = \"\(film)\"\n"
    try RunningPlayer.write(list, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    // Cues that come while a film plays hold in it.
    let before = try await player.state { $0.state == "confirmed" }.active
    let times = [("TEN", 10), ("TWENTY", 20), ("THIRTY", 30)].map { text, at in
      cue(.time, text, to: listener.port, "at = \(at)")
    }
    try player.write(list + times.joined() + cue(.alertShown, "ALERT", to: listener.port))
    try await player.state { $0.active != before }
    let control = try ControlClient(path: directory.path("run/control"))
    // Over ten; over twenty by playing; then back before it.
    _ = try control.ask("seek", [.init("to", .number(19.5))])
    try await eventually("twenty: \(listener.lines)") { listener.lines == ["TWENTY"] }
    _ = try control.ask("seek", [.init("to", .number(29))])
    try await eventually("thirty: \(listener.lines)") { listener.lines == ["TWENTY", "THIRTY"] }
    _ = try control.ask("seek", [.init("to", .number(19))])
    try await eventually("twenty again: \(listener.lines)") { listener.lines == ["TWENTY", "THIRTY", "TWENTY"] }
    _ = try control.ask("alert", [.init("text", .string("Out")), .init("until", .string("90s"))])
    try await eventually("the alert: \(listener.lines)") { listener.lines.last == "ALERT" }
    #expect(!listener.lines.contains("TEN"))
    _ = try await player.stop()
  }

  @Test("A lamp learns that the player has nothing to show, and that it plays again")
  func health() async throws {
    let listener = try await Listener.datagrams()
    let directory = try TemporaryDirectory()
    let film = try directory.write("not a film", as: "film.mp4")
    let list = "version = 1\n[[playlist.main.item]]\nuri = \"\(film)\"\n"
    let lamp = [CueMoment.healthy, .attention, .trouble].map { cue($0, $0.rawValue, to: listener.port) }.joined()
    try RunningPlayer.write(list + lamp, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await eventually("trouble: \(listener.lines)") { listener.lines == ["trouble"] }
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    // The player tries it again by itself.
    try Data(contentsOf: URL(filePath: clip)).write(to: URL(filePath: film))
    try await eventually("healthy: \(listener.lines)") { listener.lines.last == "healthy" }
    _ = try await player.stop()
  }
}

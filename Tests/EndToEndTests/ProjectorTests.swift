import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// A whole player that switches a projector with its screen.
@Suite("The projector of a running player")
struct ProjectorTests {
  private func status(_ client: ControlClient) throws -> JSONValue {
    try client.ask("status")["screens"]?.elements?.first?["projector"] ?? .null
  }

  private func ctl(_ directory: TemporaryDirectory, _ words: String...) async throws -> Tool.Outcome {
    try await Tool.run(
      Player.path, ["ctl"] + words.prefix(1) + ["--socket", directory.path("run/control")] + words.dropFirst(),
      limit: 60)
  }

  @Test(
    "On at the start, off and on with the screen; a reload takes it away; a dead one is told, and delays no picture")
  func day() async throws {
    let projector = try ToolProjector("--password", "secret")
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let directory = try TemporaryDirectory()
    let list = "version = 1\n[[playlist.main.item]]\nuri = \"\(film)\"\n"
    let file = try directory.write("secret\n", as: "password")
    let display =
      "[display]\nprojector = \"pjlink://127.0.0.1:\(projector.port)/31\"\nprojector_password_file = \"\(file)\"\n"
    try RunningPlayer.write(list + display, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    // The picture doesn't wait for the projector, which is still cold.
    try await player.showedFrame()
    let client = try ControlClient(path: directory.path("run/control"), wait: .seconds(60))
    try await eventually("it warms up: \(projector.log)") { try status(client)["power"]?.text == "warming" }
    #expect(try status(client)["is_wanted_on"]?.truth == true)
    try projector.tell("ready")
    try await eventually("it is on: \(projector.log)") { try status(client)["input"]?.text == "31" }
    #expect(try await ctl(directory, "status").output.contains("projector pjlink://127.0.0.1:\(projector.port): on"))

    #expect(try await ctl(directory, "screen", "off").status == 0)
    try await eventually("it is off: \(projector.log)") {
      try projector.tell("ready")
      return try status(client)["power"]?.text == "off"
    }
    #expect(try await ctl(directory, "screen", "on").status == 0)
    try await eventually("it is on again: \(projector.log)") {
      try projector.tell("ready")
      return try status(client)["power"]?.text == "on"
    }
    #expect(projector.count("%1POWR 1") == 2 && projector.count("%1POWR 0") == 1)
    #expect(projector.count("second connection") == 0 && projector.count("wrong password") == 0)
    #expect(player.log.contains("the projector is off") && player.log.contains("the projector is on"))

    // At a port where nobody listens.
    let before = try await player.state { $0.state == "confirmed" }.active
    let port = try FreePort.next()
    try player.write(list + "[display]\nprojector = \"pjlink://127.0.0.1:\(port)\"\n")
    try await player.state { $0.active != before }
    try await eventually("it is told: \(player.log)") { try status(client)["problem"]?.wholeNumber == 7650 }
    #expect(try client.ask("status")["health"]?.text == "attention")
    #expect(try await ctl(directory, "status").output.contains("(error 7650)"))
    #expect(player.log.contains("(error 7650)"))

    let dead = try await player.state { $0.state == "confirmed" }.active
    try player.write(list)
    try await player.state { $0.active != dead }
    try await eventually("it is gone") { try status(client) == .null }
    #expect(try await player.stop().outcome.status == 0)
    // The projector stays as it is: a restart of the player isn't to darken a room for minutes.
    #expect(projector.count("%1POWR 0") == 1)
  }
}

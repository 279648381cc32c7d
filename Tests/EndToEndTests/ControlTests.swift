import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// `vitrine ctl` and the socket of a player that plays.
@Suite("Control of a running player", .serialized)
struct ControlTests {
  private func start(_ settings: String = "", _ arguments: [String] = []) async throws -> RunningPlayer {
    let directory = try TemporaryDirectory()
    let (long, short) = (
      try await Media.path("h264-60s-640x360-30.mp4"), try await Media.path("vp8-vorbis-320x240-25.webm")
    )
    let text =
      "version = 1\n\(settings)[[playlist.main.item]]\nuri = \"\(long)\"\n[[playlist.main.item]]\nuri = \"\(short)\"\n"
    try RunningPlayer.write(text, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"] + arguments, in: directory)
    try await player.showedFrame()
    return player
  }

  private func socket(_ player: RunningPlayer) -> String { player.directory.path("run/control") }

  private func ctl(_ player: RunningPlayer, _ arguments: [String]) async throws -> Tool.Outcome {
    try await Tool.run(
      Player.path, ["ctl", arguments[0], "--socket", socket(player)] + arguments.dropFirst(), limit: 30)
  }

  /// Waits for a status that `isIt` accepts.
  private func status(_ player: RunningPlayer, _ isIt: (JSONValue) -> Bool) async throws -> JSONValue {
    var last = JSONValue.null
    for _ in 0..<300 {
      last = try ControlClient(path: socket(player)).ask("status")
      if isIt(last) { return last }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("the status stayed \(last.compact)")
    return last
  }

  private func playback(_ status: JSONValue) -> JSONValue { status["screens"]?.elements?.first?["playback"] ?? .null }

  @Test("vitrine ctl carries out each verb, with output for people and for programs")
  func verbs() async throws {
    let player = try await start()
    let watching = try ControlClient(path: socket(player))
    #expect(try watching.ask("subscribe")["health"]?.text == "healthy")

    let people = try await ctl(player, ["status"])
    #expect(people.status == 0 && people.output.contains("plays: 1 of 2, h264-60s-640x360-30"), "\(people)")
    #expect(try JSONValue(parsing: try await ctl(player, ["status", "--json"]).output.utf8)["version"] != nil)

    #expect(try await ctl(player, ["pause"]).status == 0)
    #expect(try watching.nextEvent()["is_wanted"] == .boolean(false))
    #expect(try await ctl(player, ["seek", "0:40"]).status == 0)
    _ = try await status(player) { (self.playback($0)["item"]?["position_seconds"]?.realNumber ?? 0) == 40 }
    #expect(try await ctl(player, ["seek", "+5"]).status == 0)
    _ = try await status(player) { (self.playback($0)["item"]?["position_seconds"]?.realNumber ?? 0) == 45 }
    #expect(try await ctl(player, ["seek", "-15"]).status == 0)
    _ = try await status(player) { (self.playback($0)["item"]?["position_seconds"]?.realNumber ?? 0) == 30 }
    #expect(try await ctl(player, ["seek", "0:31.3", "--keyframe"]).status == 0)
    // The film's key frames are a second or more apart, at full seconds.
    _ = try await status(player) {
      let place = self.playback($0)["item"]?["position_seconds"]?.realNumber ?? 0
      return place != 30 && place != 31.3 && abs(place - place.rounded()) < 0.001
    }
    #expect(try await ctl(player, ["seek", "+5", "--keyframe"]).status == 64)
    #expect(try await ctl(player, ["toggle"]).status == 0)
    _ = try await status(player) { self.playback($0)["is_wanted"]?.truth == true }
    #expect(try await ctl(player, ["play"]).status == 0)

    #expect(try await ctl(player, ["next"]).status == 0)
    _ = try await status(player) { self.playback($0)["item"]?["number"] == .integer(2) }
    #expect(try await ctl(player, ["select", "1"]).status == 0)
    _ = try await status(player) { self.playback($0)["item"]?["number"] == .integer(1) }
    #expect(try await ctl(player, ["select", "2"]).status == 0)
    _ = try await status(player) { self.playback($0)["item"]?["number"] == .integer(2) }
    #expect(try await ctl(player, ["previous"]).status == 0)
    _ = try await status(player) { self.playback($0)["item"]?["number"] == .integer(1) }

    #expect(try await ctl(player, ["osd", "status"]).status == 0)
    #expect(try await ctl(player, ["osd", "nothing"]).status == 0)
    #expect(try await ctl(player, ["message", "Back at two", "--for", "5"]).status == 0)
    #expect(try await ctl(player, ["screen", "off"]).status == 0)
    _ = try await status(player) { $0["screens"]?.elements?.first?["presence"]?.text == "asleep" }
    #expect(try await ctl(player, ["screenshot", "-"]).status == 75)
    #expect(try await ctl(player, ["screen", "on"]).status == 0)
    _ = try await status(player) { $0["screens"]?.elements?.first?["presence"]?.text == "on" }
    #expect(try await ctl(player, ["reload"]).status == 0)

    var kinds: Set<String> = []
    while !kinds.isSuperset(of: ["state", "item-started", "item-ended", "screen"]) {
      kinds.insert(try watching.nextEvent()["event"]?.text ?? "")
    }
    #expect(player.log.contains("control: pause by process "))
    #expect(try await ctl(player, ["quit"]).status == 0)
    let run = try await player.stop()
    #expect(run.outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: socket(player)))
    // The player has ended, and nothing listens at the socket.
    #expect(try await ctl(player, ["status"]).status == 69)
  }

  @Test("vitrine ctl ends with an exit code for the kind of error")
  func errors() async throws {
    let player = try await start()
    let item = try await ctl(player, ["select", "99"])
    #expect(item.status == 65 && item.errors.contains("(error 7609)"), "\(item.errors)")
    #expect(try await ctl(player, ["volume", "50"]).status == 65)
    #expect(try await ctl(player, ["mute", "on"]).status == 65)
    #expect(try await ctl(player, ["pause", "--screen", "nowhere"]).status == 65)
    #expect(try await ctl(player, ["seek", "soon"]).status == 64)
    #expect(try await ctl(player, ["volume", "101"]).status == 64)
    #expect(try await ctl(player, ["watch", "--events", "all"]).status == 64)
    #expect(try await ctl(player, ["message", String(repeating: "x", count: 501)]).status == 64)
    #expect(try await ctl(player, ["screenshot", "/no/such/folder/a.png"]).status == 73)
    _ = try await player.stop()
  }

  @Test("A screenshot is the frame on the screen, in the size that was asked for")
  func screenshot() async throws {
    let player = try await start()
    #expect(try await ctl(player, ["pause"]).status == 0)
    #expect(try await ctl(player, ["seek", "10"]).status == 0)
    _ = try await status(player) { (self.playback($0)["item"]?["position_seconds"]?.realNumber ?? 0) == 10 }
    let (full, small) = (player.directory.path("full.png"), player.directory.path("small.png"))
    // The position is known before its frame is on the screen.
    for _ in 0..<50 {
      #expect(try await ctl(player, ["screenshot", full]).status == 0)
      if try await Pixels(path: full).frameNumber(x: 0, y: 0, width: 1280) == 300 { break }
    }
    let told = try await ctl(player, ["screenshot", small, "--width", "320", "--json"])
    #expect(try JSONValue(parsing: told.output.utf8)["height"] == .integer(180))
    let pixels = try await Pixels(path: full)
    // Each frame of the clip has its number in it.
    #expect(pixels.width == 1280 && pixels.height == 720)
    #expect(pixels.frameNumber(x: 0, y: 0, width: 1280) == 300)
    #expect(try await Pixels(path: small).width == 320)
    let jpeg = player.directory.path("small.JPG")
    #expect(try await ctl(player, ["screenshot", jpeg, "--width", "320"]).status == 0)
    #expect(FileManager.default.contents(atPath: jpeg)?.starts(with: [0xFF, 0xD8]) == true)
    let none = try await ctl(player, ["screenshot", small, "--source", "writeback"])
    #expect(none.status == 65 && none.errors.contains("(error 5052)"), "\(none.errors)")
    _ = try await player.stop()
  }

  @Test("The configuration sets the socket and its path, and a change holds at once")
  func configuration() async throws {
    let player = try await start("", ["--confirm-after", "1"])
    let other = player.directory.path("other")
    _ = try ControlClient(path: socket(player)).ask("status")
    try player.write("[control]\nsocket = \"\(other)\"\n", as: "conf.d/10-control.toml")
    try await waitFor { FileManager.default.fileExists(atPath: other) }
    #expect(!FileManager.default.fileExists(atPath: socket(player)))
    _ = try ControlClient(path: other).ask("status")
    try player.write("[control]\nenabled = false\n", as: "conf.d/10-control.toml")
    try await waitFor { !FileManager.default.fileExists(atPath: other) }
    _ = try await player.stop()
    // A socket named on the command line exists whatever the files say.
    let named = player.directory.path("named")
    let again = try RunningPlayer(["--control", named], in: player.directory)
    try await waitFor { FileManager.default.fileExists(atPath: named) }
    _ = try await again.stop()
  }

  @Test("Other machines steer the player by lines, from the moment that the configuration lets them")
  func network() async throws {
    let player = try await start("", ["--confirm-after", "1"])
    let port = try FreePort.next()
    try player.write("[control]\nlisten = \"127.0.0.1:\(port)\"\n", as: "conf.d/10-control.toml")
    try await player.logged { $0.contains("control: 127.0.0.1:\(port), by TCP and UDP") }
    func say(_ line: String) async throws -> String {
      try await Tool.run("bash", ["-c", "echo '\(line)' | socat -t120 - TCP:127.0.0.1:\(port)"], limit: 150)
        .output
    }
    #expect(try await say("pause") == "ok\r\n")
    _ = try await status(player) { self.playback($0)["is_wanted"] == .boolean(false) }
    #expect(try await say("status").hasPrefix("ok paused 1 "))
    #expect(try await say("select 9") == "error 7609 the playlist has no such item\r\n")
    try player.write("[control]\n", as: "conf.d/10-control.toml")
    for _ in 0..<900 {
      if try await say("play").isEmpty { break }
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(try await say("play") == "")
    _ = try await player.stop()
  }

  private func waitFor(_ isIt: () -> Bool) async throws {
    for _ in 0..<1000 {
      if isIt() { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("it didn't come")
  }

  @Test("10,000 random and malformed messages don't stop a player, or grow it by more than 1 MB")
  func flood() async throws {
    let player = try await start()
    let path = socket(player)
    func pour(_ count: Int, _ seed: UInt64) async throws {
      var words = ControlNoise(seed: seed)
      var socket = try StreamSocket.connect(to: path)
      for _ in 0..<count {
        if socket.send(words.message()[...]) == .over { socket = try StreamSocket.connect(to: path) }
        _ = socket.wait(writing: true, for: .seconds(1))
        while case (.bytes, _) = socket.receive(atMost: 65536) {}
      }
    }
    try await pour(2_000, 1)
    var sizes = [try memory(of: player)]
    // A playing film takes some memory at first; a leak would grow with each flood of messages.
    for seed: UInt64 in 2...4 {
      try await pour(10_000, seed)
      sizes.append(try memory(of: player))
      if sizes[sizes.count - 1] - sizes[sizes.count - 2] < 1_000_000 { break }
    }
    #expect(sizes[sizes.count - 1] - sizes[sizes.count - 2] < 1_000_000, "\(sizes) bytes")
    #expect(try ControlClient(path: path).ask("status")["health"]?.text == "healthy")
    let report = try #require(try await player.stop().report)
    #expect(report.transitionsTotal == 0)
  }

  /// The player's private dirty memory, in bytes.
  private func memory(of player: RunningPlayer) throws -> Int {
    let process = try #require(try ControlClient(path: socket(player)).processOfPlayer)
    let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) * 1024
  }
}

/// Random messages, the same ones for a seed: words of the protocol and arbitrary bytes. None changes what plays.
struct ControlNoise {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  mutating func message() -> [UInt8] {
    let words = [
      "{\"verb\":\"status\"}", "{\"verb\":\"subscribe\"}", "{\"id\":1,", "\"verb\":\"seek\",\"too\":", "}", "1e9",
      "\"x\"",
      "[[[[[[", "\u{0}", "{\"verb\":\"message\",\"txt\":\"", "null",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<(1 + next(5)) {
      bytes += next(3) == 0 ? (0..<next(200)).map { _ in UInt8(next(256)) } : Array(words[next(words.count)].utf8)
    }
    if next(500) == 0 { bytes += [UInt8](repeating: 0x61, count: 10_000) }
    return bytes + [0x0A]
  }
}

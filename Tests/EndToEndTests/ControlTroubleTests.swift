import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// The control socket when nothing plays or a hostile film does: that is when operators look.
@Suite("Control of a player in trouble", .serialized)
struct ControlTroubleTests {
  private func socket(_ player: RunningPlayer) -> String { player.directory.path("run/control") }

  private func ctl(_ player: RunningPlayer, _ arguments: String...) async throws -> Tool.Outcome {
    try await Tool.run(
      Player.path, ["ctl", arguments[0], "--socket", socket(player)] + arguments.dropFirst(), limit: 30)
  }

  private func film() async throws -> String {
    "version = 1\n[[playlist.main.item]]\nuri = \"\(try await Media.path("h264-60s-640x360-30.mp4"))\"\n"
  }

  private func listens(_ player: RunningPlayer) async throws {
    for _ in 0..<1500 {
      if FileManager.default.fileExists(atPath: socket(player)) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("there is no socket: \(player.log)")
  }

  /// Takes a screenshot and expects a card in it.
  private func expectCard(_ player: RunningPlayer) async throws {
    let path = player.directory.path("card.png")
    for _ in 0..<100 {
      if try await ctl(player, "screenshot", path).status == 0 { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    let pixels = try await Pixels(path: path)
    #expect(pixels.width == 1280 && pixels.height == 720)
    // The picture has more than the background.
    #expect(Set((0..<720).map { pixels[640, $0].red }).count > 1, "nothing is on the screen")
  }

  @Test("With only faulty files, status, screenshot, reload and quit work, and mended files play")
  func brokenFiles() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write("version = 1\nlop = true\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    try await listens(player)
    #expect(try await ctl(player, "status").output.contains("configuration: none"))
    try await expectCard(player)
    #expect(try await ctl(player, "reload").status == 0)
    let refused = try await Tool.run(Player.path, ["reload", "--runtime", directory.path("run"), "--wait", "30"])
    #expect(refused.status == 78, "\(refused)")
    try player.write(try await film())
    let mended = try await Tool.run(Player.path, ["reload", "--runtime", directory.path("run"), "--wait", "60"])
    #expect(mended.status == 0 && mended.output == "confirmed\n", "\(mended)")
    #expect(try await ctl(player, "quit").status == 0)
    #expect(try await player.end().outcome.status == 0)
  }

  /// Leaves the state that repeated deaths in safe mode leave.
  private func cardMode(in directory: TemporaryDirectory) throws {
    let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
    let now = try #require(uptime.split(separator: " ").first.flatMap { Double($0) })
    try RunningPlayer.write("mode \(Int(now) - 1) card\n", as: "../run/deaths", in: directory)
  }

  @Test("In card mode after repeated crashes, status, screenshot and quit work")
  func card() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(try await film(), as: "vitrine.toml", in: directory)
    try cardMode(in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await listens(player)
    let status = try JSONValue(parsing: try await ctl(player, "status", "--json").output.utf8)
    #expect(status["survival"]?["mode"]?.text == "card", "\(status.compact)")
    try await expectCard(player)
    #expect(try await ctl(player, "quit").status == 0)
    #expect(try await player.end().outcome.status == 0)
  }

  @Test("A reload in card mode has the next process try the configuration at once")
  func cardReload() async throws {
    let directory = try TemporaryDirectory()
    try RunningPlayer.write(try await film(), as: "vitrine.toml", in: directory)
    try cardMode(in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await listens(player)
    async let asked = Tool.run(Player.path, ["reload", "--runtime", directory.path("run"), "--wait", "60"], limit: 90)
    #expect(try await player.end().outcome.status == 75)
    let next = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory)
    let answer = try await asked
    #expect(answer.status == 0 && answer.output == "confirmed\n", "\(answer)")
    #expect(try ControlClient(path: socket(next)).ask("status")["survival"]?["mode"]?.text == "safe")
    _ = try await next.stop()
  }

  @Test("A hostile title is clipped, and a terminal shows it as text")
  func hostileTitle() async throws {
    let directory = try TemporaryDirectory()
    // A title that TOML can spell and a list can have.
    let title = "\u{1b}]0;owned\u{7}\u{202e}" + String(repeating: "xxx ", count: 1000)
    let list = "#EXTM3U\n#EXTINF:60,\(title)\n\(try await Media.path("h264-60s-640x360-30.mp4"))\n"
    try RunningPlayer.write(list, as: "list.m3u", in: directory)
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"list.m3u\"\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    let status = try ControlClient(path: socket(player)).ask("status")
    let told = status["screens"]?.elements?.first?["playback"]?["item"]?["title"]?.text ?? ""
    #expect(told.unicodeScalars.count <= PlainText.longest && told.hasSuffix("…"), "\(told.prefix(80))")
    let people = try await ctl(player, "status")
    #expect(people.status == 0 && people.output.contains("xxx"))
    #expect(people.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202e })
    _ = try await player.stop()
  }
}

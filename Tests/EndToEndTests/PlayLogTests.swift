import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `vitrine run` logs what it shows, and `vitrine log` prints that.
@Suite("Proof of play, end to end")
struct PlayLogTests {
  private struct Printed: Decodable {
    struct Play: Decodable {
      var item: String
      var frames: Int?
      var dropped: Int?
      var seconds: Double
      var why: String
      var number: Int?
    }
    struct Item: Decodable {
      var item: String
      var plays: Int
      var frames: Int
    }
    var plays: [Play]
    var items: [Item]
  }

  private func start(_ arguments: [String] = [], in directory: TemporaryDirectory) async throws -> RunningPlayer {
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    try RunningPlayer.write(
      """
      version = 1
      [telemetry]
      play_log = true
      [[playlist.main.item]]
      uri = "\(clip)"
      [[playlist.main.item]]
      uri = "\(try await Media.path("vp8-vorbis-320x240-25.webm"))"
      """, as: "vitrine.toml", in: directory)
    return try RunningPlayer(["-v"] + arguments, in: directory)
  }

  private func log(_ directory: TemporaryDirectory, _ arguments: [String] = []) async throws -> Tool.Outcome {
    try await Tool.run(
      Player.path, ["log", "--folder", directory.path("state/plays")] + arguments, environment: ["TZ": "UTC"])
  }

  @Test("Each play has its number of frames, and their sum is the report's")
  func plays() async throws {
    let directory = try TemporaryDirectory()
    let player = try await start(in: directory)
    try await player.logged { $0.components(separatedBy: "vitrine: item 1: ").count > 3 }
    let run = try await player.stop()
    let report = try #require(run.report)
    let outcome = try await log(directory, ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(outcome.output.utf8))
    #expect(printed.plays.count >= 4)
    #expect(printed.plays.dropLast().allSatisfy { $0.why == "end" })
    // The player may have ended right at a seam.
    #expect(["stopped", "end"].contains(printed.plays.last?.why))
    #expect(printed.plays.enumerated().allSatisfy { $1.number == $0 % 2 + 1 })
    #expect(printed.plays.reduce(0) { $0 + ($1.frames ?? 0) } == report.framesRendered)
    #expect(printed.items.reduce(0) { $0 + $1.frames } == report.framesRendered)
    // Complete plays of the same clip have the same number of frames.
    let whole = printed.plays.dropLast().filter { $0.number == 1 && $0.dropped == 0 }
    #expect(Set(whole.map(\.frames)).count == 1)
    let rows = try await log(directory, ["--csv"])
    #expect(rows.output.split(separator: "\n").count == printed.plays.count + 1)
    let none = try await log(directory, ["--until", "2001-01-01"])
    #expect(none.output == "nothing has played\n")
  }

  @Test("A killed player loses no play, and the next start closes the interrupted one")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    let player = try await start(in: directory)
    try await player.logged { $0.components(separatedBy: "vitrine: item 1: ").count > 2 }
    // Waits until the second play has shown a frame.
    try await player.showedFrame()
    _ = try await player.stop(signal: SIGKILL)
    let next = try await start(in: directory)
    try await next.showedFrame()
    _ = try await next.stop()
    let outcome = try await log(directory, ["--json"])
    let printed = try JSONDecoder().decode(Printed.self, from: Data(outcome.output.utf8))
    // The kill may have come while the second play was on the screen.
    #expect(printed.plays.first?.why == "end")
    let died = printed.plays.filter { $0.why == "died" }
    #expect(died.count == 1 && died.first?.frames == nil)
  }

  @Test("vitrine log reports a folder without a log, and a time that can't be parsed")
  func errors() async throws {
    let directory = try TemporaryDirectory()
    let missing = try await log(directory)
    #expect(missing.status == 66 && missing.errors.contains("(error 7751)"))
    let wrong = try await log(directory, ["--since", "yesterday"])
    #expect(wrong.status == 64 && wrong.errors.contains("is not a time"))
  }
}

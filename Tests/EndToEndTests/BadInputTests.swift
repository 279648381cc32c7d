import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("Bad input")
struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    var status: Int32
    /// All of these must be in the single error line.
    var words: [String]
    var testDescription: String { name }
  }

  /// `@clip` is a media file, `@dir` an empty directory, `@empty` a playlist without entries.
  static let cases: [Case] = [
    Case(name: "missing file", arguments: ["/no/such.mp4"], status: 66, words: ["/no/such.mp4", "1101"]),
    Case(name: "directory without media", arguments: ["@dir"], status: 66, words: ["1102"]),
    Case(name: "text file named .mp4", arguments: ["@text.mp4"], status: 65, words: ["text.mp4", "3001"]),
    Case(name: "truncated MP4", arguments: ["@truncated.mp4"], status: 65, words: ["truncated.mp4", "300"]),
    Case(name: "empty playlist", arguments: ["@empty"], status: 66, words: ["empty.m3u", "1103"]),
    Case(name: "bad URI", arguments: ["gopher://x/y"], status: 66, words: ["gopher", "http", "1104"]),
    Case(name: "unknown output", arguments: ["--output", "tv", "@clip"], status: 64, words: ["tv", "headless"]),
    Case(name: "bad mode", arguments: ["--mode", "12", "@clip"], status: 64, words: ["12", "1920x1080@60"]),
    Case(name: "unknown option", arguments: ["--fast", "@clip"], status: 64, words: ["--fast"]),
    Case(name: "no item", arguments: [], status: 64, words: ["item"]),
    Case(name: "no card", arguments: ["--output", "kms", "@clip"], status: 69, words: ["5001"]),
    Case(name: "no compositor", arguments: ["--output", "wayland", "@clip"], status: 69, words: ["52"]),
    Case(name: "no server answers", arguments: ["http://127.0.0.1:9/a.mp4"], status: 65, words: ["127.0.0.1", "200"]),
    Case(
      name: "report can't be written", arguments: ["--report", "/no/such/dir/r.json", "@text.mp4"], status: 65,
      words: ["/no/such/dir/r.json", "7302"]),
  ]

  @Test("Bad input gives one clear line and the right exit code, without a crash or a hang", arguments: cases)
  func bad(_ bad: Case) async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "dir"), withIntermediateDirectories: true)
    let empty = try directory.write("#EXTM3U\n", as: "empty.m3u")
    let text = try await Media.path("text.mp4")
    let truncated = try await Media.path("truncated.mp4")
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let arguments = bad.arguments.map { argument in
      switch argument {
      case "@dir": directory.path("dir")
      case "@empty": empty
      case "@clip": clip
      case "@text.mp4": text
      case "@truncated.mp4": truncated
      default: argument
      }
    }
    let output = bad.arguments.contains("--output") ? [] : ["--output", "headless"]
    let outcome = try await Tool.run(
      Player.path, ["play"] + output + arguments, environment: ["WAYLAND_DISPLAY": "vitrine-test-no-such-socket"],
      limit: 40)
    #expect(!outcome.wasKilled)
    #expect(outcome.status == bad.status, "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.contains { line in bad.words.allSatisfy { line.contains($0) } }, "\(bad.words) in \(outcome.errors)")
  }

  @Test("A playable item plays between items that fail, and the report names those")
  func skipped() async throws {
    let run = try await Player.run([
      "play", "--output", "headless", "/no/such.mp4", try await Media.path("text.mp4"),
      try await Media.path("h264-640x360-30-2s.mp4"), try await Media.path("truncated.mp4"),
    ])
    #expect(run.outcome.status == 0)
    let report = try #require(run.report)
    #expect(report.errors.map(\.number) == [1101])
    #expect(report.items.map(\.status) == ["failed", "played", "failed"])
    #expect(report.items.allSatisfy { $0.status == "played" || !$0.errors.isEmpty })
  }

  @Test("A truncated film plays as far as it goes")
  func truncated() async throws {
    let run = try await Player.run([
      "play", "--output", "headless", try await Media.path("truncated-faststart.mp4"),
      try await Media.path("picture-640x480.jpg"), "--for", "6",
    ])
    #expect(run.outcome.status == 0)
    let report = try #require(run.report)
    #expect(report.framesRendered > 30)
    #expect(report.items[1].status == "played")
  }

  @Test("The report is written after an error too, and names the error")
  func reportAfterError() async throws {
    let run = try await Player.run(["play", "/no/such.mp4"])
    #expect(run.outcome.status == 66)
    let report = try #require(run.report)
    #expect(report.exitCode == 66 && report.errors.first?.number == 1101 && report.output == nil)

    let screen = try await Player.run(["play", "--output", "kms", try await Media.path("h264-640x360-30-2s.mp4")])
    #expect(screen.outcome.status == 69)
    #expect(screen.report?.errors.first?.number == 5001)
  }

  @Test("A faulty configuration is reported line by line, and nothing plays")
  func configuration() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      "version = 1\n[playback]\nlop = true\npicture_duration = -1\n", as: "vitrine.toml")
    let run = try await Player.run(["run", "--config", file, "--output", "headless", "--for", "1"])
    #expect(run.outcome.status == 78)
    #expect(run.errorLines.contains { $0.contains("vitrine.toml:3:1") && $0.contains("loop") })
    #expect(run.errorLines.contains { $0.contains("vitrine.toml:4:") })
    #expect(run.report?.exitCode == 78)
    #expect(try await Player.run(["run", "--config", "/no/such.toml"]).outcome.status == 78)
  }

  @Test("run waits for a screen, and stops when it is asked to")
  func waitsForScreen() async throws {
    let directory = try TemporaryDirectory()
    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    let file = try directory.write("version = 1\n[[playlist.main.item]]\nuri = \"\(clip)\"\n", as: "v.toml")
    let run = try await Player.run(["run", "--config", file], signals: [(after: 3, number: SIGTERM)])
    #expect(run.outcome.status == 0)
    #expect(run.outcome.errors.contains("waiting for a screen"))
    #expect(run.report?.framesRendered == 0)
  }
}

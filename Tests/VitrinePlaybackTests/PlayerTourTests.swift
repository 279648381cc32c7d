import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Runs Examples/PlayerTour, which uses the library's public names only.
@Suite("A program that embeds the player: each promise holds for each kind of source", .serialized)
struct PlayerTourTests {
  private var program: String {
    URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent().appending(path: "PlayerTour").path
  }

  /// The lines of the tour's stations, by their success.
  private func tour(_ address: String) async throws -> (passed: [String], failed: [String]) {
    // The address sanitizer would report leaks of libraries here; the tests' own process is searched for those.
    let outcome = try await Tool.run(program, [address], environment: ["ASAN_OPTIONS": "detect_leaks=0"], limit: 200)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let failed = lines.filter { $0.hasPrefix("FAILED") }
    #expect(!outcome.wasKilled && outcome.status == (failed.isEmpty ? 0 : 65), "\(outcome)")
    return (lines.filter { $0.hasPrefix("ok") }, failed)
  }

  private func everything(_ address: String) async throws {
    let (passed, failed) = try await tour(address)
    #expect(failed.isEmpty && passed.count == 10, "\(failed), \(passed)")
  }

  @Test("A file (S16 to S25)")
  func file() async throws { try await everything(Media.path(minute)) }

  @Test("A file over HTTP (S16 to S25)")
  func http() async throws {
    let clip = try await ServedClip(minute)
    try await everything(clip.item.uri)
  }

  @Test("HLS (S16 to S25)")
  func hls() async throws {
    let clips = try await AdaptiveClips()
    try await everything(clips.item("hls-fmp4/clip.m3u8").uri)
  }

  @Test(
    "An MPEG transport stream (S16 to S25)",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
  func transportStream() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("film.ts")
    let made = try await Tool.run(
      "ffmpeg", ["-v", "error", "-y", "-i", try await Media.path(minute), "-t", "8", "-c", "copy", path])
    #expect(made.status == 0, "\(made.errors)")
    try await everything(path)
  }

  @Test("DASH (S16 to S25)")
  func dash() async throws {
    let clips = try await AdaptiveClips()
    try await everything(clips.item("dash-number/clip.mpd").uri)
  }
}

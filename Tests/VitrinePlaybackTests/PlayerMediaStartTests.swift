import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

/// Films whose own times begin anywhere, made from one with numbered frames.
private struct Remuxed {
  let directory: TemporaryDirectory
  let path: String

  /// - Parameters:
  ///   - ending: extension of the file, which determines the container.
  ///   - options: FFmpeg's output options.
  init(_ ending: String, _ options: [String]) async throws {
    directory = try TemporaryDirectory()
    path = directory.path("film.\(ending)")
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let outcome = try await Tool.run(
      "ffmpeg",
      ["-v", "error", "-y", "-i", film, "-f", "lavfi", "-i", "sine=440:r=48000", "-map", "0:v", "-map", "1", "-t", "6"]
        + options + [path])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  var item: MediaItem { MediaItem(uri: URL(filePath: path).absoluteString, kind: .file) }
}

@Suite(
  "Player: times count from 0 at the item's start", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct PlayerMediaStartTests {
  private static let copied = ["-c:v", "copy", "-c:a", "mp2"]

  @Test(
    "Position, duration and seeks of streams whose clock starts anywhere",
    arguments: [
      ("ts", copied), ("m2ts", copied), ("ts", copied + ["-output_ts_offset", "5000"]),
      ("flv", ["-c:v", "copy", "-c:a", "aac"]),
      ("mpg", ["-c:v", "mpeg2video", "-q:v", "4", "-g", "15", "-c:a", "mp2"]),
      ("mp4", ["-c:v", "copy", "-c:a", "aac"]),
    ])
  func clock(ending: String, options: [String]) async throws {
    let film = try await Remuxed(ending, options)
    let player = try makePlayer(film.item)
    let ready = try await player.ready()
    #expect(ready.position < .milliseconds(40), "\(ready.position)")
    // Copied frames extend to the next key frame, and a transport stream's duration is the difference of its clock at
    // both ends.
    let duration = try #require(ready.duration)
    #expect(isClose(duration, .seconds(6), .milliseconds(200)), "\(duration)")
    for seconds in [3.5, 0, 1, 5] {
      // Within the frame: FLV counts in milliseconds, and frames don't begin on those.
      _ = await player.seek(to: .seconds(seconds) + .milliseconds(12))
      #expect(isClose(player.status.position, .seconds(seconds)), "\(player.status.position)")
      let number = frameNumber(await player.captureFrame())
      #expect(number == Int(seconds * 30), "at \(seconds) s")
    }
    await player.play()
    _ = try await player.reaches("the end") { $0.position > .milliseconds(5900) }
    #expect(player.status.position < .milliseconds(6050))
    await player.stop()
  }

  @Test(
    "The duration of a stream without one follows from its first and last pictures, exact to a frame",
    arguments: ["ts", "m2ts", "mpg", "vob"])
  func lengths(ending: String) async throws {
    let film = try await Remuxed(ending, ["-c:v", "mpeg2video", "-q:v", "8", "-bf", "2", "-c:a", "mp2"])
    let player = try makePlayer(film.item)
    let duration = try #require(try await player.ready().duration)
    // Sound begins or ends some milliseconds off, in blocks of 24 ms.
    #expect(isClose(duration, .seconds(6), .milliseconds(30)), "\(duration)")
    await player.stop()
  }

  @Test("Boundaries and subtitles of a transport stream are at the item's times")
  func observed() async throws {
    let film = try await Remuxed("ts", Self.copied)
    _ = try film.directory.write("1\n00:00:01,000 --> 00:00:02,000\nEins\n", as: "film.srt")
    let player = try makePlayer(film.item, tracks: TrackPreferences(subtitles: .always))
    var boundaries = player.boundaryTimes([.seconds(1), .seconds(2)]).makeAsyncIterator()
    var cues = player.subtitles(buffering: 8).makeAsyncIterator()
    await player.play()
    for seconds in [1, 2] {
      let told = await boundaries.next()
      #expect(told == .seconds(seconds))
      #expect(isClose(player.status.position, .seconds(seconds), .milliseconds(300)), "\(player.status.position)")
    }
    var shown: [SubtitleCue] = []
    while shown.isEmpty, let next = await cues.next() { shown = next }
    #expect(shown.first?.start == .seconds(1))
    await player.stop()
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite(
  "Audio descriptions, real files", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct DescriptionTests {
  private let directory = try? TemporaryDirectory()

  /// A film whose sound is a tone of 440 Hz; a second track in the same language, one of 880 Hz, describes the picture.
  private func film(_ name: String, _ options: String...) async throws -> MediaItem {
    let directory = try #require(directory)
    let outcome = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-f", "lavfi", "-i", "sine=440:d=4",
        "-f",
        "lavfi", "-i", "sine=880:d=4", "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast",
        "-c:a", "aac", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=eng",
      ] + options + [directory.path(name)])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return MediaItem(uri: URL(filePath: directory.path(name)).absoluteString, kind: .file)
  }

  @Test(
    "It is known by its title, by the name of its handler or by its role, and is heard where it is preferred",
    arguments: [
      ("title.mkv", "-metadata:s:a:1", "title=English, audio description"),
      ("handler.mp4", "-metadata:s:a:1", "handler_name=English AD"),
      ("role.mp4", "-disposition:a:1", "visual_impaired"), ("flag.mkv", "-disposition:a:1", "visual_impaired"),
    ])
  func heard(name: String, option: String, value: String) async throws {
    let item = try await film(name, option, value)
    for (isPreferred, pitch) in [(false, 440.0), (true, 880)] {
      let witnessed = try WitnessedDeck(item, tracks: TrackPreferences(audioDescription: isPreferred))
      let tracks = try await witnessed.next { event -> [MediaTrack]? in
        if case .tracks(let tracks) = event, tracks.count == 3 { tracks } else { nil }
      }
      let sounds = tracks.filter { $0.kind == .audio }
      #expect(sounds.map(\.isDescription) == [false, true] && sounds.map(\.isEnabled) == [!isPreferred, isPreferred])
      witnessed.deck.play(base: .monotonicNow)
      // A queue may hold a second of the track that was on before its title was known.
      let first = try await witnessed.heard(2)
      let then = try await witnessed.heard(3)
      let heard = Double((then.crossings - first.crossings) * Ear.rate) / Double(then.samples - first.samples)
      #expect(abs(heard - pitch) < 20, "\(heard) Hz")
      witnessed.deck.drop()
    }
  }

  @Test("Texts of a Matroska file are known by its flags alone: for foreign parts, and for people who don't hear")
  func texts() async throws {
    let directory = try #require(directory)
    let words = try directory.write("1\n00:00:00,000 --> 00:00:03,000\nWords\n", as: "words.srt")
    let outcome = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-i", words, "-map", "0:v", "-map",
        "1",
        "-map", "1", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:s", "srt", "-disposition:s:0", "0",
        "-disposition:s:1", "forced", "-disposition:s:2", "hearing_impaired", directory.path("texts.mkv"),
      ])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let item = MediaItem(uri: URL(filePath: directory.path("texts.mkv")).absoluteString, kind: .file)
    let witnessed = try WitnessedDeck(item, tracks: TrackPreferences())
    let tracks = try await witnessed.next { event -> [MediaTrack]? in
      if case .tracks(let tracks) = event, tracks.count == 4 { tracks } else { nil }
    }
    let texts = tracks.filter { $0.kind == .text }
    #expect(texts.map(\.isForced) == [false, true, false] && texts.map(\.isForHardOfHearing) == [false, false, true])
    witnessed.deck.drop()
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Films that show one picture for a long time while the sound goes on, such as a talk with slides.
@Suite("Seeks in a film of slides, real files", .serialized)
struct SlideSeekTests {
  /// A minute of a tone that rises by 20 Hz a second: its pitch gives the position.
  private static let tone = "aevalsrc='0.3*sin(2*PI*(300*t+10*t*t))':s=48000:d=60"
  private static func pitch(at seconds: Double) -> Double { 300 + 20 * seconds }

  private func film(secondsOfPicture: Int, in folder: TemporaryDirectory) async throws -> MediaItem {
    let path = folder.path("film.mp4")
    let outcome = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=1/\(secondsOfPicture):d=60"]
        + ["-f", "lavfi", "-i", Self.tone, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        + ["-c:a", "aac", "-t", "60", path], limit: 60)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return MediaItem(uri: URL(filePath: path).absoluteString, kind: .file)
  }

  @Test(
    "Sound goes on at the seek's target together with its picture, and not with the next picture",
    arguments: [(5, 29), (15, 27), (60, 32)])
  func sound(secondsOfPicture: Int, target: Int) async throws {
    let folder = try TemporaryDirectory()
    let witnessed = try WitnessedDeck(try await film(secondsOfPicture: secondsOfPicture, in: folder))
    let ready = try await witnessed.ready()
    witnessed.deck.play(base: .monotonicNow - ready.firstRunningTime)
    let before = try await witnessed.heard(0.2)
    witnessed.deck.pause()
    witnessed.deck.seek(to: .seconds(target), .exact, rate: 1, seek: 1, preview: true)
    let readiness = try await witnessed.next { if case .seekFinished(1, let readiness) = $0 { readiness } else { nil } }
    witnessed.deck.play(base: .monotonicNow - readiness.firstRunningTime)
    let after = try await witnessed.heard(0.2, after: before)
    // A block of AAC is 21 ms.
    let lag = (after.stamp.running - readiness.firstRunningTime).inMilliseconds
    #expect(abs(lag) < 50, "\(lag) ms behind the picture")
    #expect(abs((after.stamp.tag.streamTime - .seconds(target)).inMilliseconds) < 50, "\(after.stamp.tag.streamTime)")
    let expected = Self.pitch(at: Double(target) + after.seconds / 2)
    #expect(abs(after.pitch - expected) < 10, "\(after.pitch) Hz, not \(expected): half a second is 10 Hz")
    witnessed.deck.drop()
  }
}

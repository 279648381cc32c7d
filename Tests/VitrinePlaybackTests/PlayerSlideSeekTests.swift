import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

/// Films that show one picture for a long time, each for another.
@Suite("Player, real files: seeking in slides", .serialized)
struct PlayerSlideSeekTests {
  /// When each slide begins, in seconds; the last one stays to the end, at 24 s. Their greys rise in this order.
  private static let begins = [0, 1, 7, 8, 16, 18]

  /// Its B-frames have the lengths of other frames: a container tells when the next one is decoded, and not how long
  /// one is shown.
  private func film(in folder: TemporaryDirectory) async throws -> MediaItem {
    let times = Self.begins.enumerated().map { "eq(N,\($0.offset))*\($0.element)" }.joined(separator: "+")
    let outcome = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
        + ["color=s=320x180:r=1:d=\(Self.begins.count),geq=lum=40+32*N:cb=128:cr=128,setpts='(\(times))/TB'"]
        + ["-f", "lavfi", "-i", "anullsrc=d=24", "-fps_mode", "vfr", "-c:v", "libx264", "-bf", "3"]
        + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-t", "24", folder.path("slides.mp4")], limit: 60)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return MediaItem(uri: URL(filePath: folder.path("slides.mp4")).absoluteString, kind: .file)
  }

  /// The number of the slide that is on the screen.
  private func slide(_ frame: CapturedFrame?) throws -> Int {
    let frame = try #require(frame)
    let grey = Double(frame.pixels[frame.pixels.count / 2 + frame.size.pixels.width / 2] & 0xFF)
    return Int(((grey * 219 / 255 + 16 - 40) / 32).rounded())
  }

  @Test(
    "A seek shows the slide that covers its target, and plays on from there")
  func covers() async throws {
    let folder = try TemporaryDirectory()
    let player = try makePlayer(try await film(in: folder))
    _ = try await player.ready()
    for target in [12.0, 3, 7.5, 16.5, 15.9, 0.5, 8] {
      let outcome = await player.seek(to: .seconds(target))
      #expect(outcome.isFinished(near: .seconds(target)), "\(outcome)")
      let expected = Self.begins.lastIndex { Double($0) <= target }
      let shown = try slide(await player.captureFrame())
      #expect(shown == expected, "at \(target) s")
    }
    _ = await player.seek(to: .milliseconds(15_800))
    await player.play()
    _ = try await player.reaches("the next slide") { $0.position > .milliseconds(16_100) }
    #expect(try slide(await player.captureFrame()) == 4)
    await player.stop()
  }

  @Test("With sound, each slide comes at its time")
  func times() async throws {
    let folder = try TemporaryDirectory()
    let player = try makePlayer(try await film(in: folder))
    await player.play()
    // The slide after this one is stored before it, and a demultiplexer tells of a gap.
    for (position, expected) in [(0.5, 0), (1.5, 1), (7.5, 2)] {
      _ = try await player.reaches("\(position) s") { $0.position >= .seconds(position) }
      let shown = try slide(await player.captureFrame())
      #expect(shown == expected, "at \(position) s")
    }
    await player.stop()
  }

  @Test("An item begins with the slide that covers its start")
  func start() async throws {
    let folder = try TemporaryDirectory()
    var item = try await film(in: folder)
    item.start = .seconds(12)
    let player = try makePlayer(item)
    _ = try await player.ready()
    #expect(try slide(await player.captureFrame()) == 3)
    await player.stop()
  }
}

import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Whether this machine has one of several elements.
private func hasElement(_ names: String...) -> Bool {
  do { try GStreamerLibrary.start() } catch { return false }
  return names.contains { Element.exists($0) }
}

@Suite("What items tell of themselves, real files", .serialized)
struct ItemFactsTests {
  @Test(
    "The title, the artist and the album that a clip carries are told (S20)",
    arguments: ["tagged-320x240-25.mp4", "tagged.mp3", "tagged.ogg"])
  func metadata(clip: String) async throws {
    let item = MediaItem(uri: URL(filePath: try await Media.path(clip)).absoluteString, kind: .file)
    let witnessed = try WitnessedDeck(item)
    let whole = try await witnessed.next {
      if case .metadata(let metadata) = $0, !metadata.album.isEmpty { metadata } else { nil }
    }
    #expect(whole == MediaMetadata(title: "Harbour", artist: "Nobody", album: "Clips"))
    witnessed.deck.drop()
  }

  private func expectPicture(_ clip: String, _ size: PixelSize) async throws -> CapturedFrame {
    let rig = try await Rig()
    let deck = try await rig.deck(1, clip, kind: .picture)
    let readiness = try await rig.ready()
    #expect(readiness.duration == .milliseconds(500))
    #expect(readiness.hasVideo && !readiness.hasSound && !readiness.isSeekable && !readiness.isLive)
    deck.play(base: rig.now)
    // The end of the stream and the frame are told by different threads.
    var end: (Duration, UInt32)?
    var isShown = false
    while end == nil || !isShown {
      let event = try await rig.next { $0 }
      if case .deck(_, .streamEnded(.video, let at, let buffers, _)) = event { end = (at, buffers) }
      if case .output(.frame(let frame)) = event { isShown = frame.wasRendered }
    }
    #expect(end?.0 == .milliseconds(500) && end?.1 == 1, "one frame, as long as the item")
    let frame = await withCheckedContinuation { done in rig.output.captureFrame { done.resume(returning: $0) } }
    deck.drop()
    let captured = try #require(frame)
    #expect(captured.size.pixels == PictureFit.contain(PresentationSize(pixels: size), in: pixels(640, 360)).size)
    return captured
  }

  private func pixels(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  @Test(
    "A GIF is a picture of its first frame, with a duration",
    .enabled(if: hasElement("avdec_gif", "gdkpixbufdec"), "no GIF decoder here: gstreamer1.0-libav has one"))
  func gif() async throws {
    let frame = try await expectPicture("animated-100x60.gif", pixels(100, 60))
    let pixel = frame.pixels[frame.pixels.count / 2 + 100]
    // The first frame is red, the second blue.
    #expect(pixel >> 16 & 0xFF > 0x90 && pixel & 0xFF < 0x50, "\(String(pixel, radix: 16))")
  }

  @Test(
    "A WebP is a picture with a duration",
    .enabled(if: hasElement("webpdec", "avdec_webp"), "no WebP decoder here: gstreamer1.0-plugins-bad has one"))
  func webp() async throws { _ = try await expectPicture("picture-320x180.webp", pixels(320, 180)) }

  @Test("A PNG and a JPEG are too", arguments: [("picture-800x600.png", 800, 600), ("picture-640x480.jpg", 640, 480)])
  func pictures(clip: String, width: Int, height: Int) async throws {
    _ = try await expectPicture(clip, pixels(width, height))
  }
}

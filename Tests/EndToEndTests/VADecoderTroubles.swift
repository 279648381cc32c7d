import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Films that need another way than the one before, or another decoder.
extension VADecoderBoardTests {
  @Test("Fields are told apart by the processor: frames are read back, whatever the plane reads")
  func interlaced() async throws {
    let (report, card, log) = try await Self.run(
      Self.tools() + "play --mode 720x576 \"$DECODER_MEDIA/h264-interlaced-720x576.mp4\"")
    #expect(report.items.first?.decoder == "vah264dec" && report.items.first?.framePath == "converted", "\(log)")
    // Two of each frame.
    #expect((118...120).contains(report.framesRendered), "\(report.framesRendered)")
    #expect(Self.layouts(card).isEmpty)
  }

  @Test(
    "A film whose size changes goes on untouched, by buffers of the new size; one frame at most is lost where it does")
  func resized() async throws {
    let ((report, card, log), shot) = try await Self.photograph(
      Self.tools("SCALING_CARD_MODES=640x480@60")
        + "look 2.5 \"$DECODER_MEDIA/h264-two-sizes.ts\"")
    #expect(report.items.first?.decoder == "vah264dec" && report.items.first?.framePath == "untouched", "\(log)")
    #expect(report.framesRendered >= 119, "\(report.framesRendered)")
    let imported = card.calls.filter { $0.call == "addfb2" && $0.imported == true }
    #expect(
      Set(imported.compactMap(\.size)) == [[320, 240], [640, 480]] && imported.count <= 16, "\(imported.count)")
    #expect(card.ways == ["0,0,320,240 to 0,0,640,480", "0,0,640,480 to 0,0,640,480"], "\(card.ways)")
    Self.expectPicture(shot, x: 0, y: 0, width: 640, height: 480)
  }

  @Test("A film that becomes larger than the card takes goes on by the chip")
  func outgrown() async throws {
    let ((report, card, log), shot) = try await Self.photograph(
      Self.tools("SCALING_CARD_MODES=640x480@60 SCALING_CARD_LARGEST=320x240")
        + "look 2.5 \"$DECODER_MEDIA/h264-two-sizes.ts\"")
    #expect(report.items.first?.decoder == "vah264dec", "\(log)")
    #expect(report.framesRendered >= 119, "\(report.framesRendered) \(log)")
    #expect(card.shown.allSatisfy { $0.size == [320, 240] }, "\(card.ways)")
    Self.expectPicture(shot, x: 0, y: 0, width: 640, height: 480)
  }

  @Test(
    "A decoder that dies in the middle of a film, again and again: the item ends or goes on, and the next one plays")
  func dies() async throws {
    let (report, _, log) = try await Self.run(
      Self.tools("STAND_IN_DIES=20")
        + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\" \"$DECODER_MEDIA/mpeg4-640x480.mp4\"")
    #expect(report.items.map(\.status) == ["failed", "played"], "\(log)")
    #expect(report.items.first?.reconnects == 1 && report.items.first?.errors.map(\.number) == [4002])
    #expect(report.items.last?.framesRendered == 60)
  }
}

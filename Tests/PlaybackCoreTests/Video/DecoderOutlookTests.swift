import PlaybackCore
import Testing

@Suite("The outlook for films of a codec on a board")
struct DecoderOutlookTests {
  private let screen = PixelSize(width: 1280, height: 720)

  private func outlook(
    _ shape: FrameShape?, decoder: String? = "v4l2h264dec", isHardware: Bool = true, copies: Bool = false,
    rotation: ScreenRotation = .none, isAccepted: Bool = true
  ) -> DecoderOutlook {
    DecoderOutlook(
      .h264, decoder: decoder, isHardware: isHardware, copies: copies,
      demand: shape.map { VideoDemand(shape: $0, rotation: rotation, screen: screen) }, isAccepted: isAccepted)
  }

  @Test("On a scaling plane hardware frames are untouched, and any other work is named as for a film")
  func ways() {
    let placed = FrameShape.placed(screen: screen, fit: .contain)
    #expect(outlook(placed).path.word == "untouched" && outlook(placed).work.isEmpty)
    #expect(outlook(placed).text == "H.264: v4l2h264dec, in hardware; frames go to the plane as they are")
    #expect(outlook(placed, copies: true).path.word == "copied" && outlook(placed, copies: true).work == ["copied"])
    #expect(outlook(placed, isAccepted: false).work == ["converted"])
    let fitted = outlook(.fitted(screen: screen, pixelAspect: .one))
    #expect(fitted.path.word == "converted" && fitted.work == ["scaled to 1280x720"])
    #expect(outlook(placed, rotation: .clockwise).work.last == "turned")
    #expect(
      outlook(placed, decoder: "avdec_h264", isHardware: false).text
        == "H.264: avdec_h264; nothing else is done to frames")
    #expect(outlook(nil, decoder: nil, isHardware: false).text == "H.264: no decoder")
    #expect(outlook(nil).text.hasSuffix("frames go to the plane as they are"))
  }
}

import PlaybackCore
import Testing

/// The stage that maps HDR films, and its picture size.
@Suite("HDR to SDR: the stages")
struct ToneMapTreatmentTests {
  private let screen = PixelSize(width: 1920, height: 1080)

  private func stages(
    _ width: Int, _ height: Int, _ hdr: HDRTransfer?, shape: FrameShape = .asDecoded, kept: Set<HDRTransfer> = [],
    orientation: PictureOrientation = .upright, accepted: Bool = false
  ) -> [VideoStage] {
    let facts = VideoFacts(
      size: PresentationSize(pixels: PixelSize(width: width, height: height), pixelAspect: .one),
      orientation: orientation,
      colour: VideoColour(matrix: .bt2020, isFullRange: false, primaries: .bt2020, hdr: hdr), isAccepted: accepted)
    return VideoTreatment(facts, for: VideoDemand(shape: shape, screen: screen, keptHDR: kept)).stages
  }

  @Test("HDR is mapped, then converted to a format of the screen; SDR and passed-through HDR stay untouched")
  func mapped() {
    #expect(stages(1920, 1080, .pq) == [.toneMap(reduction: 1), .convert])
    #expect(stages(1920, 1080, .hlg, accepted: true) == [.toneMap(reduction: 1), .convert])
    #expect(stages(1920, 1080, nil, accepted: true) == [])
    #expect(stages(1920, 1080, .pq, kept: [.pq], accepted: true) == [])
    #expect(stages(1920, 1080, .hlg, kept: [.pq], accepted: true) == [.toneMap(reduction: 1), .convert])
  }

  @Test("Only films of twice the screen's size are halved on the way")
  func halved() {
    let whole = FrameShape.fitted(screen: screen, pixelAspect: .one)
    let fitted = PresentationSize(pixels: screen, pixelAspect: .one)
    #expect(stages(3840, 2160, .pq) == [.toneMap(reduction: 2), .convert])
    #expect(stages(2560, 1440, .pq) == [.toneMap(reduction: 1), .convert])
    #expect(stages(3840, 2160, .pq, shape: whole) == [.toneMap(reduction: 2), .scale(to: fitted, addsBorders: false)])
    #expect(
      stages(3840, 2160, .pq, shape: .covering(screen: screen, pixelAspect: .one)) == [
        .toneMap(reduction: 2), .scale(to: fitted, addsBorders: true),
      ])
    // Half the height of a wide film is too little when the film is cropped to fill the screen.
    let filling = FrameShape.filling(screen: screen, pixelAspect: .one, isCropped: true)
    #expect(stages(3840, 1608, .pq, shape: filling).first == .toneMap(reduction: 1))
    #expect(
      stages(5120, 2160, .pq, shape: filling) == [
        .toneMap(reduction: 2),
        .crop(PixelRect(x: 320, y: 0, width: 1920, height: 1080), of: PixelSize(width: 2560, height: 1080)),
        .scale(to: fitted, addsBorders: false),
      ])
    // A portrait film from a telephone is as high as the screen once it is upright.
    let turned = PictureOrientation(rotation: .clockwise)
    #expect(stages(3840, 2160, .hlg, orientation: turned).prefix(1) == [.toneMap(reduction: 2)])
    #expect(stages(1920, 1080, .hlg, orientation: turned).prefix(1) == [.toneMap(reduction: 1)])
  }
}

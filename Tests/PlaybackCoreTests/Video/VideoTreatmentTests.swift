import PlaybackCore
import Testing

/// The steps that frames take on their way to the screen, case by case.
@Suite("Treatment of frames")
struct VideoTreatmentTests {
  private static let screen = PixelSize(width: 800, height: 600)

  private static func size(_ width: Int, _ height: Int, _ aspect: Ratio = .one) -> PresentationSize {
    PresentationSize(pixels: PixelSize(width: width, height: height), pixelAspect: aspect)
  }

  private static let film = size(640, 360)
  private static let right = PictureOrientation(rotation: .clockwise)
  private static let pal = size(720, 576, Ratio(numerator: 16, denominator: 15))

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var video: VideoFacts
    var demand: VideoDemand
    var stages: [VideoStage]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "as it is", video: VideoFacts(size: film), demand: VideoDemand(shape: .asDecoded), stages: []),
    Case(
      name: "a format that the output doesn't take", video: VideoFacts(size: film, isAccepted: false),
      demand: VideoDemand(shape: .asDecoded), stages: [.convert]),
    Case(
      name: "a plane that scales", video: VideoFacts(size: film),
      demand: VideoDemand(shape: .placed(screen: screen, fit: .contain)), stages: []),
    Case(
      name: "a plane that scales and cuts, and pixels that aren't square", video: VideoFacts(size: pal),
      demand: VideoDemand(shape: .placed(screen: screen, fit: .cover)), stages: []),
    Case(
      name: "a plane that can't scale, and a film of the right size", video: VideoFacts(size: size(800, 450)),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: .one)), stages: []),
    Case(
      name: "a plane that can't scale", video: VideoFacts(size: film),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: .one)),
      stages: [.scale(to: size(800, 450), addsBorders: false)]),
    Case(
      name: "a plane that has to cover the screen", video: VideoFacts(size: film),
      demand: VideoDemand(shape: .covering(screen: screen, pixelAspect: .one)),
      stages: [.scale(to: size(800, 600), addsBorders: true)]),
    Case(
      name: "cut to the screen's shape", video: VideoFacts(size: film),
      demand: VideoDemand(shape: .filling(screen: screen, pixelAspect: .one, isCropped: true)),
      stages: [
        .crop(PixelRect(x: 80, y: 0, width: 480, height: 360), of: PixelSize(width: 640, height: 360)),
        .scale(to: size(800, 600), addsBorders: false),
      ]),
    Case(
      name: "a ribbon of which 800x10 would be seen, which drivers refuse", video: VideoFacts(size: size(4000, 50)),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: .one)),
      stages: [.scale(to: size(800, 16), addsBorders: true)]),
    Case(
      name: "a ribbon that stands, turned", video: VideoFacts(size: size(50, 4000), orientation: right),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: .one)),
      stages: [.scale(to: size(16, 800), addsBorders: true), .turn(right)]),
    Case(
      name: "a screen that hangs turned", video: VideoFacts(size: film),
      demand: VideoDemand(
        shape: .fitted(screen: PixelSize(width: 600, height: 800), pixelAspect: .one), rotation: .clockwise),
      stages: [
        .scale(to: size(600, 338), addsBorders: false), .turn(PictureOrientation(rotation: .clockwise)),
      ]),
    Case(
      name: "a portrait film, scaled by the sink", video: VideoFacts(size: size(480, 270), orientation: right),
      demand: VideoDemand(shape: .asDecoded, screen: screen), stages: [.convert, .turn(right)]),
    Case(
      name: "one with more pixels than the screen shows of it",
      video: VideoFacts(size: size(3840, 2160), orientation: right),
      demand: VideoDemand(shape: .asDecoded, screen: screen),
      // 338x600 after its rotation.
      stages: [.scale(to: size(600, 338), addsBorders: false), .turn(right)]),
    Case(
      name: "a portrait film on a plane that can't scale", video: VideoFacts(size: film, orientation: right),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: .one)),
      stages: [.scale(to: size(600, 338), addsBorders: false), .turn(right)]),
    Case(
      name: "a portrait film whose pixels aren't square", video: VideoFacts(size: pal, orientation: right),
      demand: VideoDemand(shape: .fitted(screen: screen, pixelAspect: Ratio(numerator: 2, denominator: 1))),
      // Upright the film is 3:4, which is 450x600 in the screen's lines, and half as many of its wide pixels.
      stages: [
        .scale(to: size(600, 224, Ratio(numerator: 1, denominator: 2)), addsBorders: false), .turn(right),
      ]),
    Case(
      name: "a portrait film cut to the screen's shape", video: VideoFacts(size: film, orientation: right),
      demand: VideoDemand(shape: .filling(screen: screen, pixelAspect: .one, isCropped: true)),
      // The middle 360x272 of 360x640.
      stages: [
        .crop(PixelRect(x: 184, y: 0, width: 272, height: 360), of: PixelSize(width: 640, height: 360)),
        .scale(to: size(600, 800), addsBorders: false), .turn(right),
      ]),
    Case(
      name: "a film and a screen whose turns cancel out", video: VideoFacts(size: film, orientation: right),
      demand: VideoDemand(
        shape: .placed(screen: PixelSize(width: 600, height: 800), fit: .contain),
        rotation: .counterclockwise),
      stages: []),
    Case(
      name: "a mirrored film",
      video: VideoFacts(size: film, orientation: PictureOrientation(isMirrored: true, rotation: .none)),
      demand: VideoDemand(shape: .asDecoded, rotation: .clockwise),
      stages: [.convert, .turn(PictureOrientation(isMirrored: true, rotation: .clockwise))]),
    Case(
      name: "interlaced", video: VideoFacts(size: film, isInterlaced: true),
      demand: VideoDemand(shape: .asDecoded), stages: [.deinterlace(.fields), .convert]),
    Case(
      name: "interlaced and cut, on a board that makes one picture of each frame",
      video: VideoFacts(size: film, isInterlaced: true),
      demand: VideoDemand(
        shape: .filling(screen: screen, pixelAspect: .one, isCropped: true), deinterlacing: .frames),
      stages: [
        .deinterlace(.frames),
        .crop(PixelRect(x: 80, y: 0, width: 480, height: 360), of: PixelSize(width: 640, height: 360)),
        .scale(to: size(800, 600), addsBorders: false),
      ]),
  ]

  @Test("Each needed stage is there, in order", arguments: VideoTreatmentTests.cases)
  func stages(item: Case) {
    #expect(VideoTreatment(item.video, for: item.demand).stages == item.stages)
  }
}

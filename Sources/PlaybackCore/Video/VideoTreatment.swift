/// What is known of a film's frames before the first one is shown.
public struct VideoFacts: Hashable, Sendable {
  /// As decoded.
  public var size: PresentationSize
  /// How a frame has to be turned to be upright.
  public var orientation: PictureOrientation
  /// Whether frames hold two fields, taken one after the other.
  public var isInterlaced: Bool
  public var colour: VideoColour
  /// Whether the output takes frames as they are, their format and the place of their memory.
  public var isAccepted: Bool

  public init(
    size: PresentationSize, orientation: PictureOrientation = .upright, isInterlaced: Bool = false,
    colour: VideoColour = .highDefinition, isAccepted: Bool = true
  ) {
    self.size = size
    self.orientation = orientation
    self.isInterlaced = isInterlaced
    self.colour = colour
    self.isAccepted = isAccepted
  }

  /// The size of the picture that people are to see.
  public var uprightSize: PresentationSize { orientation.turned(size) }
}

/// What the screen asks of frames.
public struct VideoDemand: Hashable, Sendable {
  public var shape: FrameShape
  /// By how much frames are turned for the panel, once they are upright.
  public var rotation: ScreenRotation
  /// The size that people look at: more pixels than this are never turned. Nil for as many as come.
  public var screen: PixelSize?
  public var deinterlacing: Deinterlacing
  /// HDR that goes on to the screen as it is.
  public var keptHDR: Set<HDRTransfer>

  public init(
    shape: FrameShape, rotation: ScreenRotation = .none, screen: PixelSize? = nil,
    deinterlacing: Deinterlacing = .fields, keptHDR: Set<HDRTransfer> = []
  ) {
    self.shape = shape
    self.rotation = rotation
    self.screen = screen
    self.deinterlacing = deinterlacing
    self.keptHDR = keptHDR
  }
}

/// A thing that is done to each frame between its decoder and the output.
public enum VideoStage: Hashable, Sendable {
  /// Pictures of fields.
  case deinterlace(Deinterlacing)
  /// From HDR to SDR; what comes out has so many times fewer pixels, across and down.
  case toneMap(reduction: Int)
  /// Keeps a part of each frame, whose whole size is this.
  case crop(PixelRect, of: PixelSize)
  /// Into a format that the output takes.
  case convert
  /// The same, and to this size.
  case scale(to: PresentationSize, addsBorders: Bool)
  case turn(PictureOrientation)
  /// The graphics chip does all of it: to this size, or in that of the frame, and turned.
  case process(to: PresentationSize?, addsBorders: Bool, PictureOrientation)

  /// Whether the processor has to touch the frame.
  public var isProcessors: Bool { if case .process = self { false } else { true } }
}

/// What is done to the frames of a film.
public struct VideoTreatment: Hashable, Sendable {
  /// In order; empty for frames that go to the output untouched.
  public var stages: [VideoStage]

  public static let none = VideoTreatment(stages: [])

  public init(stages: [VideoStage]) { self.stages = stages }

  /// Each stage is there only where it is needed. Fields are told apart first, by lines that nothing has moved yet. The rest
  /// of the order keeps work small: what is cut off isn't scaled, and frames are turned last, when they have no more formats
  /// and no more pixels than the screen.
  public init(_ video: VideoFacts, for demand: VideoDemand) {
    var video = video
    stages = video.isInterlaced ? [.deinterlace(demand.deinterlacing)] : []
    if let hdr = video.colour.hdr, !demand.keptHDR.contains(hdr) {
      let reduction = demand.reduction(of: video.uprightSize)
      stages.append(.toneMap(reduction: reduction))
      video.size.pixels = video.size.pixels.reduced(by: reduction)
    }
    let upright = video.uprightSize
    // Shapes are those of the upright picture; frames are cut and scaled before they are turned.
    let back = video.orientation.inverse
    let turn = video.orientation.then(PictureOrientation(rotation: demand.rotation))
    if let part = demand.shape.crop(of: upright) {
      stages.append(.crop(back.turned(part, in: upright.pixels), of: video.size.pixels))
    }
    let wanted = demand.shape.size(for: upright)
    // Frames that have the right size are left alone: a scaler that has nothing to do still comes between a decoder and
    // the output.
    let isRight = wanted == video.uprightSize && stages.isEmpty && turn == .upright && video.isAccepted
    if isRight {
      return
    } else if let size = wanted ?? (turn == .upright ? nil : demand.largest(of: upright)) {
      stages.append(.scale(to: back.turned(size), addsBorders: demand.shape.hasBorders(upright)))
    } else if !stages.isEmpty || !video.isAccepted || turn != .upright {
      stages.append(.convert)
    }
    if turn != .upright { stages.append(.turn(turn)) }
  }
}

extension VideoDemand {
  /// The size in which a picture is turned that has more pixels than the screen shows of it; nil for its own.
  fileprivate func largest(of picture: PresentationSize) -> PresentationSize? {
    guard let screen, !screen.isEmpty else { return nil }
    // Even sizes, for formats with halved chroma.
    let fitted = PictureFit.contain(picture, in: screen, multiple: 2).size
    guard picture.pixels.width > fitted.width, picture.pixels.height > fitted.height else { return nil }
    return PresentationSize(pixels: fitted)
  }

  /// How many pixels of an HDR picture may become one as it is mapped. Mapping costs the more the more pixels there are, and
  /// scaling ten bits before it costs more than mapping; halving on the way is nearly free.
  ///
  /// - Parameter picture: as people are to see it.
  fileprivate func reduction(of picture: PresentationSize) -> Int {
    let half = (shape.crop(of: picture)?.size ?? picture.pixels).reduced(by: 2)
    let goal: PixelSize? =
      switch shape {
      case .filling(let screen, _, _): screen
      case .fitted(let screen, let aspect), .covering(let screen, let aspect):
        PictureFit.contain(picture, in: screen, screenPixelAspect: aspect, multiple: 2).size
      case .placed(let screen, .contain): PictureFit.contain(picture, in: screen, multiple: 2).size
      case .placed(let screen, _): screen
      case .asDecoded:
        screen.map { PictureFit.contain(picture, in: $0, screenPixelAspect: .one, multiple: 2).size }
      }
    guard let goal else { return 1 }
    return half.width >= goal.width && half.height >= goal.height ? 2 : 1
  }
}

extension PixelSize {
  fileprivate func reduced(by factor: Int) -> PixelSize {
    PixelSize(width: max(1, width / factor), height: max(1, height / factor))
  }
}

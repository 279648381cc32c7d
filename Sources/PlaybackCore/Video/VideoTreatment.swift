/// The properties of a film's frames that are known before the first one is shown.
public struct VideoFacts: Hashable, Sendable {
  /// Decoded size.
  public var size: PresentationSize
  /// The orientation that brings a frame upright.
  public var orientation: PictureOrientation
  /// Whether each frame holds two fields, taken one after the other.
  public var isInterlaced: Bool
  public var colour: VideoColour
  /// Whether the output accepts the frames unchanged, by their format and memory.
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

  /// The size of the upright picture.
  public var uprightSize: PresentationSize { orientation.turned(size) }
}

/// The screen's demands on frames.
public struct VideoDemand: Hashable, Sendable {
  public var shape: FrameShape
  /// Rotation of upright frames for the panel.
  public var rotation: ScreenRotation
  /// The size of the view: frames aren't rotated at more pixels than this. Nil sets no limit.
  public var screen: PixelSize?
  public var deinterlacing: Deinterlacing
  /// HDR curves that go to the screen unchanged.
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

/// A step of the work on each frame between its decoder and the output.
public enum VideoStage: Hashable, Sendable {
  /// Makes pictures from fields.
  case deinterlace(Deinterlacing)
  /// Maps HDR to SDR; the result has this many times fewer pixels across and down.
  case toneMap(reduction: Int)
  /// Keeps a part of each frame; `of` is the size of the whole frame.
  case crop(PixelRect, of: PixelSize)
  /// Converts to a format that the output accepts.
  case convert
  /// Converts as `convert` does, and scales to this size.
  case scale(to: PresentationSize, addsBorders: Bool)
  case turn(PictureOrientation)
  /// The graphics chip does all steps: to this size, or nil for the frame's own, and rotated.
  case process(to: PresentationSize?, addsBorders: Bool, PictureOrientation)

  /// Whether the processor has to touch the frame.
  public var isProcessors: Bool { if case .process = self { false } else { true } }
}

/// The stages of the work on a film's frames.
public struct VideoTreatment: Hashable, Sendable {
  /// The stages in order; empty for frames that go to the output unchanged.
  public var stages: [VideoStage]

  public static let none = VideoTreatment(stages: [])

  public init(stages: [VideoStage]) { self.stages = stages }

  /// Includes each stage only where it is needed. Deinterlacing comes first, while the lines are in their original
  /// places. The rest of the order saves work: parts that are cropped aren't scaled, and frames are rotated last, when
  /// they have no more formats and no more pixels than the screen.
  public init(_ video: VideoFacts, for demand: VideoDemand) {
    var video = video
    stages = video.isInterlaced ? [.deinterlace(demand.deinterlacing)] : []
    if let hdr = video.colour.hdr, !demand.keptHDR.contains(hdr) {
      let reduction = demand.reduction(of: video.uprightSize)
      stages.append(.toneMap(reduction: reduction))
      video.size.pixels = video.size.pixels.reduced(by: reduction)
    }
    let upright = video.uprightSize
    // Shapes are for the upright picture, but frames are cropped and scaled before they are rotated.
    let back = video.orientation.inverse
    let turn = video.orientation.then(PictureOrientation(rotation: demand.rotation))
    if let part = demand.shape.crop(of: upright) {
      stages.append(.crop(back.turned(part, in: upright.pixels), of: video.size.pixels))
    }
    let wanted = demand.shape.size(for: upright)
    // Frames of the right size are left alone: even an idle scaler comes between a decoder and the output.
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
  /// The size to which a picture with more pixels than the screen is scaled before it is rotated; nil keeps its own.
  fileprivate func largest(of picture: PresentationSize) -> PresentationSize? {
    guard let screen, !screen.isEmpty else { return nil }
    // Even sizes, for formats with halved chroma.
    let fitted = PictureFit.contain(picture, in: screen, multiple: 2).size
    guard picture.pixels.width > fitted.width, picture.pixels.height > fitted.height else { return nil }
    return PresentationSize(pixels: fitted)
  }

  /// The factor by which an HDR picture may be reduced as it is mapped. The cost of mapping grows with the pixels, and
  /// scaling ten bits before it costs more than mapping; halving in the same step is nearly free.
  ///
  /// - Parameter picture: size of the upright picture.
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

/// A forecast for the films of one codec on this board: the decoder, and the processor's work on each frame on its way
/// to the screen. It follows the rules of playback.
public struct DecoderOutlook: Hashable, Sendable {
  public var codec: VideoCodec
  public var path: FramePath

  /// - Parameters:
  ///   - decoder: name of the element; nil without one.
  ///   - copies: whether the board's profile has frames copied out of the decoder's memory.
  ///   - demand: the screen's demands on frames; nil without a screen.
  ///   - isAccepted: whether the plane takes the decoders' format, row by row.
  ///   - ways: facts about a decoder with its own memory and about the plane; nil for other decoders.
  ///   - givenUp: uses that gave no picture.
  ///   - film: the film's size; most are 1920x1080.
  public init(
    _ codec: VideoCodec, decoder: String?, isHardware: Bool, copies: Bool, demand: VideoDemand?, isAccepted: Bool,
    ways: FrameWays.Facts? = nil, givenUp: Set<DecoderUse> = [], film: PixelSize = PixelSize(width: 1920, height: 1080)
  ) {
    self.codec = codec
    func treatment(isAccepted: Bool) -> VideoTreatment {
      let facts = VideoFacts(size: PresentationSize(pixels: film), isAccepted: isAccepted)
      return demand.map { VideoTreatment(facts, for: $0) } ?? .none
    }
    var way: FrameWay?
    if let ways, let decoder, !copies {
      let all = FrameWays(ways, code: "NV12", size: film, treatment: treatment(isAccepted: true)).ways
      // The last way is used where all are given up: after it comes another decoder.
      way = all.first { !givenUp.contains(DecoderUse(decoder, way: $0)) } ?? all.last
    }
    let stages =
      switch way {
      case .untouched: VideoTreatment.none
      case .processed: treatment(isAccepted: true).byGraphics ?? .none
      case .downloaded, nil: treatment(isAccepted: isAccepted)
      }
    path = FramePath(
      decoder: decoder, isHardware: isHardware, isShared: isHardware && !copies && (ways == nil || way != .downloaded),
      stages: stages.stages)
  }

  /// The processor's work on each frame, in words; empty for none.
  public var work: [String] {
    path.stages.filter(\.isProcessors).map(\.word) + (path.stages.isEmpty && path.isCopied ? ["copied"] : [])
  }

  /// `H.264: v4l2h264dec, in hardware; frames go to the plane as they are`
  public var text: String {
    guard let decoder = path.decoder else { return "\(codec.name): no decoder" }
    return "\(codec.name): \(decoder)\(path.isHardware ? ", in hardware" : ""); \(way)"
  }

  /// `frames go to the plane as they are`
  public var way: String {
    path.word == "processed"
      ? "the graphics chip has each frame \(path.stages.map(\.word).joined(separator: ", "))"
      : work.isEmpty
        ? path.isHardware ? "frames go to the plane as they are" : "nothing else is done to frames"
        : "the processor has each frame \(work.joined(separator: ", "))"
  }
}

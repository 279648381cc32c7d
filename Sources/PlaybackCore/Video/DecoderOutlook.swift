/// What would become of the films of one codec on this board: what decodes them, and what the processor has to do to each frame
/// on its way to the screen. By the rules that hold when a film is played.
public struct DecoderOutlook: Hashable, Sendable {
  public var codec: VideoCodec
  public var path: FramePath

  /// - Parameters:
  ///   - decoder: name of the element; nil where none is there.
  ///   - copies: the board's profile has frames copied out of the decoder's memory.
  ///   - demand: what the screen asks of frames; nil where there is none.
  ///   - isAccepted: whether the plane takes what decoders give, row by row.
  ///   - ways: of a decoder with memory of its own: its way to the plane by what is known of both; nil for others.
  ///   - film: its size; most are 1920x1080.
  public init(
    _ codec: VideoCodec, decoder: String?, isHardware: Bool, copies: Bool, demand: VideoDemand?, isAccepted: Bool,
    ways: FrameWays.Facts? = nil, film: PixelSize = PixelSize(width: 1920, height: 1080)
  ) {
    self.codec = codec
    func treatment(isAccepted: Bool) -> VideoTreatment {
      let facts = VideoFacts(size: PresentationSize(pixels: film), isAccepted: isAccepted)
      return demand.map { VideoTreatment(facts, for: $0) } ?? .none
    }
    var way: FrameWay?
    if let ways, !copies {
      way = FrameWays(ways, code: "NV12", size: film, treatment: treatment(isAccepted: true)).ways.first
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

  /// What the processor does to each frame, in words; empty for nothing.
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

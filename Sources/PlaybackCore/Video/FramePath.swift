/// What happens to the frames of a film between its decoder and the output.
public struct FramePath: Hashable, Sendable {
  /// Name of the element that decodes; nil where it isn't known.
  public var decoder: String?
  /// The decoder works in hardware.
  public var isHardware: Bool
  /// Frames are in memory that other hardware can read: a dmabuf.
  public var isShared: Bool
  /// What is done to each of them, in order.
  public var stages: [VideoStage]

  public init(decoder: String? = nil, isHardware: Bool, isShared: Bool, stages: [VideoStage] = []) {
    self.decoder = decoder
    self.isHardware = isHardware
    self.isShared = isShared
    self.stages = stages
  }

  /// Whether the processor has to touch each frame of a decoder that could give it to the screen as it is.
  public var isCopied: Bool { (isHardware || isShared) && !isProcessed && !(isShared && stages.isEmpty) }

  /// Whether the graphics chip does all that is done.
  private var isProcessed: Bool { !stages.isEmpty && !stages.contains(where: \.isProcessors) }

  /// Whether this is to be told after what was told of the same film. A decoder that runs short of buffers copies now and then
  /// a frame: that is told once, and stays in the report.
  public func isWorse(than before: FramePath?) -> Bool {
    guard let before else { return true }
    return burden > before.burden
  }

  private var burden: Int { isProcessed ? 1 : !stages.isEmpty ? 2 : isCopied ? 3 : 0 }

  /// `untouched`, `processed` (by the graphics chip), `converted` or `copied`: for reports.
  public var word: String {
    isProcessed ? "processed" : !stages.isEmpty ? "converted" : isCopied ? "copied" : "untouched"
  }

  /// For a log.
  public var text: String {
    let decoder = decoder ?? "an unknown decoder"
    if isProcessed {
      return "\(decoder) decodes, the graphics chip has each frame \(stages.map(\.word).joined(separator: ", "))"
    }
    if !stages.isEmpty {
      return "\(decoder) decodes, each frame is \(stages.map(\.word).joined(separator: ", ")) by the processor"
    }
    return "\(decoder) decodes, \(isCopied ? "each frame is copied" : "frames go to the output as they are")"
  }
}

extension VideoStage {
  /// What is done, for a log.
  var word: String {
    switch self {
    case .deinterlace: "deinterlaced"
    case .toneMap: "mapped from HDR"
    case .crop: "cut"
    case .convert: "converted"
    case .scale(let size, _): "scaled to \(size.pixels.width)x\(size.pixels.height)"
    case .turn: "turned"
    case .process(let size, _, let turn):
      size.map { "scaled to \($0.pixels.width)x\($0.pixels.height)" } ?? (turn == .upright ? "converted" : "turned")
    }
  }
}

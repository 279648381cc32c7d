/// The way of a film's frames between its decoder and the output.
public struct FramePath: Hashable, Sendable {
  /// Name of the decoder element; nil where unknown.
  public var decoder: String?
  /// Whether the decoder is hardware.
  public var isHardware: Bool
  /// Whether frames are in memory that other hardware can read: a dmabuf.
  public var isShared: Bool
  /// The stages that each frame goes through, in order.
  public var stages: [VideoStage]

  public init(decoder: String? = nil, isHardware: Bool, isShared: Bool, stages: [VideoStage] = []) {
    self.decoder = decoder
    self.isHardware = isHardware
    self.isShared = isShared
    self.stages = stages
  }

  /// Whether the processor has to copy each frame of a decoder whose frames the screen could read directly.
  public var isCopied: Bool { (isHardware || isShared) && !isProcessed && !(isShared && stages.isEmpty) }

  /// Whether the graphics chip does all stages.
  private var isProcessed: Bool { !stages.isEmpty && !stages.contains(where: \.isProcessors) }

  /// Whether this path costs more than the one reported before for the same film, and so is worth a report. A decoder
  /// that runs short of buffers copies a frame now and then: that is reported once, and stays in the report.
  public func isWorse(than before: FramePath?) -> Bool {
    guard let before else { return true }
    return burden > before.burden
  }

  private var burden: Int { isProcessed ? 1 : !stages.isEmpty ? 2 : isCopied ? 3 : 0 }

  /// `untouched`, `processed` (by the graphics chip), `converted` or `copied`: for reports.
  public var word: String {
    isProcessed ? "processed" : !stages.isEmpty ? "converted" : isCopied ? "copied" : "untouched"
  }

  /// The path in words, for a log.
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
  /// The stage as a participle, for a log.
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

/// Ways of a frame from the memory of a VA-API decoder to the screen, the least work first.
public enum FrameWay: String, Hashable, Sendable, CaseIterable {
  /// The screen reads the decoder's memory as it is.
  case untouched
  /// The graphics chip writes each frame again: in the size, rotation and layout that the screen takes.
  case processed
  /// The processor reads each frame out of the decoder's memory.
  case downloaded
}

/// A decoder of GStreamer's plugin `va`, identified by its element's name.
public struct VADecoder: Hashable, Sendable {
  /// Such as `vah264dec`; for a second graphics chip `varenderD129h264dec`.
  public var name: String
  /// Prefix of the names of all elements of the same chip.
  private var family: Substring

  /// - Returns: nil for elements of other plugins, the older `vaapi` among them.
  public init?(_ name: String) {
    guard name.hasPrefix("va"), !name.hasPrefix("vaapi"), name.hasSuffix("dec") else { return nil }
    let rest = name.dropFirst(2)
    let codecs = ["av1", "h264", "h265", "jpeg", "mpeg2", "vp8", "vp9"]
    guard let codec = codecs.first(where: { rest.hasSuffix($0 + "dec") }) else { return nil }
    let node = rest.dropLast(codec.count + 3)
    guard node.isEmpty || node.hasPrefix("render") || node.hasPrefix("card") else { return nil }
    self.name = name
    family = name.prefix(2 + node.count)
  }

  /// Name of the element with which the same chip writes frames.
  public var processor: String { "\(family)postproc" }
}

/// A decoder and the way that its frames take: the unit that is tried, given up, and remembered from one process to the
/// next.
public struct DecoderUse: Hashable, Sendable {
  public var decoder: String
  /// Nil for decoders with one way only.
  public var way: FrameWay?

  public init(_ decoder: String, way: FrameWay? = nil) {
    self.decoder = decoder
    self.way = way
  }

  /// - Parameter text: the form of `text`: `v4l2slh264dec`, `vah264dec:untouched`.
  public init(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, let way = FrameWay(rawValue: parts[1]) {
      self.init(parts[0], way: way)
    } else {
      self.init(text)
    }
  }

  public var text: String { way.map { "\(decoder):\($0.rawValue)" } ?? decoder }

  /// Whether the same decoder has another way once this one is given up.
  public var hasNext: Bool { way == .untouched || way == .processed }
}

/// The ways from a decoder to a screen, for one film.
public struct FrameWays: Hashable, Sendable {
  /// Abilities of the decoder, the screen and the graphics chip between them, by their caps.
  public struct Facts: Hashable, Sendable {
    /// Memory that the decoder may give.
    public var decoder: Set<DRMFormat>
    /// Memory that the screen reads as it is. GStreamer 1.22 only: empty.
    public var screen: Set<DRMFormat>
    /// Memory that the chip may write; nil where it can't write frames, or decodes for another chip's screen.
    public var processor: Set<DRMFormat>?
    /// Largest frame that the screen reads; nil where it states no limit.
    public var largest: PixelSize?
    /// Whether decoder and screen may belong to different graphics chips.
    public var isForeign: Bool

    public init(
      decoder: Set<DRMFormat>, screen: Set<DRMFormat>, processor: Set<DRMFormat>?, largest: PixelSize? = nil,
      isForeign: Bool = false
    ) {
      self.decoder = decoder
      self.screen = screen
      self.processor = processor
      self.largest = largest
      self.isForeign = isForeign
    }
  }

  /// Best first; `downloaded` is always the last. After it comes another decoder: the processor.
  public var ways: [FrameWay]
  /// Formats to ask of the decoder so that the screen can read its frames directly.
  public var shared: Set<DRMFormat>
  /// Formats to ask of the chip where it writes frames.
  public var written: Set<DRMFormat>

  /// - Parameters:
  ///   - facts: of decoder and screen.
  ///   - code: the format that the film is decoded to: `NV12`, or `P010` for ten bits.
  ///   - size: the frames' size.
  ///   - treatment: the stages for frames in a format that the screen takes.
  public init(_ facts: Facts, code: String, size: PixelSize, treatment: VideoTreatment) {
    shared = []
    written = []
    if !facts.isForeign {
      let fits = facts.largest.map { size.width <= $0.width && size.height <= $0.height } ?? true
      if treatment.stages.isEmpty, fits { shared = facts.decoder.intersection(facts.screen).filter { $0.code == code } }
      if let processor = facts.processor {
        written = Self.best(of: processor.intersection(facts.screen), for: code)
      }
    }
    let isProcessed = !written.isEmpty && treatment.byGraphics != nil
    ways = (shared.isEmpty ? [] : [.untouched]) + (isProcessed ? [.processed] : []) + [.downloaded]
  }

  /// The best of these formats: the film's own, else YUV of eight bits, else of ten, else RGB.
  private static func best(of formats: Set<DRMFormat>, for code: String) -> Set<DRMFormat> {
    for choice in [[code], ["NV12"], ["P010"], ["XR24", "AR24", "XB24", "AB24"]] {
      let found = formats.filter { choice.contains($0.code) }
      if !found.isEmpty { return found }
    }
    return []
  }
}

extension VideoTreatment {
  /// This treatment by the graphics chip, in one step; nil where it has a stage that the chip isn't asked to do:
  /// deinterlacing, mapping HDR to SDR, cropping.
  public var byGraphics: VideoTreatment? {
    var (size, addsBorders, turn): (PresentationSize?, Bool, PictureOrientation) = (nil, false, .upright)
    for stage in stages {
      switch stage {
      case .convert: break
      case .scale(let wanted, let borders): (size, addsBorders) = (wanted, borders)
      case .turn(let orientation): turn = orientation
      case .deinterlace, .toneMap, .crop, .process: return nil
      }
    }
    return VideoTreatment(stages: [.process(to: size.map(turn.turned), addsBorders: addsBorders, turn)])
  }
}

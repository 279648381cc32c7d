/// What a medium turned out to be when it was opened.
public struct MediaFacts: Hashable, Sendable, Codable {
  /// In words, such as "Quicktime"; nil where there is none, as for a picture.
  public var container: String?
  /// Nil when unknown, as of a live source.
  public var duration: Duration?
  public var isLive: Bool
  public var streams: [StreamFacts]
  /// What a server gave in place of a medium; nil for a medium.
  public var list: ListFacts?

  public init(
    container: String? = nil, duration: Duration? = nil, isLive: Bool = false, streams: [StreamFacts] = [],
    list: ListFacts? = nil
  ) {
    self.list = list
    self.container = container
    self.duration = duration
    self.isLive = isLive
    self.streams = streams
  }
}

/// A list of addresses that a server gave in place of a medium.
public struct ListFacts: Hashable, Sendable, Codable {
  /// Bytes of a list that are looked at when it is only to be checked.
  public static let longest = 256 << 10

  public var medium: ServedMedium
  /// The list, or its beginning.
  public var text: String
  /// Of the farthest server that had a say in it, where that is known.
  public var reach: NetworkReach?

  public init(medium: ServedMedium, text: String, reach: NetworkReach?) {
    self.medium = medium
    self.text = text
    self.reach = reach
  }
}

/// One stream of a medium.
public struct StreamFacts: Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, Codable { case video, picture, audio, subtitle }

  /// How bright a pixel is for its number.
  public enum Transfer: String, Hashable, Sendable, Codable {
    case sdr
    /// HDR10 and the like: SMPTE ST 2084.
    case pq
    /// Of broadcasters: ARIB STD-B67.
    case hlg
  }

  public var kind: Kind
  /// In words, such as "H.264 (High Profile)".
  public var codec: String
  /// What board profiles are about; nil for other codecs, and for what isn't video.
  public var format: VideoCodec?
  /// Such as `high`, `main-10`; nil where the stream doesn't say.
  public var profile: String?
  /// Such as `4.1`.
  public var level: String?
  /// The element that decodes it here; nil when there is none.
  public var decoder: String?
  /// There is nothing to decode: it is stored as it is, or comes decoded.
  public var isRaw = false
  /// Whether that element says that it is hardware.
  public var isHardware = false
  /// Of video and pictures, in pixels as they are stored.
  public var size: PixelSize?
  /// Width over height of one pixel.
  public var pixelAspect = Ratio.one
  /// Frames in a second; nil for sound, and where it isn't constant.
  public var rate: Ratio?
  /// Of each colour; nil where it isn't told.
  public var bits: Int?
  /// Such as `4:2:0`; nil where it isn't told.
  public var chroma: String?
  public var transfer = Transfer.sdr
  public var isInterlaced = false
  /// How it has to be turned to stand upright, in GStreamer's words: `rotate-90`, `flip-rotate-180`; nil is upright.
  public var orientation: String?
  /// Of sound.
  public var channels: Int?
  /// Samples in a second.
  public var sampleRate: Int?
  /// As the stream says, mostly by ISO 639.
  public var language: String?

  public init(kind: Kind, codec: String) {
    self.kind = kind
    self.codec = codec
  }

  /// Frames in a second as a number.
  public var framesPerSecond: Double? { rate.map { Double($0.numerator) / Double($0.denominator) } }

  /// Whether it is turned by a quarter: what is stored wide is shown high.
  public var isTurnedSideways: Bool { orientation.map { $0.hasSuffix("90") || $0.hasSuffix("270") } ?? false }
}

/// A codec that boards decode more or less well of.
public enum VideoCodec: String, Hashable, Sendable, Codable, CaseIterable {
  case h264, h265, vp8, vp9, av1, mpeg2, mpeg4

  /// As people call it.
  public var name: String {
    switch self {
    case .h264: "H.264"
    case .h265: "H.265"
    case .vp8: "VP8"
    case .vp9: "VP9"
    case .av1: "AV1"
    case .mpeg2: "MPEG-2"
    case .mpeg4: "MPEG-4 part 2"
    }
  }
}

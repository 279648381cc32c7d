/// The properties of an opened medium.
public struct MediaFacts: Hashable, Sendable, Codable {
  /// Name of the container format, such as "Quicktime"; nil without one, as for a picture.
  public var container: String?
  /// Nil while unknown, as for a live source.
  public var duration: Duration?
  public var isLive: Bool
  public var streams: [StreamFacts]
  /// The titles of the sound streams, in their order; empty where a stream has none.
  public var soundTitles: [String] = []
  /// The list that a server sent in place of a medium; nil for a medium.
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

/// A list of addresses that a server sent in place of a medium.
public struct ListFacts: Hashable, Sendable, Codable {
  /// Bytes that are read of a list that is only to be checked.
  public static let longest = 256 << 10

  public var medium: ServedMedium
  /// The list, or its beginning.
  public var text: String
  /// Reach of the farthest server that took part in sending the list; nil where unknown.
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

  /// The curve from a pixel's number to its brightness.
  public enum Transfer: String, Hashable, Sendable, Codable {
    case sdr
    /// HDR10 and similar formats: SMPTE ST 2084.
    case pq
    /// Broadcast HDR: ARIB STD-B67.
    case hlg
  }

  public var kind: Kind
  /// The codec's name, such as "H.264 (High Profile)".
  public var codec: String
  /// The codec in terms of board profiles; nil for other codecs, and for streams other than video.
  public var format: VideoCodec?
  /// Such as `high`, `main-10`; nil where the stream doesn't state it.
  public var profile: String?
  /// Such as `4.1`.
  public var level: String?
  /// The element that decodes the stream on this machine; nil without one.
  public var decoder: String?
  /// Whether the stream needs no decoder: it is stored uncompressed, or the source decodes it.
  public var isRaw = false
  /// Whether `decoder` calls itself a hardware decoder.
  public var isHardware = false
  /// Stored size in pixels, of video and pictures.
  public var size: PixelSize?
  /// Width over height of one pixel.
  public var pixelAspect = Ratio.one
  /// Frames a second; nil for sound, and for a rate that varies.
  public var rate: Ratio?
  /// Bits per colour component; nil where unknown.
  public var bits: Int?
  /// Such as `4:2:0`; nil where unknown.
  public var chroma: String?
  public var transfer = Transfer.sdr
  public var isInterlaced = false
  /// The turn that brings the picture upright, in GStreamer's words: `rotate-90`, `flip-rotate-180`; nil for a picture
  /// that is upright.
  public var orientation: String?
  /// Number of sound channels.
  public var channels: Int?
  /// Samples a second.
  public var sampleRate: Int?
  /// The stream's own language code, mostly of ISO 639.
  public var language: String?

  public init(kind: Kind, codec: String) {
    self.kind = kind
    self.codec = codec
  }

  /// Frames a second as a decimal number.
  public var framesPerSecond: Double? { rate.map { Double($0.numerator) / Double($0.denominator) } }

  /// Whether the picture is turned by a quarter: stored wide, it is shown high.
  public var isTurnedSideways: Bool { orientation.map { $0.hasSuffix("90") || $0.hasSuffix("270") } ?? false }
}

/// A codec that board profiles know.
public enum VideoCodec: String, Hashable, Sendable, Codable, CaseIterable {
  case h264, h265, vp8, vp9, av1, mpeg2, mpeg4

  /// The codec's usual name.
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

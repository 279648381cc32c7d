/// The sizes and rates that a board decodes in time, as far as they are known, by codec. Part of its profile.
public struct BoardDecoding: Hashable, Sendable {
  /// The most that is decoded in time: a size, and the frames of that size in a second. Smaller frames may come faster.
  public struct Limit: Hashable, Sendable, CustomStringConvertible {
    public var size: PixelSize
    public var framesPerSecond: Int

    public init(size: PixelSize, framesPerSecond: Int) {
      self.size = size
      self.framesPerSecond = framesPerSecond
    }

    /// Reads `1920x1080@60`; nil for any other form.
    public init?(parsing text: String) {
      guard case .size(let size, let rate?)? = DisplayMode(parsing: text), rate % 1000 == 0 else { return nil }
      self.init(size: size, framesPerSecond: rate / 1000)
    }

    public var description: String { "\(size.width)x\(size.height)@\(framesPerSecond)" }
  }

  /// The limits of one codec.
  public struct Codec: Hashable, Sendable {
    public var hardware: Limit?
    public var software: Limit?
    /// The highest level that the hardware decoder takes, such as 4.2.
    public var level: Double?
    /// Bits per colour component that the hardware decoder takes; nil is 8.
    public var bits: Int?
    /// The hardware decoder's requirements on the system, in words for people.
    public var needs: String?
    public init() {}
    public var isEmpty: Bool { self == Codec() }
  }

  public var h264 = Codec()
  public var h265 = Codec()
  public var vp8 = Codec()
  public var vp9 = Codec()
  public var av1 = Codec()
  public var mpeg2 = Codec()
  public var mpeg4 = Codec()

  public init() {}

  public subscript(_ format: VideoCodec) -> Codec {
    get { self[keyPath: Self.path(format)] }
    set { self[keyPath: Self.path(format)] = newValue }
  }

  /// Overwrites with the codecs that `other` describes; keeps the rest.
  public mutating func merge(_ other: BoardDecoding) {
    for format in VideoCodec.allCases where !other[format].isEmpty { self[format] = other[format] }
  }

  private static func path(_ format: VideoCodec) -> WritableKeyPath<BoardDecoding, Codec> {
    switch format {
    case .h264: \.h264
    case .h265: \.h265
    case .vp8: \.vp8
    case .vp9: \.vp9
    case .av1: \.av1
    case .mpeg2: \.mpeg2
    case .mpeg4: \.mpeg4
    }
  }
}

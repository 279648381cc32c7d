internal import CGStreamer
internal import CGStreamerShims
public import PlaybackCore

/// What a medium turned out to be when it was opened.
public struct MediaProbe: Hashable, Sendable {
  public struct Stream: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case video, picture, audio, subtitle }
    public var kind: Kind
    /// In words, such as "H.264 (High Profile)".
    public var codec: String
    /// The element that decodes it here; nil when there is none.
    public var decoder: String?
    /// Whether that element says that it is hardware.
    public var isHardware: Bool
    /// Of video and pictures.
    public var size: PixelSize?
    /// Frames in a second; nil for sound, and where it isn't constant.
    public var rate: Double?
  }

  /// Nil when unknown, as of a live source.
  public var duration: Duration?
  public var isLive: Bool
  public var streams: [Stream]

  /// How long opening may take: name look-up, connection and the first frame over a slow link.
  public static let limit: Duration = .seconds(20)

  /// Opens a medium up to its first decoded frame.
  ///
  /// Blocks for up to `limit`; not for the loop. Any thread, one at a time each.
  ///
  /// - Throws: what playing it would fail with: families 2xxx to 4xxx and 71xx.
  public static func open(_ item: MediaItem, limit: Duration = limit) throws(VitrineError) -> MediaProbe {
    try GStreamerLibrary.start()
    var result = vit_probe_result()
    vit_probe(item.uri, UInt64(max(0, limit.wholeNanoseconds)), &result)
    guard result.has_failed == 0 else {
      guard result.has_timed_out == 0 else {
        throw VitrineError(
          4101, subject: item.uri, message: "no picture and no sound came within the time allowed",
          remedy: "check that the file plays elsewhere and that its server answers")
      }
      let fault = MediaFault(
        domain: MediaFault.Domain(quark: result.domain), code: Int(result.code), message: text(of: &result.message))
      throw MediaErrors.classify(fault, uri: item.uri, isRemote: item.isRemote)
    }
    let streams = withUnsafeMutablePointer(to: &result.streams) { pointer in
      pointer.withMemoryRebound(to: vit_probe_stream.self, capacity: Int(VIT_PROBE_STREAMS)) { first in
        (0..<Int(result.stream_count)).map { stream(&first[$0]) }
      }
    }
    return MediaProbe(
      duration: result.duration == 0 ? nil : .nanoseconds(Int64(clamping: result.duration)),
      isLive: result.is_live != 0, streams: streams)
  }

  private static func stream(_ stream: inout vit_probe_stream) -> Stream {
    let kind: Stream.Kind =
      switch stream.kind {
      case VIT_PROBE_VIDEO: .video
      case VIT_PROBE_PICTURE: .picture
      case VIT_PROBE_AUDIO: .audio
      default: .subtitle
      }
    let decoder = text(of: &stream.decoder)
    let hasRate = stream.rate_numerator > 0 && stream.rate_denominator > 0 && kind == .video
    return Stream(
      kind: kind, codec: text(of: &stream.codec), decoder: decoder.isEmpty ? nil : decoder,
      isHardware: stream.is_hardware != 0,
      size: stream.width > 0 ? PixelSize(width: Int(stream.width), height: Int(stream.height)) : nil,
      rate: hasRate ? Double(stream.rate_numerator) / Double(stream.rate_denominator) : nil)
  }

  /// A C array of characters, which is a tuple here.
  private static func text<Characters>(of characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

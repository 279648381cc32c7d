internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// Decodes a clip as playback would, and reports the result.
public enum DecodeCheck {
  /// Blocks for up to `limit`. After a time-out the process should end: the decoder may never shut down.
  ///
  /// - Throws: 7201 when GStreamer can't start.
  public static func decode(_ uri: String, limit: Duration) throws(VitrineError) -> DecodedClip {
    try GStreamerLibrary.start()
    let sums = Sums()
    var result = vit_decode_result()
    vit_decode(
      uri, UInt64(max(0, limit.wholeNanoseconds)), &result,
      { sum, data in
        guard let data else { return }
        Unmanaged<Sums>.fromOpaque(data).takeUnretainedValue().add(String(cString: sum))
      }, Unmanaged.passUnretained(sums).toOpaque())
    var outcome = DecodedClip()
    outcome.decoder = text(of: &result.decoder)
    outcome.device = text(of: &result.device)
    outcome.isHardware = result.is_hardware != 0
    outcome.format = text(of: &result.format)
    outcome.isShared = result.is_shared != 0
    outcome.checksums = sums.texts
    outcome.seconds = sums.seconds
    outcome.unreadableFrames = Int(result.unreadable)
    outcome.hasTimedOut = result.has_timed_out != 0
    if result.has_failed != 0 { outcome.problem = text(of: &result.message) }
    return outcome
  }

  /// The element that decodes this codec on this machine; nil if there isn't any.
  ///
  /// - Throws: 7201 when GStreamer can't start.
  public static func decoder(of codec: VideoCodec) throws(VitrineError) -> (name: String, isHardware: Bool)? {
    try GStreamerLibrary.start()
    var name = [CChar](repeating: 0, count: VIT_DECODE_TEXT)
    var isHardware: gboolean = 0
    vit_best_decoder(codec.caps, &name, name.count, &isHardware)
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : (text, isHardware != 0)
  }

  private final class Sums {
    private(set) var texts: [String] = []
    private var times: (first: Int64, last: Int64) = (0, 0)

    func add(_ text: String) {
      times.last = EventLoop.monotonicNanoseconds()
      if texts.isEmpty { times.first = times.last }
      texts.append(text)
    }

    /// Time from the first checksum to the last; nil for fewer than two.
    var seconds: Double? { texts.count > 1 ? Double(times.last - times.first) / 1_000_000_000 : nil }
  }

  private static func text<Characters>(of characters: inout Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension VideoCodec {
  /// The caps that a parser gives to the decoder.
  fileprivate var caps: String {
    switch self {
    case .h264: "video/x-h264,stream-format=avc,alignment=au,parsed=(boolean)true"
    case .h265: "video/x-h265,stream-format=hvc1,alignment=au,parsed=(boolean)true"
    case .vp8: "video/x-vp8"
    case .vp9: "video/x-vp9,alignment=frame"
    case .av1: "video/x-av1,stream-format=obu-stream,alignment=frame,parsed=(boolean)true"
    case .mpeg2: "video/mpeg,mpegversion=2,systemstream=(boolean)false,parsed=(boolean)true"
    case .mpeg4: "video/mpeg,mpegversion=4,systemstream=(boolean)false,parsed=(boolean)true"
    }
  }
}

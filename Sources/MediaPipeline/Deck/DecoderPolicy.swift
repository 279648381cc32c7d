internal import CGStreamer
internal import CGStreamerShims
public import PlaybackCore

/// What is known of a board's decoders, and can't be asked of them; from its profile.
public struct DecoderPolicy: Hashable, Sendable {
  /// Where a seek to the very frame does harm. There the key frame before it is taken.
  public enum ExactSeeks: Hashable, Sendable {
    case allowed
    case forbidden
    /// Forbidden where one of these elements decodes.
    case forbiddenWith(Set<String>)
  }

  public var exactSeeks = ExactSeeks.allowed
  /// Properties that are set on every element in a deck that has them, as text.
  public var properties: [String: String] = [:]

  /// How many pictures are made of interlaced frames.
  public var deinterlacing = Deinterlacing.fields

  public init() {}

  /// Has decoders of V4L2 give frames in memory that the sink copies: frames that stay on the screen then keep no buffer
  /// from a decoder that has few.
  public mutating func copyFrames() { properties["capture-io-mode"] = "mmap" }

  /// - Parameter decoders: names of the elements in the deck; asked only where it matters.
  func mode(_ wanted: SeekMode, decoders: () -> Set<String>) -> SeekMode {
    guard wanted == .exact else { return wanted }
    switch exactSeeks {
    case .allowed: return .exact
    case .forbidden: return .keyframeBefore
    case .forbiddenWith(let harmed): return harmed.isDisjoint(with: decoders()) ? .exact : .keyframeBefore
    }
  }

  /// Decoders for which GStreamer keeps the books of each picture, and not the driver.
  private static let stateless = "v4l2sl"

  /// GStreamer 1.22's stateless decoders make their buffers anew whenever they are asked for their format again, and fail
  /// where those before are in use (VP9), or make twice as many (HEVC). Linking behind them asks; what they give stays what
  /// it was.
  private static func askOnce(_ decoder: Element) {
    guard decoder.factory.hasPrefix(stateless) else { return }
    decoder.staticPad("src")?.probe(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { pad, info in
      guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_RECONFIGURE,
        gst_pad_has_current_caps(pad) != 0
      else { return }
      // Looks, and has it be forgotten.
      _ = gst_pad_check_reconfigure(pad)
    }
  }

  /// Sets the properties on what the pipeline makes from now on. On the thread that makes it, before it does anything.
  func prepare(_ pipeline: Element) {
    pipeline.observeParts { [properties] element in
      Self.askOnce(element)
      for (name, value) in properties { element.set(name, nick: value) }
    }
  }
}

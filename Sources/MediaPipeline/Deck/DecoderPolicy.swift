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

  /// Sets the properties on what the pipeline makes from now on. On the thread that makes it, before it does anything.
  func prepare(_ pipeline: Element) {
    guard !properties.isEmpty else { return }
    let callback:
      @Sendable @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
        _, _, made, data in
        guard let made, let data else { return }
        let element = Element(sinking: made)
        for (name, value) in Unmanaged<Properties>.fromOpaque(data).takeUnretainedValue().values {
          element.set(name, nick: value)
        }
      }
    g_signal_connect_data(
      pipeline.pointer, "deep-element-added", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passRetained(Properties(properties)).toOpaque(),
      { data, _ in if let data { Unmanaged<Properties>.fromOpaque(data).release() } }, GConnectFlags(0))
  }
}

private final class Properties: Sendable {
  let values: [String: String]
  init(_ values: [String: String]) { self.values = values }
}

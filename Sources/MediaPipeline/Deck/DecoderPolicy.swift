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
    pipeline.observeParts { [properties] element in
      for (name, value) in properties { element.set(name, nick: value) }
    }
  }
}

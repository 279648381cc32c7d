internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
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

  /// Elements that are never used.
  public var avoided: Set<String> = []

  /// After how many pictures a deck with a decoder in hardware is opened anew, by the board's profile; nil for as many as the
  /// decoder takes.
  public var picturesOfDecoder: Int?

  /// Frames in dmabufs are copied.
  public private(set) var copiesFrames = false

  public init() {}

  /// Has decoders of V4L2 give frames in memory that the sink copies: frames that stay on the screen then keep no buffer
  /// from a decoder that has few.
  ///
  /// Stateless decoders have no such property: of these each frame is copied on its way.
  public mutating func copyFrames() {
    properties["capture-io-mode"] = "mmap"
    copiesFrames = true
  }

  /// - Parameter decoders: names of the elements in the deck; asked only where it matters.
  func mode(_ wanted: SeekMode, decoders: () -> Set<String>) -> SeekMode {
    guard wanted == .exact else { return wanted }
    switch exactSeeks {
    case .allowed: return .exact
    case .forbidden: return .keyframeBefore
    case .forbiddenWith(let harmed): return harmed.isDisjoint(with: decoders()) ? .exact : .keyframeBefore
    }
  }

  /// A decoder in hardware is told what its stream leaves out of its colours, gives all that it has decoded, and tells when it
  /// begins, and when it is worn.
  ///
  /// - Parameter use: how a decoder of VA-API is used.
  private func announce(
    _ decoder: Element, use: (@Sendable () -> DecoderUse)?, to decodes: @escaping @Sendable (DecoderNews) -> Void
  ) {
    guard decoder.isHardwareDecoder else { return }
    decoder.staticPad("sink")?.completeColours()
    // It can't leave out the work, only its results: told that frames are late it would decode and throw away nearly all
    // of them. The head of the output keeps the newest.
    decoder.set("qos", false)
    let name = decoder.factory
    let limit = DecoderWear.limit(
      of: name, gstreamer: SoftwareVersion(GStreamerLibrary.version), profile: picturesOfDecoder)
    let count = Locked(0)
    decoder.staticPad("sink")?.probe(GST_PAD_PROBE_TYPE_BUFFER) { _, _ in
      let pictures = count.withLock { pictures in
        pictures += 1
        return pictures
      }
      if pictures == 1 { decodes(.begins(use?().text ?? name)) }
      if pictures == limit { decodes(.isWorn(name)) }
    }
  }

  /// Sets the properties on what the pipeline makes from now on. On the thread that makes it, before it does anything.
  ///
  /// - Parameters:
  ///   - acceleration: chooses for decoders of VA-API.
  ///   - decodes: told on the streaming thread of decoders in hardware.
  func prepare(
    _ pipeline: Element, acceleration: VideoAcceleration? = nil,
    decodes: @escaping @Sendable (DecoderNews) -> Void = { _ in }
  ) {
    pipeline.observeParts { [self] element in
      vit_ask_once(element.pointer)
      vit_leave_pictures_out(element.pointer)
      if element.isHardwareDecoder { vit_answer_for_hardware(element.pointer, guint(MediaOutput.framesHeld)) }
      announce(element, use: acceleration?.attach(to: element), to: decodes)
      element.easeDecoding()
      for (name, value) in properties { element.set(name, nick: value) }
    }
  }
}

/// What a decoder in hardware tells: its first data has come, or it has had as many pictures as it takes. Of one that has several ways
/// for its frames, the way belongs to the name (`DecoderUse`).
enum DecoderNews: Hashable, Sendable {
  case begins(String)
  case isWorn(String)
}

internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// The board profile's facts about its decoders, which the decoders themselves don't report.
public struct DecoderPolicy: Hashable, Sendable {
  /// Exact seeks can be forbidden where they do harm: a seek then goes to the key frame before its target.
  public enum ExactSeeks: Hashable, Sendable {
    case allowed
    case forbidden
    /// Forbidden where one of these elements decodes.
    case forbiddenWith(Set<String>)
  }

  public var exactSeeks = ExactSeeks.allowed
  /// Properties that are set, as text, on every element of a deck that has them.
  public var properties: [String: String] = [:]

  /// How many pictures each interlaced frame yields.
  public var deinterlacing = Deinterlacing.fields

  /// Elements that are never used.
  public var avoided: Set<String> = []

  /// The board profile's limit of pictures after which a deck with a hardware decoder is replaced; nil for the
  /// decoder's own limit.
  public var picturesOfDecoder: Int?

  /// Frames in dmabufs are copied on their way to the output.
  public private(set) var copiesFrames = false

  public init() {}

  /// Has V4L2 decoders deliver frames in memory that the sink copies: frames that stay on the screen then don't occupy
  /// the decoder's few buffers.
  ///
  /// Stateless decoders have no such property: each of their frames is copied on its way.
  public mutating func copyFrames() {
    properties["capture-io-mode"] = "mmap"
    copiesFrames = true
  }

  /// - Parameter decoders: names of the elements in the deck; only called where the answer matters.
  func mode(_ wanted: SeekMode, decoders: () -> Set<String>) -> SeekMode {
    guard wanted == .exact else { return wanted }
    switch exactSeeks {
    case .allowed: return .exact
    case .forbidden: return .keyframeBefore
    case .forbiddenWith(let harmed): return harmed.isDisjoint(with: decoders()) ? .exact : .keyframeBefore
    }
  }

  /// Prepares a decoder in hardware: completes the colours in its stream's caps, turns its dropping of late frames off,
  /// and reports when it gets its first data and when it is worn.
  ///
  /// - Parameter use: gives the way in which a VA-API decoder hands out frames.
  private func announce(
    _ decoder: Element, use: (@Sendable () -> DecoderUse)?, to decodes: @escaping @Sendable (DecoderNews) -> Void
  ) {
    guard decoder.isHardwareDecoder else { return }
    decoder.staticPad("sink")?.completeColours()
    // Such a decoder drops its results but not its work: with late frames reported to it, it would decode and throw
    // away nearly all of them. The head of the output keeps the newest.
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

  /// Sets the properties on every element that the pipeline makes from now on, on the thread that makes it, before it
  /// runs.
  ///
  /// - Parameters:
  ///   - acceleration: chooses how VA-API decoders are used.
  ///   - decodes: called on the streaming thread with news of decoders in hardware.
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

/// News of a hardware decoder: it has got its first data, or it has decoded as many pictures as it can. For a decoder
/// that can hand out its frames in several ways, the name includes the way (`DecoderUse`).
enum DecoderNews: Hashable, Sendable {
  case begins(String)
  case isWorn(String)
}

public import PlaybackCore

/// A board's properties that can't be measured on it, from `board/NN-name.toml`.
///
/// Everything is optional: the player asks the board for a property that no matching file gives.
public struct BoardProfile: Hashable, Sendable {
  /// How decoded frames go to the screen.
  public enum DecoderMemory: String, Hashable, Sendable, CaseIterable {
    /// Straight from the decoder, without a copy.
    case direct
    /// Copied, because frames on the screen would starve the decoder of buffers.
    case copy
  }

  /// A kind of seek that hangs the board.
  public enum SeekKind: String, Hashable, Sendable, CaseIterable {
    /// A seek to the exact frame. If it is forbidden, the player seeks to the key frame before.
    case exact
  }

  /// Whether the video plane scales; nil to ask the driver.
  public var planeScales: Bool?
  /// The largest mode that the player chooses by itself; nil for the screen's preferred mode. A mode named in the
  /// configuration may be larger.
  public var modeLimit: BoardDecoding.Limit?
  /// The size of the board's own panel before rotation. A size that the panel reports has priority.
  public var panelMillimetres: PixelSize?
  public var decoderMemory: DecoderMemory?
  /// Whether the decoder can only decode one stream at a time.
  public var decodesOneStream: Bool?
  /// After this many pictures a deck with a hardware decoder is reopened; nil for no limit.
  public var picturesOfDecoder: Int?
  /// GStreamer elements that the player never uses.
  public var avoidedDecoders: [String]?
  /// How many pictures are made of each interlaced frame; nil for one per field.
  public var deinterlacing: Deinterlacing?
  public var forbiddenSeeks: [SeekKind]?
  /// GStreamer elements for which `forbiddenSeeks` holds; a film that another element decodes may seek freely. Nil for
  /// all elements.
  public var forbiddenSeekDecoders: [String]?
  /// Lines for the board's boot configuration, for people.
  public var bootSettings: [String]?
  /// The largest streams that the board decodes in real time.
  public var decoding = BoardDecoding()

  public init() {}

  /// Overrides each property for which `other` has a value.
  public mutating func merge(_ other: BoardProfile) {
    planeScales = other.planeScales ?? planeScales
    modeLimit = other.modeLimit ?? modeLimit
    panelMillimetres = other.panelMillimetres ?? panelMillimetres
    decoderMemory = other.decoderMemory ?? decoderMemory
    decodesOneStream = other.decodesOneStream ?? decodesOneStream
    picturesOfDecoder = other.picturesOfDecoder ?? picturesOfDecoder
    avoidedDecoders = other.avoidedDecoders ?? avoidedDecoders
    deinterlacing = other.deinterlacing ?? deinterlacing
    if other.forbiddenSeeks != nil {
      forbiddenSeeks = other.forbiddenSeeks
      forbiddenSeekDecoders = other.forbiddenSeekDecoders
    }
    bootSettings = other.bootSettings ?? bootSettings
    decoding.merge(other.decoding)
  }
}

/// A profile's file.
struct BoardProfileFile: Hashable, Sendable {
  var version: Int64 = 1
  var match = BoardMatch()
  var profile = BoardProfile()
  var variants: [BoardVariant] = []

  /// Merges the properties for all of the board's systems with those of the variants that match this system.
  func profile(for facts: BoardFacts) -> BoardProfile {
    var merged = profile
    for variant in variants where variant.system.holds(for: facts) { merged.merge(variant.profile) }
    return merged
  }

  static let schema = TableDescription<BoardProfileFile>([
    .value("version", .exactly(1), \.version, example: "1", "The version of the format.").required,
    .table("match", matchKeys, \.match, "Which boards it is for, and with which systems."),
    .table("panel", panelKeys, \.profile, "The panel that the board has."),
    .table("planes", planeKeys, \.profile, "The planes of the screen."),
    .table("decoder", decoderKeys, \.profile, "The decoder."),
    .table("seek", seekKeys, \.profile, "Seeking."),
    .table("plays", playsKeys, \.profile.decoding, "What it decodes in time, by codec; for `vitrine check --probe`."),
    .table("boot", bootKeys, \.profile, "Starting the board."),
    .tables(
      "when", header: "[[when]]", variantKeys, new: { BoardVariant() }, limit: 16, \.variants,
      "What holds for some systems only; later ones win."),
  ])
  private static let variantKeys = TableDescription<BoardVariant>([
    .optional("kernel", .versions, \.system.kernel, "Versions of the kernel."),
    .optional("gstreamer", .versions, \.system.gstreamer, "Versions of GStreamer."),
    .value("release", .texts, \.system.release, "Parts of what `uname -r` says; any is enough."),
    .table("panel", panelKeys, \.profile, "The panel that the board has."),
    .table("planes", planeKeys, \.profile, "The planes of the screen."),
    .table("decoder", decoderKeys, \.profile, "The decoder."),
    .table("seek", seekKeys, \.profile, "Seeking."),
    .table("plays", playsKeys, \.profile.decoding, "What it decodes in time, by codec."),
    .table("boot", bootKeys, \.profile, "Starting the board."),
  ])
  private static let matchKeys = TableDescription<BoardMatch>([
    .value("compatible", .texts, \.compatible, "Of the device tree, whole."),
    .value("dmi", .texts, \.dmi, "Parts of the vendor's, product's or board's name of a PC, in any case."),
    .value("driver", .texts, \.driver, "Kernel drivers of the graphics card."),
    .value("processor", .texts, \.processor, "Parts of the processor's name, in any case."),
    .optional("kernel", .versions, \.system.kernel, "Versions of the kernel. Has to hold as well."),
    .optional("gstreamer", .versions, \.system.gstreamer, "Versions of GStreamer. Has to hold as well."),
    .value("release", .texts, \.system.release, "Parts of what `uname -r` says. One of them has to be there as well."),
  ])
  private static let panelKeys = TableDescription<BoardProfile>([
    .optional(
      "millimetres", .millimetres, \.panelMillimetres,
      "Its size by its data sheet, before rotation; for panels that don't report their size.")
  ])
  private static let planeKeys = TableDescription<BoardProfile>([
    .optional("scale", .boolean, \.planeScales, "Whether the video plane scales. Without it, the driver is asked."),
    .optional(
      "most", .decodingLimit, \.modeLimit,
      "The largest mode that isn't named in the configuration; a screen may prefer more than the board keeps up."),
  ])
  private static let decoderKeys = TableDescription<BoardProfile>([
    .optional("memory", .word, \.decoderMemory, "How decoded frames go to the screen."),
    .optional(
      "pictures", .integer(in: 1...1_000_000_000), \.picturesOfDecoder,
      "After this many pictures a film is reopened at its position, for hardware decoders that fail in time."),
    .optional("avoid", .texts, \.avoidedDecoders, "GStreamer elements that are never used: the next best decodes."),
    .optional(
      "one-stream", .boolean, \.decodesOneStream,
      "Whether it takes one stream at a time: a film is opened then when the one before is over, with its last frame up."
    ),
    .optional(
      "deinterlace", .word, \.deinterlacing,
      "How many pictures are made of interlaced frames: one of each field, or one of both, which costs half."),
  ])
  private static let seekKeys = TableDescription<BoardProfile>([
    .optional("forbid", .words, \.forbiddenSeeks, "Kinds of seeks that hang the board."),
    .optional(
      "with", .texts, \.forbiddenSeekDecoders,
      "Only where one of these GStreamer elements decodes. Without it, wherever anything does."),
  ])
  private static let playsKeys = TableDescription<BoardDecoding>([
    .table("h264", codecKeys, \.h264, "H.264."), .table("h265", codecKeys, \.h265, "H.265."),
    .table("vp8", codecKeys, \.vp8, "VP8."), .table("vp9", codecKeys, \.vp9, "VP9."),
    .table("av1", codecKeys, \.av1, "AV1."), .table("mpeg2", codecKeys, \.mpeg2, "MPEG-1 and MPEG-2."),
    .table("mpeg4", codecKeys, \.mpeg4, "MPEG-4 part 2."),
  ])
  private static let codecKeys = TableDescription<BoardDecoding.Codec>([
    .optional("hardware", .decodingLimit, \.hardware, "The most that a decoder in hardware takes."),
    .optional("software", .decodingLimit, \.software, "The most that the processor decodes in time."),
    .optional("level", .number(in: 1...9), \.level, "The highest level that the decoder in hardware takes."),
    .optional("bits", .integer(in: 8...16), \.bits, "Bits of each colour that it takes. Without it, 8."),
    .optional("needs", .text, \.needs, "What the decoder in hardware needs of the system, for people."),
  ])
  private static let bootKeys = TableDescription<BoardProfile>([
    .optional("settings", .texts, \.bootSettings, "Lines for the board's boot configuration, for people.")
  ])
}

extension ValueRule where Value == BoardDecoding.Limit {
  /// A size, and how many frames of that size in a second.
  fileprivate static var decodingLimit: Self {
    ValueRule(
      allowed: "a size with frames in a second such as \"1920x1080@60\" is allowed",
      shape: .text(pattern: "^[0-9]{1,5}x[0-9]{1,5}@[0-9]{1,4}$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let limit = BoardDecoding.Limit(parsing: text) else { throw Refusal("is not a size with a rate") }
      return limit
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == PixelSize {
  fileprivate static var millimetres: Self {
    ValueRule(
      allowed: "width and height in millimetres such as \"154x86\" are allowed",
      shape: .text(pattern: "^[0-9]{1,4}x[0-9]{1,4}$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1], (1...9999).contains(width),
        (1...9999).contains(height)
      else { throw Refusal("is not a size") }
      return PixelSize(width: width, height: height)
    } spell: {
      TOMLText.quoted("\($0.width)x\($0.height)")
    }
  }
}

extension ValueRule where Value == VersionRange {
  fileprivate static var versions: Self {
    ValueRule(
      allowed: "\">=6.18\", \"<1.26\" or both with a blank between is allowed",
      shape: .text(pattern: "^(>=|<)[0-9.]+( (>=|<)[0-9.]+)?$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let range = VersionRange(parsing: text) else { throw Refusal("is not a range of versions") }
      return range
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule {
  /// A list of values that `element` allows.
  fileprivate static func list<Element>(of element: ValueRule<Element>, _ what: String) -> ValueRule<[Element]> {
    ValueRule<[Element]>(
      allowed: "a list of \(what) is allowed",
      shape: .list(of: element.shape, count: 0...ConfigurationLimits.words)
    ) { (node) throws(Refusal) in
      guard case .array(let nodes) = node.value else { throw .kind(node, expected: "array") }
      var values: [Element] = []
      for node in nodes { values.append(try element.read(node)) }
      return values
    } spell: { values in
      "[" + values.map(element.spell).joined(separator: ", ") + "]"
    }
  }
}

extension ValueRule where Value == [String] {
  fileprivate static var texts: Self { list(of: ValueRule<String>.text, "texts in quotes") }
}

extension ValueRule where Value == [BoardProfile.SeekKind] {
  fileprivate static var words: Self {
    list(
      of: ValueRule<BoardProfile.SeekKind>.word,
      BoardProfile.SeekKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
  }
}

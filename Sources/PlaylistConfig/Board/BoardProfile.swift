/// What is known of a board that can't be found out on it, from `board/NN-name.toml`.
///
/// Everything is optional: what no matching file says stays open, and the player asks the board itself.
public struct BoardProfile: Hashable, Sendable {
  /// How decoded frames go to the screen.
  public enum DecoderMemory: String, Hashable, Sendable, CaseIterable {
    /// As the decoder gives them, without a copy.
    case direct
    /// Copied, because frames on the screen would starve the decoder of buffers.
    case copy
  }

  /// A kind of seek that hangs the board.
  public enum SeekKind: String, Hashable, Sendable, CaseIterable {
    /// Of a segment, while paused.
    case pausedSegment = "paused-segment"
    /// To the very frame.
    case exact
  }

  /// Whether the video plane scales; nil asks the driver.
  public var planeScales: Bool?
  public var decoderMemory: DecoderMemory?
  public var forbiddenSeeks: [SeekKind]?
  /// Lines for the board's boot configuration, for people.
  public var bootSettings: [String]?

  public init() {}

  /// What `other` says takes the place of what this says.
  public mutating func merge(_ other: BoardProfile) {
    planeScales = other.planeScales ?? planeScales
    decoderMemory = other.decoderMemory ?? decoderMemory
    forbiddenSeeks = other.forbiddenSeeks ?? forbiddenSeeks
    bootSettings = other.bootSettings ?? bootSettings
  }
}

/// What tells one board from another.
public struct BoardFacts: Hashable, Sendable {
  /// Of the device tree, the most exact first: `raspberrypi,4-model-b`, `brcm,bcm2711`.
  public var compatible: [String]
  /// Vendor, product and board names of a PC.
  public var dmi: [String]
  /// Kernel drivers of the graphics cards: `vc4-drm`, `i915`.
  public var drivers: [String]
  /// The variable VITRINE_BOARD: the name of a profile, without number and extension.
  public var name: String?

  public init(compatible: [String] = [], dmi: [String] = [], drivers: [String] = [], name: String? = nil) {
    self.compatible = compatible
    self.dmi = dmi
    self.drivers = drivers
    self.name = name
  }
}

/// `[match]`: any of these is enough.
struct BoardMatch: Hashable, Sendable {
  var compatible: [String] = []
  /// Parts of a name, in any case.
  var dmi: [String] = []
  var driver: [String] = []

  func matches(_ facts: BoardFacts, profileName: String) -> Bool {
    // Whoever names a board knows: nothing else is looked at.
    if let name = facts.name { return name == profileName }
    return compatible.contains { facts.compatible.contains($0) } || driver.contains { facts.drivers.contains($0) }
      || dmi.contains { part in facts.dmi.contains { $0.lowercased().contains(part.lowercased()) } }
  }
}

/// A profile's file.
struct BoardProfileFile: Hashable, Sendable {
  var version: Int64 = 1
  var match = BoardMatch()
  var profile = BoardProfile()

  static let schema = TableDescription<BoardProfileFile>([
    .value("version", .exactly(1), \.version, example: "1", "The version of the format.").required,
    .table("match", match, \.match, "Which boards these are; any of the keys is enough."),
    .table("planes", planes, \.profile, "Planes of the graphics card."),
    .table("decoder", decoder, \.profile, "Decoders in hardware."),
    .table("seek", seek, \.profile, "Seeks."),
    .table("boot", boot, \.profile, "The board's boot configuration."),
  ])
  private static let match = TableDescription<BoardMatch>([
    .value("compatible", .texts, \.compatible, "Names in the device tree."),
    .value("dmi", .texts, \.dmi, "Parts of the names of a PC, in any case."),
    .value("driver", .texts, \.driver, "Kernel drivers of the graphics card."),
  ])
  private static let planes = TableDescription<BoardProfile>([
    .optional("scale", .boolean, \.planeScales, "Whether the video plane scales.")
  ])
  private static let decoder = TableDescription<BoardProfile>([
    .optional("memory", .word, \.decoderMemory, "How frames go to the screen.")
  ])
  private static let seek = TableDescription<BoardProfile>([
    .optional("forbid", .seekKinds, \.forbiddenSeeks, "Kinds of seeks that hang the board.")
  ])
  private static let boot = TableDescription<BoardProfile>([
    .optional("settings", .texts, \.bootSettings, "Lines that are recommended.")
  ])
}

extension ValueRule {
  /// A list of what `element` allows.
  fileprivate static func list<Element>(of element: ValueRule<Element>, _ what: String) -> ValueRule<[Element]> {
    let shape = ValueShape.list(of: element.shape, count: 0...ConfigurationLimits.words)
    return ValueRule<[Element]>(allowed: "a list of \(what) is allowed", shape: shape) { (node) throws(Refusal) in
      guard case .array(let nodes) = node.value else { throw .kind(node, expected: "array") }
      var values: [Element] = []
      for node in nodes { values.append(try element.read(node)) }
      return values
    } spell: {
      "[" + $0.map(element.spell).joined(separator: ", ") + "]"
    }
  }
}

extension ValueRule where Value == [String] {
  fileprivate static var texts: Self { list(of: ValueRule<String>.text, "texts in quotes") }
}

extension ValueRule where Value == [BoardProfile.SeekKind] {
  fileprivate static var seekKinds: Self {
    list(
      of: ValueRule<BoardProfile.SeekKind>.word,
      BoardProfile.SeekKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
  }
}

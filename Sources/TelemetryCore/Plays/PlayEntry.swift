internal import JSONText
internal import KioskCore
internal import PlaybackCore

/// Why a play came to its end.
public enum PlayEnding: String, Hashable, Sendable, CaseIterable {
  /// The item's own, or the one that the list gives it.
  case end
  /// Something else was played in its place: somebody asked for it, or the list is another one.
  case skipped
  case failed
  /// The player was asked to end.
  case stopped
  /// The player died, or the machine was switched off and left a word.
  case died
}

/// What was played. Addresses are redacted.
public struct PlayedItem: Hashable, Sendable {
  /// As listed.
  public var uri: String
  public var title: String
  /// Place in the list, from 1; nil for one that isn't listed.
  public var number: Int?
  /// Name of the list.
  public var list: String?
  /// Name of the screen; nil where there is one, without a name.
  public var screen: String?
  /// What was played in its place: the store's copy.
  public var copy: String?
  /// Of the file that was played, where one was compared with it.
  public var sha256: String?

  public init(uri: String, title: String = "", number: Int? = nil, list: String? = nil, screen: String? = nil) {
    self.uri = Redaction.value(uri)
    self.title = Redaction.value(title)
    self.number = number
    self.list = list
    self.screen = screen
  }
}

/// One play of one item: a line of the log. docs/proof-of-play.md explains each member.
public struct PlayEntry: Hashable, Sendable {
  public var item: PlayedItem
  /// Milliseconds since 1970, UTC: the first frame, and what followed the last one.
  public var start: Int64
  public var end: Int64
  /// For how long it was to be seen running: pauses and waits aren't in it.
  public var seconds: Double
  /// Nil where nobody has counted: the process that did is dead.
  public var frames: Int?
  public var dropped: Int?
  public var ending: PlayEnding
  /// Number of the error that it failed with.
  public var error: Int?
  /// How often it failed so, where that was more than once before anything else was to be told.
  public var tries = 1
  /// Whether something kept the clock right when this was written down.
  public var isClockGood: Bool
  /// Seconds on the clock that nobody sets, of the start.
  public var monotonic: Double?

  public init(
    _ item: PlayedItem, start: Int64, end: Int64, seconds: Double, ending: PlayEnding, isClockGood: Bool
  ) {
    self.item = item
    self.start = start
    self.end = end
    self.seconds = seconds
    self.ending = ending
    self.isClockGood = isClockGood
  }

  /// Bytes of a line at most: what is longer isn't one.
  public static let longestLine = 16 * 1024

  // MARK: As text

  /// One object on a line, without the line's end. What there is nothing to say of is left out, and texts are cut that would make it
  /// too long to be read again.
  public var line: String {
    let text = wholeLine
    return text.utf8.count <= Self.longestLine ? text : withShortTexts.wholeLine
  }

  /// Six texts, of which each character may take six bytes, come to less than a line.
  private var withShortTexts: PlayEntry {
    func short(_ text: String) -> String {
      let scalars = text.unicodeScalars
      return scalars.count <= 400 ? text : String(scalars.prefix(399)) + "…"
    }
    var entry = self
    (entry.item.uri, entry.item.title) = (short(item.uri), short(item.title))
    (entry.item.list, entry.item.screen) = (item.list.map(short), item.screen.map(short))
    (entry.item.copy, entry.item.sha256) = (item.copy.map(short), item.sha256.map(short))
    return entry
  }

  private var wholeLine: String {
    var members: [JSONValue.Member] = [
      .init("start", .string(UTCTime.iso(milliseconds: start))), .init("end", .string(UTCTime.iso(milliseconds: end))),
      .init("seconds", .number(Self.rounded(seconds))), .init("item", .string(item.uri)),
    ]
    func add(_ name: String, _ value: JSONValue?) { if let value { members.append(.init(name, value)) } }
    func number(_ value: Int?) -> JSONValue? { value.map { .integer(Int64($0)) } }
    if !item.title.isEmpty { add("title", .string(item.title)) }
    add("number", number(item.number))
    add("list", item.list.map { .string($0) })
    add("screen", item.screen.map { .string($0) })
    add("copy", item.copy.map { .string($0) })
    add("sha256", item.sha256.map { .string($0) })
    add("frames", number(frames))
    add("dropped", number(dropped))
    add("why", .string(ending.rawValue))
    add("error", number(error))
    if tries > 1 { add("tries", number(tries)) }
    if !isClockGood { add("clock", .string(Self.unsynchronised)) }
    add("monotonic", monotonic.map { .number(Self.rounded($0)) })
    return JSONValue.object(members).compact
  }

  private static let unsynchronised = "unsynchronised"
  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// Nil for what isn't such a line. Members that it doesn't know are left alone: a later version may have added them.
  public init?(line: some Collection<UInt8>) {
    guard line.count <= Self.longestLine, let value = try? JSONValue(parsing: line, depth: 4),
      let start = value["start"]?.text.flatMap({ UTCTime.milliseconds(iso: $0) }),
      let end = value["end"]?.text.flatMap({ UTCTime.milliseconds(iso: $0) }),
      let seconds = value["seconds"]?.realNumber, seconds.isFinite, seconds >= 0,
      let uri = value["item"]?.text, let ending = value["why"]?.text.flatMap(PlayEnding.init)
    else { return nil }
    var item = PlayedItem(
      uri: uri, title: value["title"]?.text ?? "", number: Self.count(value["number"]), list: value["list"]?.text,
      screen: value["screen"]?.text)
    item.copy = value["copy"]?.text
    item.sha256 = value["sha256"]?.text
    self.init(
      item, start: start, end: end, seconds: seconds, ending: ending,
      isClockGood: value["clock"]?.text != Self.unsynchronised)
    frames = Self.count(value["frames"])
    dropped = Self.count(value["dropped"])
    error = Self.count(value["error"])
    tries = max(1, Self.count(value["tries"]) ?? 1)
    monotonic = value["monotonic"]?.realNumber
  }

  /// Not negative, and so small that all lines of a log can be added, however they were made.
  private static func count(_ value: JSONValue?) -> Int? {
    value?.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { (0...1 << 40).contains($0) ? $0 : nil }
  }
}

internal import JSONText
internal import KioskCore
public import PlaybackCore

/// Why a play came to its end.
public enum PlayEnding: String, Hashable, Sendable, CaseIterable {
  /// The item's own end, or the end that the list sets.
  case end
  /// Another item was played in its place: by a command, or because the list changed.
  case skipped
  case failed
  /// The player was asked to end.
  case stopped
  /// The player died, or the machine was switched off, and a record was left.
  case died
}

/// The visit that an item was played in, with what the visitor had chosen by its end.
public struct PlayedVisit: Hashable, Sendable {
  /// The number of the visit on its screen since the player's start, from 1.
  public var number: Int
  /// The language of the captions, if the visitor switched them on; `on` for captions without a language; `off` if the
  /// visitor switched them off; nil without a choice.
  public var captions: String?
  /// The language of the sound, if somebody chose one.
  public var language: String?
  /// Whether the visitor switched the audio description on.
  public var hearsDescription = false
  /// Whether the visitor wanted films in sign language.
  public var isSigned = false

  public init(number: Int) { self.number = number }

  /// Notes what the visitor wishes now.
  public mutating func chose(_ wish: TrackWish) {
    switch wish.captions {
    case .configured: captions = nil
    case .off: captions = "off"
    case .on(let tag): captions = tag?.description ?? "on"
    }
    language = wish.language?.description
    hearsDescription = wish.hearsDescription
    isSigned = wish.isSigned
  }
}

/// An item that was played. Addresses are redacted.
public struct PlayedItem: Hashable, Sendable {
  /// The address in the list.
  public var uri: String
  public var title: String
  /// Place in the list, from 1; nil for an item outside the list.
  public var number: Int?
  /// Name of the list.
  public var list: String?
  /// Name of the screen; nil for a single screen without a name.
  public var screen: String?
  /// The store's copy that was played in place of the address.
  public var copy: String?
  /// The checksum of the file, if it was compared with one.
  public var sha256: String?
  /// Nil for an item of the loop.
  public var visit: PlayedVisit?

  public init(uri: String, title: String = "", number: Int? = nil, list: String? = nil, screen: String? = nil) {
    self.uri = Redaction.value(uri)
    self.title = Redaction.value(title)
    self.number = number
    self.list = list
    self.screen = screen
  }

  /// An alert, which is a play of its own.
  public init(alert id: String, text: String, screen: String?) {
    self.init(uri: Self.alertScheme + id, title: text, screen: screen)
  }

  var isAlert: Bool { uri.hasPrefix(Self.alertScheme) }
  private static let alertScheme = "alert:"
}

/// One play of one item: a line of the log. docs/proof-of-play.md explains each member.
public struct PlayEntry: Hashable, Sendable {
  public var item: PlayedItem
  /// Milliseconds since 1970, UTC: the first frame, and the moment after the last one.
  public var start: Int64
  public var end: Int64
  /// For how long it was visibly running, without pauses and waits.
  public var seconds: Double
  /// Nil if the counts are lost: the process that counted is dead.
  public var frames: Int?
  public var dropped: Int?
  public var ending: PlayEnding
  /// Number of the error that it failed with.
  public var error: Int?
  /// How many times in a row it failed like this without another entry in between.
  public var tries = 1
  /// Whether the clock was synchronised when this was written.
  public var isClockGood: Bool
  /// The start on the monotonic clock, in seconds.
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

  /// The most bytes of a line; a longer one isn't an entry.
  public static let longestLine = 16 * 1024

  // MARK: As text

  /// A JSON object on one line, without the line break. Empty members are left out, and texts that would make the line
  /// longer than the limit are cut.
  public var line: String {
    let text = wholeLine
    return text.utf8.count <= Self.longestLine ? text : withShortTexts.wholeLine
  }

  /// The entry with shortened texts: six texts, with up to six bytes for each character, fit into a line. Languages are
  /// short by themselves.
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
    add("visit", number(item.visit?.number))
    add("captions", item.visit?.captions.map { .string($0) })
    add("language", item.visit?.language.map { .string($0) })
    if item.visit?.hearsDescription == true { add("description", .string(Self.on)) }
    if item.visit?.isSigned == true { add("signed", .string(Self.on)) }
    add("monotonic", monotonic.map { .number(Self.rounded($0)) })
    return JSONValue.object(members).compact
  }

  private static let on = "on"
  private static let unsynchronised = "unsynchronised"
  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// Nil if the line isn't an entry. Unknown members are ignored: a later version may have added them.
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
    item.visit = Self.count(value["visit"]).map { PlayedVisit(number: $0) }
    item.visit?.captions = value["captions"]?.text
    item.visit?.language = value["language"]?.text
    item.visit?.hearsDescription = value["description"]?.text == Self.on
    item.visit?.isSigned = value["signed"]?.text == Self.on
    self.init(
      item, start: start, end: end, seconds: seconds, ending: ending,
      isClockGood: value["clock"]?.text != Self.unsynchronised)
    frames = Self.count(value["frames"])
    dropped = Self.count(value["dropped"])
    error = Self.count(value["error"])
    tries = max(1, Self.count(value["tries"]) ?? 1)
    monotonic = value["monotonic"]?.realNumber
  }

  /// A count that isn't negative, and so small that the counts of all lines can be added, even of lines that others
  /// wrote.
  private static func count(_ value: JSONValue?) -> Int? {
    value?.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { (0...1 << 40).contains($0) ? $0 : nil }
  }
}

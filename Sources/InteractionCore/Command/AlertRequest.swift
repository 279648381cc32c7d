internal import PlaybackCore

/// An alert as its sender asks for it: a sentence above all else on the screens, and its end.
public struct AlertRequest: Hashable, Sendable {
  /// Names the alert for its end and for its replacement.
  public var id: String
  public var text: String
  public var until: AlertEnd
  /// Whether it covers the whole screen, instead of a band above the picture.
  public var isInstead: Bool
  /// Whether the screen says that it is a test.
  public var isTest: Bool
  /// The playlist that plays until its end, in place of what else would; nil changes nothing of that.
  public var playlist: String?

  /// The id of an alert that is sent without one. A second such alert replaces the first, so that a corrected sentence
  /// doesn't stand beside the wrong one.
  public static let usualID = "alert"

  public init(
    id: String = Self.usualID, text: String, until: AlertEnd, isInstead: Bool = false, isTest: Bool = false,
    playlist: String? = nil
  ) {
    self.id = id
    self.text = text
    self.until = until
    self.isInstead = isInstead
    self.isTest = isTest
    self.playlist = playlist
  }

  init(_ arguments: CommandArguments) throws(CommandMisuse) {
    let text = arguments.text("text") ?? ""
    guard text.contains(where: { !$0.isWhitespace }) else { throw CommandMisuse("text is empty") }
    guard let until = AlertEnd(parsing: arguments.text("until") ?? "") else {
      throw CommandMisuse("until is \(AlertEnd.allowed)")
    }
    if case .after(let span) = until, span > CommandLimits.alertSpan {
      throw CommandMisuse("until is at most \(Int(CommandLimits.alertSpan.inSeconds / 3600)) hours away")
    }
    self.init(
      id: arguments.text(Self.idName) ?? Self.usualID, text: text, until: until,
      isInstead: arguments.truth("instead") ?? false, isTest: arguments.truth("test") ?? false,
      playlist: arguments.text("playlist"))
    if isInstead, playlist != nil { throw CommandMisuse("instead would cover the playlist") }
  }

  /// Each request has an id of its own, so an alert's needs another name.
  static let idName = "alert_id"

  static let parameters: [CommandParameter] = [
    .init("text", .text(CommandLimits.alertCharacters), "The sentence.", isRequired: true),
    .init(
      "until", .text(CommandLimits.timeCharacters),
      "When it goes, at most 24 hours away: \(AlertEnd.allowed).", isRequired: true, place: .option("until")),
    .init(
      idName, .name, "Takes it back by `alert-end`; a later alert of this id replaces it. Without it, alert.",
      place: .option("id")),
    .init(
      "instead", .boolean, "Whether it covers the whole screen. Without it, a band above the picture.",
      place: .option("instead")),
    .init("test", .boolean, "Whether the screen says that it is a test.", place: .option("test")),
    .init(
      "playlist", .name,
      "The name of a playlist of the configuration that plays until the end, in place of what else would.",
      place: .option("playlist")),
  ]

  /// As bindings spell it. The text comes last: it has blanks, and isn't quoted there.
  var words: String {
    var words = "alert --until \(until)"
    if id != Self.usualID { words += " --id \(id)" }
    if isInstead { words += " --instead" }
    if isTest { words += " --test" }
    if let playlist { words += " --playlist \(playlist)" }
    return words + " \(text)"
  }
}

/// The end of an alert, as its sender writes it.
public enum AlertEnd: Hashable, Sendable {
  /// A span from now on.
  case after(Duration)
  /// The next such time of day.
  case timeOfDay(TimeOfDay)
  /// A date and time on the clock on the wall.
  case civil(CivilTime)
  /// A date and time with their distance from UTC: seconds since 1970-01-01 00:00 UTC.
  case utc(Int64)

  /// The allowed forms, for people.
  public static let allowed =
    "a span such as 20m, a time of day such as 15:30, or a date and time such as 2026-12-24T15:30"

  /// Reads `90s`, `20m`, `2h`; `15:30`; `2026-12-24T15:30`, which may have seconds, a blank for the T, and `Z` or `+01:00`
  /// at its end.
  public init?(parsing text: String) {
    if let time = TimeOfDay(parsing: text) {
      self = .timeOfDay(time)
    } else if let span = Self.span(text) {
      self = .after(span)
    } else {
      let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
      guard parts.count == 2, let date = CivilDate(parsing: String(parts[0])),
        let (time, offset) = Self.time(parts[1])
      else { return nil }
      let civil = CivilTime(date, time)
      self = offset.map { .utc(civil.localSeconds - Int64($0)) } ?? .civil(civil)
    }
  }

  /// Seconds since 1970-01-01 00:00 UTC of a date and time in a zone; nil for other ends.
  public func utc(in zone: TimeZoneRules) -> Int64? {
    switch self {
    case .civil(let time): zone.firstInstant(of: time)
    case .utc(let seconds): seconds
    case .after, .timeOfDay: nil
    }
  }

  /// Whether it is the same moment whenever it is read.
  public var isDate: Bool {
    switch self {
    case .civil, .utc: true
    case .after, .timeOfDay: false
    }
  }

  private static func span(_ text: String) -> Duration? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), (2...7).contains(text.utf8.count),
      text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast()), count > 0
    else { return nil }
    return .seconds(count * unit)
  }

  /// - Returns: the time below 24:00, and the seconds by which its clock is ahead of UTC; nil where the text doesn't
  ///   say.
  private static func time(_ text: Substring) -> (TimeOfDay, offset: Int?)? {
    func time(_ text: Substring) -> TimeOfDay? {
      TimeOfDay(parsing: String(text)).flatMap { $0.seconds < TimeOfDay.secondsOfDay ? $0 : nil }
    }
    if text.last == "Z" || text.last == "z" { return time(text.dropLast()).map { ($0, 0) } }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return time(text).map { ($0, nil) } }
    guard let clock = time(text[..<sign]), let offset = time(text[text.index(after: sign)...]) else { return nil }
    return (clock, text[sign] == "-" ? -offset.seconds : offset.seconds)
  }
}

extension AlertEnd: CustomStringConvertible {
  /// `init(parsing:)` reads it back.
  public var description: String {
    switch self {
    case .after(let span): "\(Int64(span.inSeconds))s"
    case .timeOfDay(let time): time.description
    case .civil(let time): "\(time.date)T\(time.time)"
    case .utc(let seconds):
      { (time: CivilTime) in "\(time.date)T\(time.time)Z" }(CivilTime(localSeconds: seconds))
    }
  }
}

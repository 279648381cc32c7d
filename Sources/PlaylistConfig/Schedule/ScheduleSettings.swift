public import InteractionCore

/// `[schedule]`: when which playlist plays, and when the screen is off.
public struct ScheduleSettings: Hashable, Sendable {
  /// An IANA name such as Europe/Berlin; nil for the system's zone.
  public var timezone: String?
  public var timezonePosition: TOMLPosition?
  /// The playlist for when no rule matches, and while the clock isn't set.
  public var defaultPlaylist = Configuration.mainPlaylistName
  public var defaultPosition: TOMLPosition?
  /// Whether the clock counts as not set until the system says that it is synchronised.
  public var waitsForNTP = false
  public var rules: [ScheduleRule] = []
  /// When the screen is off.
  public var off: [ScheduleCondition] = []

  public init() {}
}

/// `[[schedule.rule]]`
public struct ScheduleRule: Hashable, Sendable, ScheduleConditional {
  public var name: String?
  public var playlist = ""
  /// The rule with the greatest priority wins; among equals, the first in the file.
  public var priority = 0
  public var condition = ScheduleCondition()
  /// The position of the playlist's name in the file.
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}

/// A condition in time: all parts that are given must hold.
public struct ScheduleCondition: Hashable, Sendable, ScheduleConditional {
  /// Empty for every day.
  public var days: Set<Weekday> = []
  /// First day; nil for no beginning.
  public var from: ScheduleDate?
  /// Last day; nil for no end.
  public var until: ScheduleDate?
  /// Nil for midnight.
  public var start: TimeOfDay?
  /// Nil for the end of the day. At or before `start`, the condition ends on the next day, which still belongs to the
  /// day of `start`.
  public var end: TimeOfDay?
  /// The condition's position in the file.
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}

  /// Whether the condition always holds.
  public var isAlways: Bool { days.isEmpty && from == nil && until == nil && start == nil && end == nil }
}

extension ScheduleCondition: CustomStringConvertible {
  /// `sat, sun from 12-24 until 01-06, 18:00 to 02:00`
  public var description: String {
    var parts: [String] = []
    if !days.isEmpty { parts.append(days.sorted().map(\.abbreviation).joined(separator: ", ")) }
    if let from { parts.append("from \(from)") }
    if let until { parts.append("until \(until)") }
    if start != nil || end != nil { parts.append("\(start ?? .midnight) to \(end.map { "\($0)" } ?? "24:00")") }
    return parts.isEmpty ? "always" : parts.joined(separator: " ")
  }
}

/// A date with or without a year.
public enum ScheduleDate: Hashable, Sendable, CustomStringConvertible {
  case once(CivilDate)
  /// A day of every year.
  case yearly(month: Int, day: Int)

  /// Reads `2026-12-24` and `12-24`; 02-29 is a day that most years don't have.
  public init?(parsing text: String) {
    if let date = CivilDate(parsing: text) {
      self = .once(date)
    } else if let date = CivilDate(parsing: "2024-\(text)") {
      self = .yearly(month: date.month, day: date.day)
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .once(let date): date.description
    case .yearly(let month, let day):
      String(CivilDate(year: 2024, month: month, day: day)?.description.dropFirst(5) ?? "")
    }
  }
}

/// A table of the schedule with a condition.
protocol ScheduleConditional: Sendable {
  var condition: ScheduleCondition { get set }
}

extension ScheduleCondition {
  var condition: ScheduleCondition {
    get { self }
    set { self = newValue }
  }
}

public import InteractionCore

/// Decides what is on at a moment, and why. A value without a clock.
///
/// A time of day is local time in the schedule's zone. When the clock is put back, a range begins or ends the first
/// time that its time comes; when the clock skips that time, at the moment of the change. So ranges that meet on paper
/// also meet in reality, without a gap or an overlap, on every day of the year.
public struct ScheduleEngine: Sendable {
  public let settings: ScheduleSettings
  public let zone: TimeZoneRules
  /// Conditions of items, by the playlist's name.
  private let conditions: [String: ItemConditions]

  /// When the items of a playlist are due. Few have a condition, and there may be a hundred thousand.
  private struct ItemConditions: Sendable {
    let count: Int
    /// Conditions by the item's index; an item without one is always due.
    var conditions: [Int: ScheduleCondition] = [:]

    init(_ entries: [PlaylistEntry]) {
      count = entries.count
      for (index, entry) in entries.enumerated() where !entry.isUsual { conditions[index] = entry.when }
    }

    /// Indexes of the items that a test of their condition lets through.
    func due(_ isDue: (ScheduleCondition) -> Bool) -> [Int] {
      if conditions.isEmpty { return Array(0..<count) }
      return (0..<count).filter { index in conditions[index].map(isDue) ?? true }
    }
  }

  public init(_ configuration: Configuration, zone: TimeZoneRules) {
    settings = configuration.schedule
    conditions = configuration.playlists.mapValues { ItemConditions($0.items) }
    self.zone = zone
  }

  /// Whether the schedule ever changes anything.
  public var isConstant: Bool {
    settings.rules.isEmpty && settings.off.isEmpty && conditions.values.allSatisfy(\.conditions.isEmpty)
  }

  public func decision(at clock: ScheduleClock) -> ScheduleDecision {
    guard case .utc(let now) = clock else { return decisionWithoutClock() }
    let off = settings.off.firstIndex { isOn($0, at: now) }
    for index in rulesByRank where isOn(settings.rules[index].condition, at: now) {
      let playlist = settings.rules[index].playlist
      let due = dueItems(of: playlist, at: now)
      // A playlist with nothing to show gives way to the next.
      guard !due.isEmpty else { continue }
      return ScheduleDecision(playlist: playlist, items: due, reason: .rule(index), off: off)
    }
    let due = dueItems(of: settings.defaultPlaylist, at: now)
    return ScheduleDecision(
      playlist: settings.defaultPlaylist, items: due, reason: due.isEmpty ? .nothingDue : .byDefault, off: off)
  }

  /// Without a clock, dates and times mean nothing: items without a condition play, and the screen is on. If all items
  /// have conditions, the whole default playlist plays, because a screen with the wrong picture is better than an empty
  /// one.
  private func decisionWithoutClock() -> ScheduleDecision {
    let list = conditions[settings.defaultPlaylist]
    let always = list?.due { _ in false } ?? []
    return ScheduleDecision(
      playlist: settings.defaultPlaylist, items: always.isEmpty ? list?.due { _ in true } ?? [] : always,
      reason: .clockNotSet, off: nil)
  }

  /// Rules in the order in which they are asked.
  public var rulesByRank: [Int] {
    settings.rules.indices.sorted { a, b in
      let (first, second) = (settings.rules[a].priority, settings.rules[b].priority)
      return first == second ? a < b : first > second
    }
  }

  private func dueItems(of playlist: String, at now: Int64) -> [Int] {
    conditions[playlist]?.due { isOn($0, at: now) } ?? []
  }

  // MARK: One condition

  public func isOn(_ condition: ScheduleCondition, at now: Int64) -> Bool {
    days(around: now).contains { day in interval(of: condition, on: day)?.contains(now) ?? false }
  }

  /// Days whose ranges may include `now`: a range may last into the next day, and the clock may be put back over
  /// midnight.
  private func days(around now: Int64) -> ClosedRange<Int> {
    let today = zone.civilTime(at: now).date.dayNumber
    return (today - 2)...(today + 1)
  }

  /// When a condition is on by the range that starts on a day; nil when it doesn't start on that day.
  private func interval(of condition: ScheduleCondition, on day: Int) -> Range<Int64>? {
    let date = CivilDate(dayNumber: day)
    guard condition.includes(date) else { return nil }
    let start = condition.start ?? .midnight
    let end = condition.end?.seconds ?? TimeOfDay.secondsOfDay
    let endDay = end <= start.seconds || end == TimeOfDay.secondsOfDay ? day + 1 : day
    let endTime = end == TimeOfDay.secondsOfDay ? .midnight : condition.end ?? .midnight
    let first = zone.firstInstant(of: CivilTime(date, start))
    let last = zone.firstInstant(of: CivilTime(CivilDate(dayNumber: endDay), endTime))
    return first < last ? first..<last : nil
  }

  // MARK: The next change

  /// The next moment at which a condition begins or ends to hold; nil if no condition does within `days`.
  public func nextBoundary(after now: Int64, withinDays days: Int) -> Int64? {
    var all = settings.rules.map(\.condition) + settings.off
    for items in conditions.values { all += Set(items.conditions.values) }
    let around = self.days(around: now)
    var next: Int64?
    for condition in all {
      for day in around.lowerBound...(around.upperBound + days) {
        guard let interval = interval(of: condition, on: day) else { continue }
        for boundary in [interval.lowerBound, interval.upperBound] where boundary > now {
          next = min(next ?? boundary, boundary)
        }
        // Ranges of later days begin later.
        if interval.lowerBound > now { break }
      }
    }
    return next
  }

  /// When the decision changes next; nil when it doesn't within `days`.
  public func nextChange(after now: Int64, withinDays days: Int) -> Int64? {
    let current = decision(at: .utc(now))
    let limit = now + Int64(days) * 86_400
    var moment = now
    while let boundary = nextBoundary(after: moment, withinDays: days), boundary <= limit {
      if decision(at: .utc(boundary)) != current { return boundary }
      moment = boundary
    }
    return nil
  }
}

/// The playlist and items that the schedule chose.
public struct ScheduleDecision: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The rule of that index.
    case rule(Int)
    /// No rule that holds has an item to show.
    case byDefault
    /// Not even the default playlist has an item that is due.
    case nothingDue
    case clockNotSet
  }

  public var playlist: String
  /// Indexes of its items that are due.
  public var items: [Int]
  public var reason: Reason
  /// The index of the condition that keeps the screen off; nil while it is on.
  public var off: Int?

  public init(playlist: String, items: [Int], reason: Reason, off: Int?) {
    self.playlist = playlist
    self.items = items
    self.reason = reason
    self.off = off
  }

  public var isScreenOff: Bool { off != nil || reason == .nothingDue }
}

extension ScheduleCondition {
  /// Whether a range may begin on this day.
  func includes(_ date: CivilDate) -> Bool {
    (days.isEmpty || days.contains(date.weekday)) && isInDates(date)
  }

  private func isInDates(_ date: CivilDate) -> Bool {
    let key = (date.month, date.day)
    switch (from, until) {
    case (.yearly(let fromMonth, let fromDay)?, .yearly(let untilMonth, let untilDay)?):
      let first = (fromMonth, fromDay)
      let last = (untilMonth, untilDay)
      return first <= last ? first <= key && key <= last : key >= first || key <= last
    default:
      return isAfterStart(date, key) && isBeforeEnd(date, key)
    }
  }

  private func isAfterStart(_ date: CivilDate, _ key: (Int, Int)) -> Bool {
    switch from {
    case nil: true
    case .once(let first)?: first <= date
    case .yearly(let month, let day)?: (month, day) <= key
    }
  }

  private func isBeforeEnd(_ date: CivilDate, _ key: (Int, Int)) -> Bool {
    switch until {
    case nil: true
    case .once(let last)?: date <= last
    case .yearly(let month, let day)?: key <= (month, day)
    }
  }
}

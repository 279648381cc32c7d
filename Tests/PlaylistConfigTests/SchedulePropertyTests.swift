import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

/// Compares the engine with a reference that knows no intervals: it walks through time minute by minute, like a person
/// who watches a clock, and never steps back when the clock is put back.
@Suite("Schedule against a brute-force reference")
struct SchedulePropertyTests {
  /// The latest date and time that the clock has shown to the walker so far.
  private struct Walker {
    let zone: TimeZoneRules
    private(set) var shown = Int64.min

    init(zone: TimeZoneRules) { self.zone = zone }

    mutating func advance(_ utc: Int64) { shown = max(shown, utc + Int64(zone.offset(utc))) }

    func isOn(_ condition: ScheduleCondition) -> Bool {
      let today = Int((Double(shown) / 86_400).rounded(.down))
      return [today, today - 1].contains { day in
        guard isDay(condition, day) else { return false }
        let start = Int64(condition.start?.seconds ?? 0)
        var end = Int64(condition.end?.seconds ?? 86_400)
        if end <= start { end += 86_400 }
        let sinceMidnight = shown - Int64(day) * 86_400
        return start <= sinceMidnight && sinceMidnight < end
      }
    }

    /// Compares dates as texts, which sort like dates.
    private func isDay(_ condition: ScheduleCondition, _ day: Int) -> Bool {
      // 1970-01-05 was a Monday.
      let weekday = Weekday.allCases[((day - 4) % 7 + 7) % 7]
      guard condition.days.isEmpty || condition.days.contains(weekday) else { return false }
      let date = "\(CivilDate(dayNumber: day))"
      let from = condition.from.map { "\($0)" }
      let until = condition.until.map { "\($0)" }
      let isAfter = from.map { date.suffix($0.count) >= $0 } ?? true
      let isBefore = until.map { date.suffix($0.count) <= $0 } ?? true
      if let from, let until, from.count == 5, until < from { return isAfter || isBefore }
      return isAfter && isBefore
    }

    func decision(_ settings: ScheduleSettings) -> (playlist: String, off: Bool) {
      var best: ScheduleRule?
      for rule in settings.rules where isOn(rule.condition) && rule.priority > (best?.priority ?? .min) { best = rule }
      return (best?.playlist ?? settings.defaultPlaylist, settings.off.contains { isOn($0) })
    }
  }

  /// Days around which something happens to clocks or calendars.
  private static let interesting = [
    ScheduleZones.day(2026, 3, 29), ScheduleZones.day(2026, 10, 25), ScheduleZones.day(2026, 3, 8),
    ScheduleZones.day(2026, 11, 1), ScheduleZones.day(2026, 4, 5), ScheduleZones.day(2026, 10, 4),
    ScheduleZones.day(2011, 12, 30), ScheduleZones.day(2028, 2, 29), ScheduleZones.day(2026, 12, 31),
    ScheduleZones.day(2026, 6, 15),
  ]

  @Test("20 random schedules, each over two days, minute by minute", arguments: 0..<20)
  func random(seed: Int) throws {
    var numbers = SplitMix64(state: UInt64(seed) &* 7919 &+ 1)
    let middle = Self.interesting[seed % Self.interesting.count]
    let zone = ScheduleZones.all[(seed / Self.interesting.count) % ScheduleZones.all.count]
    let settings = Self.settings(around: middle, using: &numbers)
    var configuration = Configuration()
    configuration.schedule = settings
    for name in ["main", "a", "b", "c", "d"] {
      var playlist = Playlist()
      playlist.items = [PlaylistEntry()]
      configuration.playlists[name] = playlist
    }
    let engine = ScheduleEngine(configuration, zone: zone)
    var walker = Walker(zone: zone)
    let start = Int64(middle - 1) * 86_400
    // Two days before the first comparison, so that the walker has seen enough.
    for minute in -2880..<0 { walker.advance(start + Int64(minute) * 60) }
    var differences: [String] = []
    var changes = 0
    var last: String?
    for minute in 0..<2880 {
      let now = start + Int64(minute) * 60
      walker.advance(now)
      let expected = walker.decision(settings)
      let found = engine.decision(at: .utc(now))
      if (found.playlist, found.off != nil) != expected {
        differences.append("\(zone.civilTime(at: now)): \(found), not \(expected)")
      }
      let key = "\(expected)"
      if key != last {
        changes += 1
        // The engine must have seen it coming.
        if last != nil, engine.nextChange(after: now - 60, withinDays: 3).map({ $0 > now }) ?? true {
          differences.append("\(zone.civilTime(at: now)): a change that wasn't announced")
        }
      }
      last = key
    }
    #expect(differences.prefix(3) == [], "\(zone.name) \(settings)")
    #expect(changes > 1, "a schedule that tests nothing: \(settings)")
  }

  private static func settings(around middle: Int, using numbers: inout SplitMix64) -> ScheduleSettings {
    var settings = ScheduleSettings()
    for _ in 0..<Int.random(in: 2...4, using: &numbers) {
      var rule = ScheduleRule()
      rule.playlist = ["a", "b", "c"].randomElement(using: &numbers) ?? "a"
      rule.priority = Int.random(in: 0...2, using: &numbers)
      rule.condition = condition(around: middle, using: &numbers)
      settings.rules.append(rule)
    }
    if Bool.random(using: &numbers) { settings.off.append(condition(around: middle, using: &numbers)) }
    // A rule that certainly changes something.
    var daily = ScheduleRule()
    daily.playlist = "d"
    daily.priority = 3
    daily.condition.start = TimeOfDay(seconds: 2 * 3600 + 900)
    daily.condition.end = TimeOfDay(seconds: 2 * 3600 + 2700)
    settings.rules.append(daily)
    return settings
  }

  private static func condition(around middle: Int, using numbers: inout SplitMix64) -> ScheduleCondition {
    var condition = ScheduleCondition()
    if Bool.random(using: &numbers) {
      condition.days = Set(Weekday.allCases.filter { _ in Bool.random(using: &numbers) })
    }
    let (first, last) = (
      CivilDate(dayNumber: middle + Int.random(in: -3...1, using: &numbers)),
      CivilDate(dayNumber: middle + Int.random(in: 1...3, using: &numbers))
    )
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: (condition.from, condition.until) = (.once(first), .once(last))
    case 1:
      condition.from = .yearly(month: first.month, day: first.day)
      condition.until = .yearly(month: last.month, day: last.day)
    case 2: condition.from = .once(first)
    case 3: condition.until = .once(last)
    default: break
    }
    // Often about the hours at which clocks change.
    let hours = Bool.random(using: &numbers) ? 0...3 : 0...23
    let minutes = { (numbers: inout SplitMix64) in
      TimeOfDay(seconds: Int.random(in: hours, using: &numbers) * 3600 + Int.random(in: 0...3, using: &numbers) * 900)
    }
    if Bool.random(using: &numbers) { condition.start = minutes(&numbers) }
    if Bool.random(using: &numbers) { condition.end = minutes(&numbers) }
    // Conditions that the configuration's checks would refuse.
    if condition.start == condition.end || condition.end?.seconds == 0 { condition.end = nil }
    return condition
  }
}

import InteractionCore
import PlaylistConfig

/// Zones by their rules, so that no test depends on the database of the machine.
enum ScheduleZones {
  /// The last Sundays of March and October at 01:00 UTC.
  static let berlin = zone("Berlin", standard: 3600, summer: 7200) { year in
    (instant(lastSunday(3, year), 1), instant(lastSunday(10, year), 1))
  }

  /// The second Sunday of March and the first of November at 02:00 local time.
  static let newYork = zone("New York", standard: -5 * 3600, summer: -4 * 3600) { year in
    (instant(sunday(2, 3, year), 7), instant(sunday(1, 11, year), 6))
  }

  /// By half an hour, in the southern hemisphere: summer from October to April, changes at 02:00 local time.
  static let lordHowe = TimeZoneRules(name: "Lord Howe") { utc in
    let year = CivilTime(localSeconds: utc + 37_800).date.year
    let end = instant(sunday(1, 4, year), 0) + 7200 - 11 * 3600
    let begin = instant(sunday(1, 10, year), 0) + 7200 - 37_800
    return utc < end || utc >= begin ? 11 * 3600 : 37_800
  }

  /// Changes at midnight: the last Sunday of March has no 00:00, the day before the last Sunday of October two 23:00.
  static let beirut = zone("Beirut", standard: 7200, summer: 3 * 3600) { year in
    (instant(lastSunday(3, year), 0) - 7200, instant(lastSunday(10, year), 0) - 3 * 3600)
  }

  /// Left out 30 December 2011 altogether.
  static let apia = TimeZoneRules(name: "Apia") { utc in
    utc < instant(day(2011, 12, 30), 10) ? -10 * 3600 : 14 * 3600
  }

  static let all = [TimeZoneRules.utc, berlin, newYork, lordHowe, beirut, apia]

  private static func zone(
    _ name: String, standard: Int, summer: Int, _ changes: @escaping @Sendable (Int) -> (Int64, Int64)
  ) -> TimeZoneRules {
    TimeZoneRules(name: name) { utc in
      let (begin, end) = changes(CivilTime(localSeconds: utc).date.year)
      return begin <= utc && utc < end ? summer : standard
    }
  }

  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    CivilDate(year: year, month: month, day: day)?.dayNumber ?? 0
  }

  /// Hours of UTC on a day.
  private static func instant(_ day: Int, _ hour: Int) -> Int64 { Int64(day) * 86_400 + Int64(hour) * 3600 }

  private static func sunday(_ number: Int, _ month: Int, _ year: Int) -> Int {
    let first = day(year, month, 1)
    // 1970-01-04 was a Sunday.
    let untilSunday = ((3 - first) % 7 + 7) % 7
    return first + untilSunday + 7 * (number - 1)
  }

  private static func lastSunday(_ month: Int, _ year: Int) -> Int {
    let last = day(year, month, 31)
    return last - (((last - 3) % 7) + 7) % 7
  }
}

/// Reads `2026-03-29 00:59` as UTC.
func utcSeconds(_ text: String) -> Int64 {
  let parts = text.split(separator: " ").map(String.init)
  guard parts.count == 2, let date = CivilDate(parsing: parts[0]), let time = TimeOfDay(parsing: parts[1]) else {
    return .min
  }
  return CivilTime(date, time).localSeconds
}

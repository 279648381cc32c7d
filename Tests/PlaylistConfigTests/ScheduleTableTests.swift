import InteractionCore
import PlaylistConfig
import Testing

/// The schedule's decisions, moment by moment. The moments are UTC; remarks give local time.
@Suite("Schedule, case by case")
struct ScheduleTableTests {
  struct Group: Sendable, CustomTestStringConvertible {
    var name: String
    var zone: TimeZoneRules
    /// The configuration's text after the playlists main, a and b.
    var text: String
    /// Moment, and `playlist` or `off`.
    var moments: [(String, String)]
    var testDescription: String { name }
  }

  static let groups: [Group] = [
    Group(
      name: "a range within a day", zone: ScheduleZones.berlin, text: rule("a", "start = \"08:00\", end = \"12:00\""),
      moments: [
        ("2026-01-15 06:59", "main"),  // 07:59
        ("2026-01-15 07:00", "a"),  // 08:00
        ("2026-01-15 10:59", "a"),  // 11:59
        ("2026-01-15 11:00", "main"),  // 12:00
        ("2026-07-15 05:59", "main"),  // 07:59, summer
        ("2026-07-15 06:00", "a"),
        ("2026-07-15 10:00", "main"),
      ]),
    Group(
      name: "midnight belongs to the day of the start", zone: ScheduleZones.berlin,
      text: rule("a", "days = [\"fri\"], start = \"22:00\", end = \"02:00\""),
      moments: [
        ("2026-01-16 20:59", "main"),  // Fri 21:59
        ("2026-01-16 21:00", "a"),  // Fri 22:00
        ("2026-01-16 23:30", "a"),  // Sat 00:30
        ("2026-01-17 00:59", "a"),  // Sat 01:59
        ("2026-01-17 01:00", "main"),  // Sat 02:00
        ("2026-01-16 00:30", "main"),  // Fri 01:30: Thursday's night
        ("2026-01-17 22:00", "main"),  // Sat 23:00
      ]),
    Group(
      name: "until midnight, from midnight, the whole day", zone: .utc,
      text: rule("a", "days = [\"mon\"], start = \"20:00\", end = \"24:00\"")
        + rule("b", "days = [\"tue\"], end = \"04:00\"") + rule("a", "days = [\"thu\"]"),
      moments: [
        ("2026-03-02 19:59", "main"), ("2026-03-02 20:00", "a"), ("2026-03-02 23:59", "a"),
        ("2026-03-03 00:00", "b"), ("2026-03-03 03:59", "b"), ("2026-03-03 04:00", "main"),
        ("2026-03-04 23:59", "main"), ("2026-03-05 00:00", "a"), ("2026-03-05 23:59", "a"),
        ("2026-03-06 00:00", "main"),
      ]),
    Group(
      name: "put forward: a range over the gap is shorter", zone: ScheduleZones.berlin,
      text: rule("a", "start = \"01:30\", end = \"03:30\""),
      moments: [
        ("2026-03-29 00:29", "main"),  // 01:29
        ("2026-03-29 00:30", "a"),  // 01:30
        ("2026-03-29 00:59", "a"),  // 01:59
        ("2026-03-29 01:00", "a"),  // 03:00
        ("2026-03-29 01:29", "a"),  // 03:29
        ("2026-03-29 01:30", "main"),  // 03:30
      ]),
    Group(
      name: "put forward: a range within the gap doesn't come", zone: ScheduleZones.berlin,
      text: rule("a", "start = \"02:15\", end = \"02:45\""),
      moments: [
        ("2026-03-29 00:59", "main"), ("2026-03-29 01:00", "main"), ("2026-03-29 01:30", "main"),
        ("2026-03-28 01:30", "a"), ("2026-03-30 00:30", "a"),
      ]),
    Group(
      name: "put forward: a range that begins in the gap begins after it", zone: ScheduleZones.newYork,
      text: rule("a", "start = \"02:30\", end = \"04:00\""),
      moments: [
        ("2026-03-08 06:59", "main"),  // 01:59
        ("2026-03-08 07:00", "a"),  // 03:00
        ("2026-03-08 07:59", "a"),  // 03:59
        ("2026-03-08 08:00", "main"),  // 04:00
      ]),
    Group(
      name: "put back: a range in the hour that comes twice comes once", zone: ScheduleZones.berlin,
      text: rule("a", "start = \"02:15\", end = \"02:45\""),
      moments: [
        ("2026-10-25 00:14", "main"),  // 02:14, the first time
        ("2026-10-25 00:15", "a"),
        ("2026-10-25 00:44", "a"),
        ("2026-10-25 00:45", "main"),
        ("2026-10-25 01:15", "main"),  // 02:15, the second time
        ("2026-10-25 01:44", "main"),
      ]),
    Group(
      name: "put back: ranges that meet go on meeting", zone: ScheduleZones.berlin,
      text: rule("a", "start = \"00:00\", end = \"02:30\"") + rule("b", "start = \"02:30\", end = \"06:00\""),
      moments: [
        ("2026-10-24 22:00", "a"), ("2026-10-25 00:29", "a"), ("2026-10-25 00:30", "b"), ("2026-10-25 01:00", "b"),
        ("2026-10-25 01:29", "b"), ("2026-10-25 04:59", "b"), ("2026-10-25 05:00", "main"),
      ]),
    Group(
      name: "by half an hour", zone: ScheduleZones.lordHowe, text: rule("a", "start = \"01:45\", end = \"02:15\""),
      moments: [
        ("2026-04-04 14:44", "main"),  // Sun 01:44, summer
        ("2026-04-04 14:45", "a"),
        ("2026-04-04 14:59", "a"),  // 01:59, then 01:30
        ("2026-04-04 15:15", "a"),  // 01:45, the second time
        ("2026-04-04 15:44", "a"),  // 02:14
        ("2026-04-04 15:45", "main"),
        ("2026-10-03 15:14", "main"),  // Sun 01:44
        ("2026-10-03 15:15", "a"),
        ("2026-10-03 15:29", "a"),  // 01:59
        ("2026-10-03 15:30", "main"),  // 02:30
      ]),
    Group(
      name: "a change at midnight", zone: ScheduleZones.beirut, text: rule("a", "days = [\"sun\"]"),
      moments: [
        ("2026-03-28 21:59", "main"),  // Sat 23:59
        ("2026-03-28 22:00", "a"),  // Sun 01:00
        ("2026-10-24 20:59", "main"),  // Sat 23:59
        ("2026-10-24 21:00", "main"),  // Sat 23:00 again
        ("2026-10-24 21:59", "main"),  // Sat 23:59 again
        ("2026-10-24 22:00", "a"),  // Sun 00:00
      ]),
    Group(
      name: "a day that is left out", zone: ScheduleZones.apia,
      text: rule("a", "from = 2011-12-30, until = 2011-12-30")
        + rule("b", "days = [\"thu\"], start = \"22:00\", end = \"02:00\""),
      moments: [
        ("2011-12-30 07:59", "main"),  // Thu 29th 21:59
        ("2011-12-30 08:00", "b"),
        ("2011-12-30 09:59", "b"),  // Thu 23:59
        ("2011-12-30 10:00", "main"),  // Sat 00:00
        ("2011-12-30 11:00", "main"),
      ]),
    Group(
      name: "a leap day", zone: .utc,
      text: rule("a", "from = \"02-29\", until = \"02-29\"")
        + rule("b", "from = \"02-28\", until = \"02-28\", end = \"01:00\""),
      moments: [
        ("2028-02-28 00:30", "b"), ("2028-02-28 12:00", "main"), ("2028-02-29 00:00", "a"), ("2028-02-29 23:59", "a"),
        ("2028-03-01 00:00", "main"), ("2027-02-28 12:00", "main"), ("2027-03-01 00:00", "main"),
        ("2000-02-29 12:00", "a"), ("2100-02-28 12:00", "main"), ("2100-03-01 12:00", "main"),
      ]),
    Group(
      name: "over the end of the year, every year", zone: ScheduleZones.berlin,
      text: rule("a", "from = \"12-24\", until = \"01-06\""),
      moments: [
        ("2026-12-23 22:59", "main"), ("2026-12-23 23:00", "a"), ("2026-12-31 22:59", "a"), ("2026-12-31 23:00", "a"),
        ("2027-01-06 22:59", "a"), ("2027-01-06 23:00", "main"),
      ]),
    Group(
      name: "New Year's night of one year", zone: ScheduleZones.newYork,
      text: rule("a", "from = 2026-12-31, until = 2026-12-31, start = \"23:00\", end = \"01:00\""),
      moments: [
        ("2027-01-01 03:59", "main"), ("2027-01-01 04:00", "a"), ("2027-01-01 05:59", "a"),
        ("2027-01-01 06:00", "main"), ("2028-01-01 04:30", "main"),
      ]),
    Group(
      name: "from a date on, and up to a date", zone: .utc,
      text: rule("a", "from = 2026-06-01") + rule("b", "until = 2026-02-01"),
      moments: [
        ("2026-02-01 23:59", "b"), ("2026-02-02 00:00", "main"), ("2026-05-31 23:59", "main"),
        ("2026-06-01 00:00", "a"), ("2031-06-01 00:00", "a"),
      ]),
    Group(
      name: "the greatest priority, then the first", zone: .utc,
      text: rule("a", "start = \"08:00\", end = \"20:00\"")
        + rule("b", "priority = 5, start = \"12:00\", end = \"13:00\"")
        + rule("b", "start = \"19:00\", end = \"21:00\"") + rule("a", "priority = -1"),
      moments: [
        ("2026-05-05 07:59", "a"), ("2026-05-05 12:30", "b"), ("2026-05-05 13:00", "a"), ("2026-05-05 19:30", "a"),
        ("2026-05-05 20:00", "b"), ("2026-05-05 21:00", "a"),
      ]),
    Group(
      name: "the screen is off at night, whatever plays", zone: ScheduleZones.berlin,
      text: rule("a", "days = [\"sat\"]")
        + "[[schedule.off]]\nstart = \"23:00\"\nend = \"07:00\"\n[[schedule.off]]\ndays = [\"sun\"]\n",
      moments: [
        ("2026-01-16 21:59", "main"), ("2026-01-16 22:00", "off"), ("2026-01-17 05:59", "off"),
        ("2026-01-17 06:00", "a"), ("2026-01-17 23:00", "off"), ("2026-01-18 12:00", "off"),
        ("2026-01-19 05:59", "off"), ("2026-01-19 06:00", "main"),
      ]),
  ]

  private static func rule(_ playlist: String, _ keys: String) -> String {
    let keys = keys.split(separator: ", ").reduce(into: [String]()) { lines, part in
      // Commas within lists stay.
      if part.contains("=") { lines.append(String(part)) } else { lines[lines.count - 1] += ", \(part)" }
    }
    return "[[schedule.rule]]\nplaylist = \"\(playlist)\"\n" + keys.joined(separator: "\n") + "\n"
  }

  static func engine(_ text: String, zone: TimeZoneRules) throws -> ScheduleEngine {
    let playlists = ["main", "a", "b"].map { "[[playlist.\($0).item]]\nuri = \"\($0).mp4\"\n" }.joined()
    return ScheduleEngine(
      try Configuration.parse(Array(("version = 1\n" + playlists + text).utf8), path: "k").get(), zone: zone)
  }

  @Test("The right playlist is on at every moment of the table", arguments: groups)
  func moments(group: Group) throws {
    let engine = try Self.engine(group.text, zone: group.zone)
    for (moment, expected) in group.moments {
      let utc = utcSeconds(moment)
      let decision = engine.decision(at: .utc(utc))
      #expect(
        (decision.isScreenOff ? "off" : decision.playlist) == expected,
        "\(moment) UTC, \(engine.zone.civilTime(at: utc)) in \(group.zone.name)")
    }
  }

  @Test("There are enough cases")
  func count() { #expect(Self.groups.map(\.moments.count).reduce(0, +) >= 100) }

  @Test("The next change is at the boundary of a rule")
  func changes() throws {
    let engine = try Self.engine(
      Self.rule("a", "days = [\"fri\"], start = \"22:00\", end = \"02:00\""), zone: ScheduleZones.berlin)
    #expect(engine.nextChange(after: utcSeconds("2026-01-15 12:00"), withinDays: 7) == utcSeconds("2026-01-16 21:00"))
    #expect(engine.nextChange(after: utcSeconds("2026-01-16 21:00"), withinDays: 7) == utcSeconds("2026-01-17 01:00"))
    #expect(engine.nextChange(after: utcSeconds("2026-01-17 01:00"), withinDays: 3) == nil)
    #expect(try Self.engine("", zone: .utc).nextChange(after: 0, withinDays: 400) == nil)
    #expect(try Self.engine("", zone: .utc).isConstant)
  }
}

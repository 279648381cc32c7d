import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Schedule through a run")
struct ScheduleMachineTests {
  private let text = """
    version = 1
    [[schedule.rule]]
    playlist = "evening"
    start = "18:00"
    end = "23:00"
    [[playlist.main.item]]
    uri = "a.mp4"
    [[playlist.main.item]]
    uri = "noon.mp4"
    when = { start = "12:00", end = "13:00" }
    [[playlist.evening.item]]
    uri = "b.mp4"
    """

  private func engine(_ text: String? = nil) throws -> ScheduleEngine {
    ScheduleEngine(try Configuration.parse(Array((text ?? self.text).utf8), path: "k").get(), zone: .utc)
  }
  private func at(_ text: String) -> ScheduleClock { .utc(utcSeconds("2026-05-05 \(text)")) }
  private func seconds(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
  private func shown(_ actions: [ScheduleMachine.Action]) -> ScheduleDecision? {
    actions.compactMap { if case .show(let decision) = $0 { decision } else { nil } }.first
  }

  @Test("A decision is shown once, and the next look comes at the next change, but within a minute")
  func changes() throws {
    var machine = ScheduleMachine(try engine())
    let first = machine.handle(.looked(at("17:58")), at: seconds(0))
    #expect(shown(first) == ScheduleDecision(playlist: "main", items: [0], reason: .byDefault, off: nil))
    #expect(first.last == .lookAgain(after: .seconds(60)))
    #expect(machine.handle(.looked(at("17:59:30")), at: seconds(90)) == [.lookAgain(after: .seconds(30))])
    let evening = machine.handle(.looked(at("18:00")), at: seconds(120))
    #expect(shown(evening) == ScheduleDecision(playlist: "evening", items: [0], reason: .rule(0), off: nil))
    #expect(!evening.contains { if case .tellJump = $0 { true } else { false } })
  }

  @Test("Items come and go within a playlist")
  func items() throws {
    var machine = ScheduleMachine(try engine())
    #expect(shown(machine.handle(.looked(at("11:59")), at: seconds(0)))?.items == [0])
    #expect(shown(machine.handle(.looked(at("12:00")), at: seconds(60)))?.items == [0, 1])
    #expect(shown(machine.handle(.looked(at("13:00")), at: seconds(3660)))?.items == [0])
  }

  @Test("Without a clock the default plays; the schedule takes over when the clock is set, without reporting a jump")
  func notSet() throws {
    var machine = ScheduleMachine(try engine())
    let unset = machine.handle(.looked(.notSet), at: seconds(0))
    #expect(shown(unset) == ScheduleDecision(playlist: "main", items: [0], reason: .clockNotSet, off: nil))
    #expect(unset.last == .lookAgain(after: .seconds(60)))
    let set = machine.handle(.looked(at("20:00")), at: seconds(60))
    #expect(shown(set)?.playlist == "evening")
    #expect(set.count == 2)
  }

  @Test("A jump of the clock is reported, and the schedule follows at once, forwards and back")
  func jumps() throws {
    var machine = ScheduleMachine(try engine())
    _ = machine.handle(.looked(at("10:00")), at: seconds(0))
    let forwards = machine.handle(.looked(at("20:00")), at: seconds(60))
    #expect(forwards.first == .tellJump(.seconds(36_000 - 60)))
    #expect(shown(forwards)?.playlist == "evening")
    let back = machine.handle(.looked(at("10:01")), at: seconds(120))
    #expect(back.first == .tellJump(.seconds(-35_940 - 60)))
    #expect(shown(back)?.playlist == "main")
    #expect(machine.handle(.looked(at("10:02:03")), at: seconds(180)).count == 1)
  }

  @Test("A new schedule's decision is shown even if it equals the old one")
  func replaced() throws {
    var machine = ScheduleMachine(try engine())
    _ = machine.handle(.looked(at("10:00")), at: seconds(0))
    let actions = machine.handle(.scheduleReplaced(try engine(), at("10:00")), at: seconds(1))
    #expect(shown(actions)?.playlist == "main")
  }

  @Test("A playlist with nothing due gives way; where nothing at all is due the screen goes off")
  func nothingDue() throws {
    let when = "when = { start = \"08:00\", end = \"10:00\" }\n"
    let engine = try engine(
      "version = 1\n[[schedule.rule]]\nplaylist = \"b\"\n[[playlist.main.item]]\nuri = \"a\"\n"
        + "when = { start = \"08:00\", end = \"12:00\" }\n[[playlist.b.item]]\nuri = \"b\"\n" + when)
    #expect(engine.decision(at: at("09:00")).reason == .rule(0))
    #expect(engine.decision(at: at("11:00")).reason == .byDefault)
    let night = engine.decision(at: at("12:00"))
    #expect(night.reason == .nothingDue && night.isScreenOff && night.items == [])
    // No rule is always due, and the time is unknown: playing something is better than nothing.
    let unknown = engine.decision(at: .notSet)
    #expect(unknown.items == [0] && !unknown.isScreenOff)
  }
}

@Suite("Civil time")
struct CivilTimeTests {
  @Test("Every day of 800 years: dates follow each other as a calendar has them")
  func calendar() throws {
    var (year, month, day) = (1600, 1, 1)
    let first = try #require(CivilDate(year: 1600, month: 1, day: 1)).dayNumber
    var wrong: [String] = []
    for number in first..<(first + 292_194) {
      let date = CivilDate(dayNumber: number)
      if (date.year, date.month, date.day) != (year, month, day) || date.dayNumber != number {
        wrong.append("\(number): \(date)")
      }
      day += 1
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      if day > length { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
    }
    #expect(wrong.prefix(3) == [])
    #expect(CivilDate(parsing: "1970-01-01")?.dayNumber == 0)
    #expect(CivilDate(parsing: "2026-11-21")?.weekday == .saturday)
  }

  @Test(
    "A text that isn't a date or time isn't read",
    arguments: [
      "2026-02-29", "2026-13-01", "2026-00-01", "2026-1-1", "0000-01-01", "2026-01-32", "+026-01-01", "", "-",
    ])
  func bad(text: String) {
    #expect(CivilDate(parsing: text) == nil)
    #expect(TimeOfDay(parsing: text) == nil)
  }

  @Test("Times")
  func times() {
    #expect(TimeOfDay(parsing: "8:05")?.description == "08:05")
    #expect(TimeOfDay(parsing: "23:59:59")?.description == "23:59:59")
    #expect(TimeOfDay(parsing: "24:00")?.seconds == 86_400)
    for text in ["24:01", "12:60", "1:2", "12", "12:00:60", "12:00:0", "a:00", "-1:00", "012:00"] {
      #expect(TimeOfDay(parsing: text) == nil, "\(text)")
    }
  }
}

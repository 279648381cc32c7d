import ArgumentParser
import InteractionCore
import KioskRuntime
import PlaybackCore
import PlaylistConfig

struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Say what would play at a time, and why.",
    discussion: """
      TIME is 2026-03-29 08:00 or 2026-03-29T08:00 in the time zone of the schedule, or with a Z at its end in UTC. A time \
      that comes twice, where clocks are put back, is the first of the two.
      """)

  @Option(help: ArgumentHelp("The time. Without it, now.", valueName: "time"))
  var at: String?
  @Flag(help: "Print a table of the seven days from then on.")
  var week = false
  @OptionGroup var source: ConfigurationOptions

  func run() throws {
    let loaded = source.load()
    StandardStreams.printErrors(loaded.diagnostics.filter { $0.severity == .error }.map(\.description))
    do {
      let configuration = try loaded.get()
      let engine = try ScheduleSetup.engine(configuration)
      let clock = try moment(engine)
      if week, case .utc(let now) = clock {
        printWeek(engine, from: now)
      } else {
        explain(configuration, engine, clock)
      }
    } catch let error as VitrineError {
      StandardStreams.printErrors([error.line])
      throw ExitCode(error.exitStatus)
    }
  }

  private func moment(_ engine: ScheduleEngine) throws -> ScheduleClock {
    guard let at else { return ScheduleSetup.clock(engine.settings) }
    let isUTC = at.hasSuffix("Z")
    let parts = at.prefix(isUTC ? at.count - 1 : at.count).split { $0 == " " || $0 == "T" }.map(String.init)
    guard parts.count == 2, let date = CivilDate(parsing: parts[0]), let time = TimeOfDay(parsing: parts[1]),
      time.seconds < TimeOfDay.secondsOfDay
    else { throw ValidationError("'\(at)' is not a time; write 2026-03-29 08:00, or 2026-03-29T08:00Z for UTC.") }
    let civil = CivilTime(date, time)
    return .utc(isUTC ? civil.localSeconds : engine.zone.firstInstant(of: civil))
  }

  // MARK: A moment

  private func explain(_ configuration: Configuration, _ engine: ScheduleEngine, _ clock: ScheduleClock) {
    let decision = engine.decision(at: clock)
    guard case .utc(let now) = clock else {
      StandardStreams.print("the clock isn't set: \(summary(of: decision))")
      return list(decision, configuration)
    }
    StandardStreams.print("\(stamp(now, engine)) \(engine.zone.name): \(summary(of: decision))")
    StandardStreams.print("  \(reason(of: decision, engine))")
    list(decision, configuration)
    for index in engine.rulesByRank {
      let rule = engine.settings.rules[index]
      let isOn = engine.isOn(rule.condition, at: now)
      StandardStreams.print(
        "  \(name(ofRule: index, engine)), priority \(rule.priority): \(isOn ? "is on" : "is not on") (\(rule.condition))"
      )
    }
    if let next = engine.nextChange(after: now, withinDays: 400) {
      StandardStreams.print("  until \(stamp(next, engine)), then \(summary(of: engine.decision(at: .utc(next))))")
    } else {
      StandardStreams.print("  nothing changes within 400 days")
    }
  }

  private func list(_ decision: ScheduleDecision, _ configuration: Configuration) {
    guard let playlist = configuration.playlists[decision.playlist], !decision.isScreenOff else { return }
    let left = playlist.items.count - decision.items.count
    for index in decision.items.prefix(20) {
      StandardStreams.print("  item \(index + 1): \(Redaction.value(playlist.items[index].uri))")
    }
    if decision.items.count > 20 { StandardStreams.print("  and \(decision.items.count - 20) more") }
    if left > 0 { StandardStreams.print("  \(left) of its items are not due") }
  }

  private func summary(of decision: ScheduleDecision) -> String {
    decision.isScreenOff ? "the screen is off" : "playlist \(decision.playlist)"
  }

  private func reason(of decision: ScheduleDecision, _ engine: ScheduleEngine) -> String {
    if let off = decision.off { return "because of [[schedule.off]] \(off + 1) (\(engine.settings.off[off]))" }
    switch decision.reason {
    case .rule(let index):
      return "because of \(name(ofRule: index, engine)) (\(engine.settings.rules[index].condition))"
    case .byDefault: return "by default: no rule is on that has something to show"
    case .nothingDue: return "because no rule is on, and no item of \(decision.playlist) is due"
    case .clockNotSet: return "because the clock isn't set"
    }
  }

  private func name(ofRule index: Int, _ engine: ScheduleEngine) -> String {
    let rule = engine.settings.rules[index]
    return "rule \(index + 1)" + (rule.name.map { " \"\($0)\"" } ?? "") + " for \(rule.playlist)"
  }

  // MARK: A week

  private func printWeek(_ engine: ScheduleEngine, from start: Int64) {
    let today = engine.zone.civilTime(at: start).date
    StandardStreams.print("\(engine.zone.name), from \(today)")
    for day in today.dayNumber..<(today.dayNumber + 7) {
      let date = CivilDate(dayNumber: day)
      let midnight = engine.zone.firstInstant(of: CivilTime(date, .midnight))
      let end = engine.zone.firstInstant(of: CivilTime(CivilDate(dayNumber: day + 1), .midnight))
      var label = "\(date.weekday.abbreviation) \(date)"
      var now = midnight
      var last = ""
      while now < end {
        let summary = summary(of: engine.decision(at: .utc(now)))
        // A line only for a visible change: a rule may begin while another one keeps the screen off.
        if summary != last { StandardStreams.print("\(label)  \(engine.zone.civilTime(at: now).time)  \(summary)") }
        last = summary
        label = String(repeating: " ", count: label.count)
        guard let next = engine.nextChange(after: now, withinDays: 2) else { break }
        now = next
      }
    }
  }

  /// A time such as `Sun 2026-03-29 08:00`.
  private func stamp(_ utc: Int64, _ engine: ScheduleEngine) -> String {
    let civil = engine.zone.civilTime(at: utc)
    return "\(civil.date.weekday.abbreviation) \(civil)"
  }
}

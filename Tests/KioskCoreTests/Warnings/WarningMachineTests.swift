import InteractionCore
import KioskCore
import PlaybackCore
import Testing

@Suite("Polls of a feed of warnings")
struct WarningMachineTests {
  private static let noon: Int64 = 1_795_788_000

  private func machine(current: [Alert] = []) -> WarningMachine {
    let settings = WarningSettings(
      feed: "https://a/", wish: WarningWish(), language: .english, interval: .seconds(60))
    return WarningMachine(settings, current: current, seed: 1, at: Instant(nanoseconds: 0))
  }

  private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + .seconds(seconds) }

  private func message(_ id: String) -> CAPMessage {
    var message = CAPMessage()
    (message.identifier, message.sent, message.status, message.kind) = (id, Self.noon, .actual, .alert)
    var info = CAPMessage.Info()
    (info.headline, info.severity, info.expires) = (id, .severe, Self.noon + 3600)
    message.infos = [info]
    return message
  }

  private func index(_ entries: [CAPEntry], isCut: Bool = false, of machine: WarningMachine) -> WarningIndex {
    WarningIndex(.index(entries, isCut: isCut), for: machine.settings, at: Self.noon)
  }

  private func entry(_ link: String) -> CAPEntry {
    var entry = CAPEntry()
    entry.link = link
    return entry
  }

  private let error = VitrineError(7670, subject: "a", message: "away", remedy: "wait")

  private func seconds(_ instant: Instant?) -> Double { instant.map { ($0 - at(0)).inSeconds } ?? -1 }

  @Test("The index is asked for at once, then every interval, a little later each time, with the version that is there")
  func interval() {
    var machine = machine()
    let clock = ScheduleClock.utc(Self.noon)
    #expect(machine.handle(.time, at: at(0), clock: clock) == [.readIndex(.init())])
    #expect(machine.deadline == nil && machine.handle(.time, at: at(90), clock: clock).isEmpty)
    let version = WarningMachine.Version(etag: "e", lastModified: "m")
    #expect(machine.handle(.indexRead(index([], of: machine), version), at: at(1), clock: clock) == [.show([], [:])])
    #expect((61...73).contains(seconds(machine.deadline)))
    #expect(machine.handle(.time, at: at(60), clock: clock).isEmpty)
    #expect(machine.handle(.time, at: at(80), clock: clock) == [.readIndex(version)])
    #expect(machine.handle(.indexUnchanged, at: at(81), clock: clock) == [.show([], [:])])
  }

  @Test(
    "A server that is away is asked again after seconds, then minutes, at its own wish later; both ends are told once"
  )
  func retries() {
    var machine = machine()
    let clock = ScheduleClock.utc(Self.noon)
    var (now, waits): (Instant, [Double]) = (at(0), [])
    var (told, toldAt) = (0, -1)
    for number in 0..<12 {
      #expect(machine.handle(.time, at: now, clock: clock) == [.readIndex(.init())])
      let actions = machine.handle(.failed(error, isFinal: false, wait: nil), at: now, clock: clock)
      told += actions.count { $0 == .tell(error) }
      if told == 1, toldAt < 0 { toldAt = number }
      #expect(!actions.contains { if case .show = $0 { true } else { false } })
      let due = machine.deadline ?? now
      waits.append((due - now).inSeconds)
      now = due
    }
    #expect(
      told == 1 && toldAt == 2 && (5...6).contains(waits[0]) && (10...12).contains(waits[1]) && waits.max() ?? 0 <= 360,
      "\(waits)")
    _ = machine.handle(.time, at: now, clock: clock)
    _ = machine.handle(.failed(error, isFinal: false, wait: .seconds(900)), at: now, clock: clock)
    #expect((900...1080).contains(((machine.deadline ?? now) - now).inSeconds))
    #expect(machine.handle(.clockSet, at: now, clock: clock) == [.readIndex(.init())], "not after the clock was set")
    #expect(machine.handle(.indexUnchanged, at: now, clock: clock) == [.tellAnswers, .show([], [:])])
  }

  @Test("While the clock isn't set nothing is asked for; one that is lost meanwhile ends the poll")
  func clock() {
    var machine = machine()
    #expect(machine.handle(.time, at: at(0), clock: .notSet).isEmpty)
    #expect(seconds(machine.deadline) == 10)
    let clock = ScheduleClock.utc(Self.noon)
    #expect(machine.handle(.clockSet, at: at(3), clock: clock) == [.readIndex(.init())])
    let index = index([entry("a")], of: machine)
    #expect(machine.handle(.indexRead(index, .init()), at: at(4), clock: .notSet).isEmpty)
    #expect(seconds(machine.deadline) == 14)
  }

  @Test("The warnings of the previous run stay until the feed was read, and go if it doesn't have them")
  func restart() {
    var kept = Alert(id: "cap:old", text: "Old", until: Self.noon + 3600)
    kept.isWarning = true
    var machine = machine(current: [kept])
    let clock = ScheduleClock.utc(Self.noon)
    _ = machine.handle(.time, at: at(0), clock: clock)
    let index = index([entry("a"), entry("b")], of: machine)
    #expect(machine.handle(.indexRead(index, .init()), at: at(1), clock: clock) == [.readMessage("a")])
    #expect(machine.handle(.messageRead(message("a")), at: at(2), clock: clock) == [.readMessage("b")])
    let actions = machine.handle(.failed(error, isFinal: false, wait: nil), at: at(3), clock: clock)
    guard case .show(let alerts, _)? = actions.last else { return #expect(Bool(false), "\(actions)") }
    #expect(Set(alerts.map(\.text)) == ["a", "Old"] && actions.first == .tell(error))
    _ = machine.handle(.time, at: at(100), clock: clock)
    #expect(machine.handle(.indexUnchanged, at: at(100), clock: clock) == [.readMessage("b")])
    let later = machine.handle(.failed(error, isFinal: true, wait: nil), at: at(101), clock: clock)
    guard case .show(let alerts, _)? = later.last else { return #expect(Bool(false), "\(later)") }
    #expect(alerts.map(\.text) == ["a"] && later.count == 1, "told once, and gone for good")
  }

  @Test("Of many warnings the most severe five are shown, and as many that aren't in force yet are kept")
  func bounds() {
    var machine = machine()
    let clock = ScheduleClock.utc(Self.noon)
    _ = machine.handle(.time, at: at(0), clock: clock)
    let entries = (0..<40).map { number -> CAPEntry in
      var entry = CAPEntry()
      entry.message = message("\(number)")
      entry.message.infos[0].severity = number == 33 ? .extreme : .severe
      if number % 2 == 0 { entry.message.infos[0].effective = Self.noon + 600 }
      return entry
    }
    let actions = machine.handle(.indexRead(index(entries, isCut: true, of: machine), .init()), at: at(1), clock: clock)
    guard case .show(let alerts, _)? = actions.last else { return #expect(Bool(false), "\(actions)") }
    #expect(alerts.count == AlertMachine.mostWarnings && alerts.first?.text == "33" && actions.first == .tellCut)
    #expect(alerts.count { $0.from == Self.noon } == AlertMachine.mostAlerts)
  }
}

@Suite("Warnings among alerts")
struct WarningAlertTests {
  private static let noon: Int64 = 1_795_788_000

  private func moment(_ after: Int64, boot: String = "a", isSet: Bool = true, ahead: Int64 = 0) -> AlertMachine.Moment {
    AlertMachine.Moment(
      isSet ? .utc(Self.noon + after + ahead) : .notSet, sinceBoot: BootTime(boot: boot, seconds: 500 + after),
      zone: .utc)
  }

  private func warning(_ id: String, until: Int64, from: Int64 = 0) -> Alert {
    var alert = Alert(id: "cap:\(id)", text: id, until: Self.noon + until)
    (alert.isWarning, alert.from) = (true, Self.noon + from)
    return alert
  }

  private func restarted(_ machine: AlertMachine, at moment: AlertMachine.Moment) throws -> AlertMachine {
    let bytes = Array(KeptAlerts(alerts: machine.kept + machine.warnings).text.utf8)
    var later = AlertMachine()
    _ = later.handle(.restored(try #require(KeptAlerts(bytes: bytes)).alerts), at: moment)
    return later
  }

  private func texts(_ machine: AlertMachine) -> [String] { machine.shown.map(\.text) }

  @Test("Warnings are kept over a restart and a power cut, for days, and never shown after their end")
  func kept() throws {
    var machine = AlertMachine()
    _ = machine.handle(.warned([warning("days", until: 200_000), warning("hour", until: 3600)], [:]), at: moment(0))
    #expect(texts(machine) == ["days", "hour"])
    #expect(texts(try restarted(machine, at: moment(3599))) == ["days", "hour"])
    #expect(texts(try restarted(machine, at: moment(3600))) == ["days"])
    #expect(texts(try restarted(machine, at: moment(10, boot: "b"))) == ["days", "hour"])
    #expect(texts(try restarted(machine, at: moment(199_999, boot: "b"))) == ["days"])
    #expect(try restarted(machine, at: moment(200_000, boot: "b")).warnings.isEmpty)
    // Without a clock after a power cut, or with one that is behind, in doubt it isn't shown.
    #expect(texts(try restarted(machine, at: moment(10, boot: "b", isSet: false))).isEmpty)
    #expect(texts(try restarted(machine, at: moment(10, boot: "b", ahead: -86_400))).isEmpty)
    // One that is set back while the machine runs doesn't make it stay.
    _ = machine.handle(.looked, at: moment(200_000, ahead: -86_400))
    #expect(texts(machine).isEmpty)
  }

  @Test("A warning that isn't in force yet comes at its moment, also after a restart, and wakes the machine for it")
  func later() throws {
    var machine = AlertMachine()
    let actions = machine.handle(.warned([warning("a", until: 600, from: 30)], [:]), at: moment(0))
    #expect(actions.last == .lookAgain(after: .seconds(30)) && texts(machine).isEmpty)
    #expect(texts(try restarted(machine, at: moment(30, boot: "b"))) == ["a"])
    _ = machine.handle(.looked, at: moment(30))
    #expect(texts(machine) == ["a"])
  }

  @Test("The same warnings again change nothing; others end with their reason; an alert by command stands before them")
  func again() throws {
    var machine = AlertMachine()
    let (a, b) = (warning("a", until: 600), warning("b", until: 600))
    _ = machine.handle(.warned([a, b], [:]), at: moment(0))
    let kept = machine.warnings
    #expect(machine.handle(.warned([a, b], [:]), at: moment(60)) == [.lookAgain(after: .seconds(60))])
    #expect(machine.warnings == kept, "with the limit of the first reading")
    let request = AlertRequest(text: "Leave by stair B", until: .after(.seconds(60)))
    _ = machine.handle(.requested(request, screen: nil), at: moment(60))
    #expect(texts(machine) == ["Leave by stair B", "a", "b"])
    var other = a
    other.text = "a, later"
    let changed = machine.handle(.warned([other, b], [:]), at: moment(60))
    #expect(changed.contains(.tellEnded(kept[0], .replaced)))
    _ = machine.handle(.warned([a, b], [:]), at: moment(60))
    let actions = machine.handle(.warned([], ["cap:a": .replaced]), at: moment(61))
    #expect(actions.contains(.tellEnded(kept[0], .replaced)) && actions.contains(.tellEnded(kept[1], .removed)))
    #expect(texts(machine) == ["Leave by stair B"])
  }

  @Test(
    "The most warnings with the longest texts fit in the file beside the most alerts; an earlier version reads those")
  func file() throws {
    var machine = AlertMachine()
    let text = String(repeating: "\u{E0001}", count: CommandLimits.alertCharacters)
    for number in 1...AlertMachine.mostAlerts {
      _ = machine.handle(
        .requested(AlertRequest(id: "\(number)", text: text, until: .after(.seconds(60))), screen: nil), at: moment(0))
    }
    let warnings = (0..<AlertMachine.mostWarnings).map { number in
      var alert = warning("\(number)" + String(repeating: "\u{1}", count: 240), until: 600)
      alert.text = text
      return alert
    }
    _ = machine.handle(.warned(warnings + warnings, [:]), at: moment(0))
    let all = machine.kept + machine.warnings
    let bytes = Array(KeptAlerts(alerts: all).text.utf8)
    #expect(KeptAlerts(bytes: bytes)?.alerts == all && all.count == 15 && bytes.count <= KeptAlerts.longestText)
    for cut in stride(from: 1, to: bytes.count - 1, by: 97) {
      #expect(KeptAlerts(bytes: Array(bytes.prefix(cut))) == nil)
    }
    let twice = KeptAlerts(alerts: machine.warnings + machine.warnings)
    #expect(KeptAlerts(bytes: Array(twice.text.utf8)) == nil)
  }
}

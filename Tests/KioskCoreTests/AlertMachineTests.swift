import InteractionCore
import KioskCore
import PlaybackCore
import Testing

@Suite("Alerts")
struct AlertMachineTests {
  /// 2026-11-27 14:00:00 UTC.
  private static let noon: Int64 = 1_795_788_000
  /// An hour ahead of UTC.
  private static let zone = TimeZoneRules(name: "one ahead") { _ in 3600 }

  private func moment(_ after: Int64 = 0, boot: String = "a", isSet: Bool = true, ahead: Int64 = 0)
    -> AlertMachine.Moment
  {
    AlertMachine.Moment(
      isSet ? .utc(Self.noon + after + ahead) : .notSet, sinceBoot: BootTime(boot: boot, seconds: 500 + after),
      zone: Self.zone)
  }

  private func request(
    _ text: String = "Leave by stair B", until: String = "20m", id: String = "alert"
  ) throws -> AlertMachine.Event {
    .requested(AlertRequest(id: id, text: text, until: try #require(AlertEnd(parsing: until))), screen: nil)
  }

  private func shown(_ machine: AlertMachine) -> [String] { machine.shown.map(\.text) }

  private func refusal(_ actions: [AlertMachine.Action]) -> KioskRefusal? {
    if case .refuse(let refusal)? = actions.first { refusal } else { nil }
  }

  /// The machine of a later run, with what this one kept.
  private func restarted(_ machine: AlertMachine, at moment: AlertMachine.Moment) throws -> AlertMachine {
    let bytes = Array(KeptAlerts(alerts: machine.kept).text.utf8)
    var later = AlertMachine()
    _ = later.handle(.restored(try #require(KeptAlerts(bytes: bytes)).alerts), at: moment)
    return later
  }

  // MARK: Its end

  @Test(
    "An alert goes at its end, to the second, and is told so",
    arguments: [
      ("20m", 1200), ("90s", 90), ("15:30", 1800), ("2026-11-27T15:30", 1800), ("2026-11-27T14:30:05Z", 1805),
    ]
  )
  func expiry(until: String, after: Int64) throws {
    var machine = AlertMachine()
    let first = machine.handle(try request(until: until), at: moment())
    let alert = try #require(machine.shown.first)
    #expect(
      first == [
        .keep([alert]), .show([alert]), .tellShown(alert), .lookAgain(after: min(.seconds(60), .seconds(after))),
      ])
    #expect(machine.handle(.looked, at: moment(after - 1)) == [.lookAgain(after: .seconds(1))])
    #expect(machine.handle(.looked, at: moment(after)) == [.keep([]), .show([]), .tellEnded(alert, .expired)])
    #expect(machine.handle(.looked, at: moment(after + 1)).isEmpty)
  }

  @Test("An alert is shown again after a restart, and not when its end has come meanwhile")
  func restart() throws {
    for until in ["20m", "14:59:59", "15:20"] {
      var machine = AlertMachine()
      if until == "14:59:59" {
        #expect(refusal(machine.handle(try request(until: until), at: moment())) == .timeIsOver)
        continue
      }
      _ = machine.handle(try request(until: until), at: moment())
      for boot in ["a", "b"] {
        #expect(shown(try restarted(machine, at: moment(1199, boot: boot))) == ["Leave by stair B"], "\(until) \(boot)")
        let late = try restarted(machine, at: moment(1200, boot: boot))
        #expect(shown(late).isEmpty && late.kept.isEmpty, "\(until) \(boot)")
      }
    }
  }

  @Test(
    "With a clock that isn't set, an earlier start's alert waits; one of this start goes on for as long as was asked")
  func clockNotSet() throws {
    var machine = AlertMachine()
    _ = machine.handle(try request(until: "15:20"), at: moment())
    var other = try restarted(machine, at: moment(10, boot: "b", isSet: false))
    #expect(shown(other).isEmpty && other.kept.count == 1)
    #expect(other.handle(.looked, at: moment(20, boot: "b", isSet: false)) == [.lookAgain(after: .seconds(10))])
    #expect(other.handle(.looked, at: moment(30, boot: "b")).contains(.tellShown(machine.kept[0])))
    // Where the clock is set only after the end, nothing was ever shown.
    var late = try restarted(machine, at: moment(0, boot: "c", isSet: false))
    let actions = late.handle(.looked, at: moment(1200, boot: "c"))
    #expect(actions == [.keep([])] && shown(late).isEmpty)

    var isolated = AlertMachine()
    #expect(refusal(isolated.handle(try request(until: "15:20"), at: moment(isSet: false))) == .clockNotSet)
    _ = isolated.handle(try request(until: "20m"), at: moment(isSet: false))
    #expect(shown(try restarted(isolated, at: moment(1199, isSet: false))) == ["Leave by stair B"])
    #expect(shown(try restarted(isolated, at: moment(1200, isSet: false))).isEmpty)
    // It isn't known how long the machine was off.
    #expect(try restarted(isolated, at: moment(10, boot: "b")).kept.isEmpty)
  }

  @Test("Setting the clock moves the end of a time of day, not that of a span, and no alert stays for more than a day")
  func clockSet() throws {
    for (until, ahead, isShown) in [("20m", 3600, true), ("20m", -3600, true), ("15:20", 3600, false)]
      as [(
        String, Int64, Bool
      )]
    {
      var machine = AlertMachine()
      _ = machine.handle(try request(until: until), at: moment())
      _ = machine.handle(.looked, at: moment(60, ahead: ahead))
      #expect(shown(machine).isEmpty != isShown, "\(until) \(ahead)")
      _ = machine.handle(.looked, at: moment(1200, ahead: ahead))
      if until == "20m" { #expect(shown(machine).isEmpty, "\(until) \(ahead)") }
    }
    // The clock falls back to 1970 or to last year, while the alert is shown and in the next start.
    var machine = AlertMachine()
    _ = machine.handle(try request(until: "15:20"), at: moment())
    _ = machine.handle(.looked, at: moment(86_399, ahead: -400 * 86_400))
    #expect(shown(machine).count == 1)
    let other = try restarted(machine, at: moment(600, boot: "b", ahead: -400 * 86_400))
    #expect(shown(other).isEmpty && other.kept.count == 1)
    _ = machine.handle(.looked, at: moment(86_400, ahead: -400 * 86_400))
    #expect(shown(machine).isEmpty)
  }

  @Test("A time of day is the next one; one that has just passed is refused, and one further than a day away too")
  func timesOfDay() throws {
    func end(_ until: String) throws -> Int64? {
      var machine = AlertMachine()
      _ = machine.handle(try request(until: until), at: moment())
      return machine.shown.first?.until.map { $0 - Self.noon }
    }
    // 15:00 in the zone.
    #expect(try end("15:00:01") == 1)
    #expect(try end("24:00") == 9 * 3600 && end("0:00") == 9 * 3600)
    #expect(try end("13:59") == 23 * 3600 - 60)
    for (until, expected) in [
      ("15:00", KioskRefusal.timeIsOver), ("14:01", .timeIsOver), ("2026-11-27T14:59", .timeIsOver),
      ("2026-11-28T15:00:01", .timeTooFar), ("2036-11-27T15:30Z", .timeTooFar),
    ] {
      var machine = AlertMachine()
      #expect(refusal(machine.handle(try request(until: until), at: moment())) == expected, "\(until)")
      #expect(machine.kept.isEmpty)
    }
  }

  // MARK: Several

  @Test("The same id replaces; others stand beside it, the newest first; each is taken back by its id")
  func ids() throws {
    var machine = AlertMachine()
    _ = machine.handle(try request("one"), at: moment())
    _ = machine.handle(try request("two", id: "b"), at: moment(1))
    #expect(shown(machine) == ["two", "one"])
    let old = machine.kept[1]
    let actions = machine.handle(try request("three"), at: moment(2))
    #expect(actions.contains(.tellEnded(old, .replaced)) && shown(machine) == ["three", "two"])
    // A refusal doesn't stop the clock for the others.
    #expect(
      machine.handle(.takenBack("c"), at: moment(3)) == [.refuse(.noSuchAlert), .lookAgain(after: .seconds(60))])
    let two = machine.kept[1]
    #expect(machine.handle(.takenBack("b"), at: moment(3)).contains(.tellEnded(two, .takenBack)))
    #expect(shown(machine) == ["three"])
    #expect(shown(try restarted(machine, at: moment(4))) == ["three"])
  }

  @Test("The same alert until the same moment changes nothing, as often as it is sent; a span begins again")
  func again() throws {
    var machine = AlertMachine()
    _ = machine.handle(try request(until: "2026-11-27T15:30"), at: moment())
    let before = machine.kept
    #expect(
      machine.handle(try request(until: "2026-11-27T14:30Z"), at: moment(60)) == [.lookAgain(after: .seconds(60))])
    #expect(machine.kept == before)
    _ = machine.handle(try request(until: "20m"), at: moment(60))
    _ = machine.handle(try request(until: "20m"), at: moment(120))
    _ = machine.handle(.looked, at: moment(1319))
    #expect(shown(machine) == ["Leave by stair B"])
  }

  @Test("There are at most five, and a sixth takes none away")
  func bounds() throws {
    var machine = AlertMachine()
    for number in 1...5 { _ = machine.handle(try request("\(number)", id: "\(number)"), at: moment()) }
    #expect(refusal(machine.handle(try request("6", id: "6"), at: moment())) == .tooManyAlerts)
    #expect(shown(machine) == ["5", "4", "3", "2", "1"])
    // One of them can still be corrected, and an end makes room.
    _ = machine.handle(try request("1a", id: "1"), at: moment())
    #expect(shown(machine) == ["1a", "5", "4", "3", "2"])
    _ = machine.handle(.takenBack("5"), at: moment())
    #expect(refusal(machine.handle(try request("6", id: "6"), at: moment())) == nil)
  }

  @Test("Configured alerts come and go with the configuration, wait for the clock, and aren't taken back by a command")
  func configured() throws {
    var alert = Alert(id: "stairs", text: "Stair B is closed", until: Self.noon + 100)
    alert.isConfigured = true
    var machine = AlertMachine()
    #expect(
      machine.handle(.configured([alert]), at: moment())
        == [.show([alert]), .tellShown(alert), .lookAgain(after: .seconds(60))])
    _ = machine.handle(try request(), at: moment(1))
    #expect(shown(machine) == ["Leave by stair B", "Stair B is closed"])
    #expect(refusal(machine.handle(.takenBack("stairs"), at: moment(2))) == .alertOfConfiguration)
    #expect(KeptAlerts(alerts: machine.kept).alerts.count == 1)
    #expect(machine.handle(.configured([]), at: moment(3)).contains(.tellEnded(alert, .removed)))
    _ = machine.handle(.configured([alert]), at: moment(4))
    #expect(machine.handle(.looked, at: moment(100)).contains(.tellEnded(alert, .expired)))
    #expect(!machine.handle(.configured([alert]), at: moment(101)).contains(.tellShown(alert)))
    var early = AlertMachine()
    #expect(early.handle(.configured([alert]), at: moment(isSet: false)) == [.lookAgain(after: .seconds(10))])
    #expect(early.handle(.looked, at: moment()).contains(.tellShown(alert)))
  }

  // MARK: The file

  @Test("The file keeps each member; a damaged, foreign or too large one is told apart")
  func file() throws {
    var machine = AlertMachine()
    let request = AlertRequest(
      id: "b", text: "\"Sortie\" \u{1F6AA} \\ مخرج\n2", until: .after(.seconds(9)), isTest: true, playlist: "way-out")
    _ = machine.handle(.requested(request, screen: "left"), at: moment())
    _ = machine.handle(try self.request(until: "15:30"), at: moment(isSet: true))
    _ = machine.handle(
      .requested(AlertRequest(id: "c", text: "c", until: .after(.seconds(9)), isInstead: true), screen: nil),
      at: moment())
    let text = KeptAlerts(alerts: machine.kept).text
    #expect(KeptAlerts(bytes: Array(text.utf8))?.alerts == machine.kept)
    for cut in 1..<text.utf8.count - 1 { #expect(KeptAlerts(bytes: Array(text.utf8.prefix(cut))) == nil, "\(cut)") }
    #expect(KeptAlerts(bytes: []) == nil)
    #expect(KeptAlerts(bytes: [UInt8](repeating: 0, count: 4096)) == nil)
    #expect(KeptAlerts(bytes: Array("{\"version\":2,\"alerts\":[]}".utf8)) == nil)
    let twice = KeptAlerts(alerts: machine.kept + machine.kept)
    #expect(KeptAlerts(bytes: Array(twice.text.utf8)) == nil)
  }

  @Test("The most alerts with the longest texts fit in the file, whatever their letters are")
  func largest() throws {
    for letter in ["\u{1}", "\"", "\u{10FFFF}", "\u{E0001}"] {
      var machine = AlertMachine()
      for number in 1...AlertMachine.mostAlerts {
        let text = String(repeating: letter, count: CommandLimits.alertCharacters)
        _ = machine.handle(try request(text, id: "\(number)"), at: moment())
      }
      #expect(KeptAlerts(bytes: Array(KeptAlerts(alerts: machine.kept).text.utf8))?.alerts == machine.kept)
    }
  }

  @Test("Over 200 random stories, no alert is shown after its end, and each is shown before it")
  func random() throws {
    var random = SplitMix64(state: 204)
    for _ in 0..<200 {
      var machine = AlertMachine()
      var (now, boot, ends): (Int64, Int, [String: Int64]) = (0, 0, [:])
      for _ in 0..<60 {
        now += Int64(random.next() % 90)
        let isSet = random.next() % 4 > 0
        switch random.next() % 6 {
        case 0:
          let (id, span) = ("\(random.next() % 3)", Int64(random.next() % 200 + 1))
          let actions = machine.handle(
            try request(id, until: "\(span)s", id: id), at: moment(now, boot: "\(boot)", isSet: isSet))
          if refusal(actions) == nil { ends[id] = now + span }
        case 1:
          machine = try restarted(machine, at: moment(now, boot: "\(boot)", isSet: isSet))
        case 2:
          boot += 1
          machine = try restarted(machine, at: moment(now, boot: "\(boot)", isSet: isSet))
        case 3:
          let id = "\(random.next() % 3)"
          _ = machine.handle(.takenBack(id), at: moment(now, boot: "\(boot)", isSet: isSet))
          ends[id] = nil
        default: _ = machine.handle(.looked, at: moment(now, boot: "\(boot)", isSet: isSet))
        }
        for alert in machine.shown { #expect(try now < #require(ends[alert.id])) }
        if isSet { #expect(Set(machine.shown.map(\.id)) == Set(machine.kept.map(\.id))) }
      }
    }
  }
}

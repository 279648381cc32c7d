import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Projectors switched by PJLink")
struct PJLinkMachineTests {
  private typealias Rig = ProjectorRig

  /// A rig whose projector is on and known to be.
  private func lit(input: String? = nil) -> Rig {
    var rig = Rig(input: input)
    rig.projector.warming = .zero
    rig.projector.cooling = .zero
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(10))
    #expect(rig.newNotes() == [.obeyed(isOn: true)])
    _ = rig.projector.news()
    return rig
  }

  @Test("On: asked, told, asked each five seconds while it warms up; then its faults and lamps, and rarely")
  func on() {
    var rig = Rig()
    rig.feed(.wanted(isOn: true))
    #expect(rig.projector.news() == [.askPower, .power(true)])
    while rig.notes.isEmpty {
      #expect(rig.wait() == .seconds(5))
      #expect(rig.machine.state.power == (rig.notes.isEmpty ? .warming : .on))
    }
    #expect(rig.projector.news() == Array(repeating: .askPower, count: 8) + [.askFaults, .askLamps])
    #expect(rig.newNotes() == [.obeyed(isOn: true)])
    #expect(rig.machine.state.lamps == [ProjectorLamp(hours: 1200, isOn: true)])
    #expect(rig.wait() == .seconds(60))
    #expect(rig.projector.news() == [.askPower, .askFaults, .askLamps] && rig.notes.isEmpty)
    #expect(rig.machine.state.trouble == nil)
  }

  @Test("A projector that is as wished gets questions alone")
  func already() {
    var rig = Rig()
    rig.projector.warming = .zero
    rig.projector.turn(on: true, at: rig.now)
    rig.feed(.wanted(isOn: true))
    #expect(rig.projector.news() == [.askPower, .askFaults, .askLamps] && rig.notes == [.obeyed(isOn: true)])
  }

  @Test("A wish for off while it warms up, and one for on while it cools down, come true when it takes commands again")
  func busy() {
    var rig = Rig()
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(10))
    rig.feed(.wanted(isOn: false))
    rig.wait(.seconds(40 + 90 + 10))
    #expect(rig.newNotes() == [.obeyed(isOn: false)] && rig.machine.state.power == .off)
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(50))
    rig.feed(.wanted(isOn: false))
    rig.wait(.seconds(10))
    rig.feed(.wanted(isOn: true))
    _ = rig.projector.news()
    rig.wait(.seconds(90 + 40 + 15))
    #expect(rig.newNotes().last == .obeyed(isOn: true) && rig.machine.state.trouble == nil)
    #expect(rig.projector.got.filter { $0 == .power(true) }.count <= 1)
  }

  @Test("A projector that says it is off and takes no commands while it cools down is asked until it does")
  func notNow() {
    var rig = Rig()
    rig.projector.refuses = [.power(true): .notNow]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(300))
    #expect(rig.notes.isEmpty && rig.machine.state.trouble == nil)
    rig.projector.refuses = [:]
    rig.wait(.seconds(60))
    #expect(rig.notes == [.obeyed(isOn: true)])
  }

  @Test("A projector that takes no command for ten minutes is told, once, and is asked each minute from then on")
  func never() {
    var rig = Rig()
    rig.projector.refuses = [.power(true): .notNow]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(3600))
    #expect(rig.notes == [.troubled(.disobeys(isWantedOn: true))])
    #expect(rig.machine.state.trouble == .disobeys(isWantedOn: true))
    rig.wait()
    #expect(rig.wait() == .seconds(60))
    rig.projector.refuses = [:]
    rig.wait(.seconds(130))
    #expect(rig.notes.last == .obeyed(isOn: true) && rig.machine.state.trouble == nil)
  }

  @Test("A projector that ignores its commands gets three, and then it is told")
  func deaf() {
    var rig = Rig()
    rig.projector.refuses = [.power(true): .failure]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(3000))
    #expect(rig.projector.news().filter { $0 == .power(true) }.count == 3)
    #expect(rig.notes == [.troubled(.disobeys(isWantedOn: true))])
    // A new wish has its own tries.
    rig.projector.refuses = [:]
    rig.feed(.wanted(isOn: false))
    #expect(rig.machine.state.trouble == nil)
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(120))
    #expect(rig.notes.last == .obeyed(isOn: true))
  }

  @Test("Switched off by hand it is switched on again, twice; the third time the person wins, and it is told")
  func remoteControl() {
    var rig = lit()
    for _ in 0..<2 {
      rig.projector.turn(on: false, at: rig.now)
      rig.wait(.seconds(120))
      #expect(rig.newNotes() == [.corrected(isOn: true), .obeyed(isOn: true)])
    }
    rig.projector.turn(on: false, at: rig.now)
    rig.wait(.seconds(7200))
    #expect(rig.newNotes() == [.troubled(.disobeys(isWantedOn: true))])
    #expect(rig.machine.state.power == .off)
    // Switched on by hand again, it is as wished.
    rig.projector.turn(on: true, at: rig.now)
    rig.wait(.seconds(120))
    #expect(rig.newNotes() == [.obeyed(isOn: true)] && rig.machine.state.trouble == nil)
  }

  @Test("Switched off by hand a day later, it is switched on when it has cooled down; that it cools is no trouble")
  func coolsByHand() {
    var rig = lit()
    rig.wait(.seconds(86400))
    rig.projector.cooling = .seconds(90)
    rig.projector.turn(on: false, at: rig.now)
    rig.wait(.seconds(180))
    #expect(rig.newNotes() == [.corrected(isOn: true), .obeyed(isOn: true)])
  }

  @Test("Power cuts days apart are all put right, though there are more of them than tries")
  func powerCuts() {
    var rig = lit()
    for _ in 0..<6 {
      rig.wait(.seconds(2 * 86400))
      rig.projector.loseMains()
      rig.wait(.seconds(180))
      #expect(rig.newNotes() == [.corrected(isOn: true), .obeyed(isOn: true)])
    }
  }

  @Test("A dead projector is asked at growing intervals, for ever, and told once; alive again, it is switched on")
  func dead() {
    var rig = Rig()
    rig.projector.failure = .unreachable("no route to host")
    rig.feed(.wanted(isOn: true))
    let waits = (0..<6).map { _ in rig.wait() }
    #expect(waits == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
    #expect(rig.newNotes() == [.troubled(.link(.unreachable("no route to host")))])
    rig.wait(.seconds(30 * 86400))
    #expect(rig.notes.isEmpty)
    rig.projector.failure = nil
    rig.wait(.seconds(120))
    #expect(rig.newNotes() == [.answers, .obeyed(isOn: true)] && rig.machine.state.trouble == nil)
  }

  @Test("A failure between answers isn't told")
  func once() {
    var rig = lit()
    rig.projector.failure = .unreachable("closed")
    rig.wait()
    #expect(rig.machine.state.power == nil)
    rig.projector.failure = nil
    rig.wait(.seconds(70))
    #expect(rig.notes.isEmpty && rig.machine.state.power == .on)
  }

  @Test("No answer in time is a failure, and the command is forgotten")
  func silent() {
    var rig = Rig()
    rig.answers = false
    rig.feed(.wanted(isOn: true))
    #expect(rig.machine.deadline == rig.now + .seconds(10))
    rig.now = rig.now + .seconds(10)
    #expect(rig.machine.handle(.time, at: rig.now) == [.giveUp])
    #expect(rig.machine.handle(.answered(.power(.on)), at: rig.now) == [] && rig.machine.state.power == nil)
    #expect(rig.machine.deadline == rig.now + .seconds(5))
  }

  @Test("A wrong password is told at once, and tried once a minute")
  func password() {
    for failure in [PJLinkFailure.wrongPassword, .noPassword] {
      var rig = Rig()
      rig.projector.failure = failure
      rig.feed(.wanted(isOn: true))
      #expect(rig.notes == [.troubled(.link(failure))])
      #expect(rig.wait() == .seconds(60) && rig.wait() == .seconds(60) && rig.notes.count == 1)
      rig.projector.failure = nil
      rig.wait(.seconds(120))
      #expect(rig.notes.last == .obeyed(isOn: true))
    }
    // After the digest, the answer to the command says so.
    var machine = PJLinkMachine()
    let start = Instant(nanoseconds: 0)
    _ = machine.handle(.wanted(isOn: true), at: start)
    #expect(machine.handle(.answered(.wrongPassword), at: start) == [.tell(.troubled(.link(.wrongPassword)))])
  }

  @Test("The input is chosen once the projector is on, and checked by the next look")
  func input() {
    var rig = Rig(input: "31")
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(38))
    #expect(!rig.projector.news().contains(.input("31")))
    rig.wait(.seconds(3))
    #expect(
      rig.projector.news() == [.askPower, .askInput, .input("31"), .askFaults, .askLamps])
    #expect(rig.wait() < .seconds(5))
    #expect(rig.projector.news() == [.askPower, .askInput, .askFaults, .askLamps])
    #expect(rig.machine.state.input == "31" && rig.machine.state.trouble == nil)
    #expect(rig.wait() == .seconds(60))
  }

  @Test("Another input is put right twice more, then the person wins, and it is told")
  func otherInput() {
    var rig = lit(input: "31")
    for _ in 0..<2 {
      rig.projector.input = "11"
      rig.wait(.seconds(70))
      #expect(rig.projector.input == "31" && rig.notes.isEmpty)
    }
    rig.projector.input = "11"
    rig.wait(.seconds(7200))
    #expect(rig.projector.input == "11")
    #expect(rig.newNotes() == [.troubled(.otherInput(wanted: "31", shown: "11"))])
    rig.projector.input = "31"
    rig.wait(.seconds(70))
    #expect(rig.newNotes() == [.showsInput("31")] && rig.machine.state.trouble == nil)
  }

  @Test("An input that it doesn't have is told once, and asked for once")
  func noInput() {
    var rig = Rig(input: "39")
    rig.projector.refuses = [.input("39"): .outOfRange]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(3600))
    #expect(rig.notes == [.obeyed(isOn: true), .troubled(.noSuchInput("39"))])
    #expect(rig.projector.got.filter { $0 == .input("39") }.count == 1)
  }

  @Test("An input that can't be chosen yet is chosen later; one that never can is told after ten minutes")
  func laterInput() {
    var rig = Rig(input: "31")
    rig.projector.warming = .zero
    rig.projector.refuses = [.input("31"): .notNow]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(300))
    #expect(rig.newNotes() == [.obeyed(isOn: true)])
    rig.wait(.seconds(3600))
    #expect(rig.newNotes() == [.troubled(.otherInput(wanted: "31", shown: "11"))])
    rig.wait()
    #expect(rig.wait() == .seconds(60))
    rig.projector.refuses = [:]
    rig.wait(.seconds(130))
    #expect(rig.projector.input == "31" && rig.machine.state.trouble == nil)
  }

  @Test("A projector that doesn't say its input gets the command once")
  func silentInput() {
    var rig = Rig(input: "31")
    rig.projector.warming = .zero
    rig.projector.refuses = [.askInput: .unknownCommand]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(3600))
    #expect(rig.projector.got.filter { $0 == .input("31") }.count == 1 && rig.machine.state.trouble == nil)
  }

  @Test("A projector that hangs up at a question besides that for its power is asked each minute, and isn't told")
  func hangsUp() {
    var rig = Rig(input: "31")
    rig.projector.warming = .zero
    rig.projector.hangsUpAt = [.askInput, .askFaults, .askLamps]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(600))
    #expect(rig.notes == [.obeyed(isOn: true)] && rig.machine.state.power == .on)
    #expect(rig.projector.got.count < 30)
  }

  @Test("A projector that hangs up at the command to switch it gets that three times, and then it is told")
  func hangsUpAtCommand() {
    var rig = Rig()
    rig.projector.hangsUpAt = [.power(true)]
    rig.feed(.wanted(isOn: true))
    rig.wait(.seconds(3000))
    #expect(rig.projector.got.filter { $0 == .power(true) }.count == 3)
    #expect(rig.notes == [.troubled(.disobeys(isWantedOn: true))])
  }

  @Test("Faults are told once for each change, and stay known while it doesn't say")
  func faults() throws {
    var rig = lit()
    let lamp = try #require(ProjectorFaults(Array("020000".utf8)[...]))
    rig.projector.faults = lamp
    rig.wait(.seconds(600))
    #expect(rig.newNotes() == [.faults(lamp)])
    rig.projector.refuses = [.askFaults: .notNow]
    rig.wait(.seconds(600))
    #expect(rig.notes.isEmpty && rig.machine.state.faults == lamp)
    rig.projector.refuses = [:]
    rig.projector.faults = ProjectorFaults()
    rig.wait(.seconds(600))
    #expect(rig.newNotes() == [.faults(ProjectorFaults())])
  }

  @Test("The same wish again changes nothing; another one waits for the answer to the command under way")
  func newestWish() {
    let start = Instant(nanoseconds: 0)
    var machine = PJLinkMachine()
    #expect(machine.handle(.wanted(isOn: true), at: start) == [.ask(.askPower)])
    #expect(machine.handle(.wanted(isOn: true), at: start) == [])
    #expect(machine.handle(.answered(.power(.off)), at: start) == [.ask(.power(true))])
    #expect(machine.handle(.wanted(isOn: false), at: start) == [])
    #expect(machine.handle(.answered(.done), at: start) == [.ask(.askPower)])
    #expect(machine.handle(.answered(.power(.off)), at: start) == [.tell(.obeyed(isOn: false)), .ask(.askFaults)])
  }
}

/// Random wishes, people, power cuts and networks, in virtual time.
@Suite("Projectors switched by PJLink: random walks")
struct PJLinkWalkTests {
  private struct Walk {
    private static let policy = PJLinkPolicy()
    private var random: SplitMix64
    private var machine: PJLinkMachine
    private var projector = StandInProjector()
    private var now = Instant(nanoseconds: 1)
    /// The command under way, and when its answer comes; nil for never.
    private var asked: (command: PJLinkCommand, at: Instant?)?
    private var wish: Bool?
    /// Commands to switch it since the wish, or since an hour as wished.
    private var switches = 0
    private var since = Instant(nanoseconds: 0)
    private(set) var faults: [String] = []
    private(set) var exchanges = 0

    init(seed: UInt64) {
      random = SplitMix64(state: seed)
      machine = PJLinkMachine(input: seed.isMultiple(of: 2) ? "31" : nil)
    }

    private mutating func check(_ isRight: Bool, _ what: String) { if !isRight { faults.append("\(what), at \(now)") } }

    private mutating func feed(_ event: PJLinkMachine.Event) {
      for action in machine.handle(event, at: now) {
        switch action {
        case .tell: break
        case .giveUp:
          check(asked != nil, "there is something to give up")
          asked = nil
        case .ask(let command):
          check(asked == nil, "one command at a time")
          exchanges += 1
          if case .power(let isOn) = command { check(isOn == wish, "no command against the wish") }
          let isLost = Int.random(in: 0..<20, using: &random) == 0
          asked = (command, isLost ? nil : now + .milliseconds(Int.random(in: 1...11_000, using: &random)))
        }
      }
      check(wish == nil || machine.deadline != nil, "the next look is always due")
      check((machine.underWay != nil) == (asked != nil), "machine and line agree")
    }

    private mutating func answer() {
      guard let command = asked?.command else { return }
      asked = nil
      let event = projector.answer(command, at: now)
      if case .power = command, event == .answered(.done) { switches += 1 }
      feed(event)
      // An hour as wished gives the tries back; between two of those there are three.
      let tries = Self.policy.tries * (1 + Int((now - since) / Self.policy.forgivenAfter))
      // One that was under way when the wish changed may be counted for the new one.
      check(switches <= tries + 1, "\(switches) commands for one wish")
    }

    private mutating func advance(to end: Instant) {
      while true {
        guard let next = [machine.deadline, asked?.at].compactMap(\.self).min(), next <= end else { break }
        now = max(now, next)
        if let at = asked?.at, at <= now { answer() } else { feed(.time) }
        guard faults.isEmpty else { return }
      }
      now = end
    }

    private mutating func want(_ isOn: Bool) {
      if isOn != wish { (switches, since) = (0, now) }
      wish = isOn
      feed(.wanted(isOn: isOn))
    }

    mutating func step() {
      advance(to: now + .seconds(Int.random(in: 0...400, using: &random)))
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: want(Bool.random(using: &random))
      case 3: projector.turn(on: Bool.random(using: &random), at: now)
      case 4: projector.loseMains()
      case 5: projector.failure = .unreachable("gone")
      case 6: projector.failure = [.wrongPassword, .garbled, nil].randomElement(using: &random) ?? nil
      case 7: projector.input = "11"
      case 8:
        let lamp: ArraySlice<UInt8> = [0x30, UInt8.random(in: 0x30...0x32, using: &random), 0x30, 0x30, 0x30, 0x30]
        projector.faults = ProjectorFaults(lamp) ?? ProjectorFaults()
      default: projector.failure = nil
      }
    }

    /// From here on the projector is obedient, and no one touches it.
    mutating func settle() {
      projector.failure = nil
      want(!(wish ?? false))
      advance(to: now + .seconds(1200))
      check(projector.power(at: now) == (wish == true ? .on : .off), "an obedient projector is as wished")
      if wish == true, let input = machine.state.input { check(input == projector.input, "its input is known") }
      check(machine.state.trouble == nil || isLinkLost, "no trouble: \(String(describing: machine.state.trouble))")
    }

    /// Answers of this walk may be lost three times in a row.
    private var isLinkLost: Bool { if case .link? = machine.state.trouble { true } else { false } }
  }

  @Test("Commands come one at a time, few for one wish, and an obedient projector is as wished in the end")
  func random() {
    var exchanges = 0
    for seed in 1...300 {
      var walk = Walk(seed: UInt64(seed))
      for _ in 0..<60 where walk.faults.isEmpty { walk.step() }
      if walk.faults.isEmpty { walk.settle() }
      #expect(walk.faults == [], "seed \(seed)")
      exchanges += walk.exchanges
    }
    #expect(exchanges > 100_000, "\(exchanges)")
  }
}

import KioskCore
import PlaybackCore
import Testing

private let noScreen = VitrineError(5004, subject: "card0", message: "no screen is connected", remedy: "connect one")
private let noCard = VitrineError(5001, subject: "cards", message: "there is none", remedy: "")
private let noSeat = VitrineError(5010, subject: "seat0", message: "another program has it", remedy: "")
private let noConnector = VitrineError(5005, subject: "HDMI-A-9", message: "the card has no such connector", remedy: "")

@Suite("Screen machine")
struct ScreenMachineTests {
  private typealias Surroundings = ScreenMachine.Surroundings

  private var waiting: Surroundings {
    var surroundings = Surroundings()
    surroundings.waits = true
    return surroundings
  }

  private var going: Surroundings {
    var surroundings = waiting
    surroundings.sinkIsGoing = true
    return surroundings
  }

  private var wantsOther: Surroundings {
    var surroundings = waiting
    surroundings.asksForOther = true
    return surroundings
  }

  private func shown() -> ScreenMachine {
    var machine = ScreenMachine()
    #expect(machine.handle(.start, in: waiting) == [.stopRetrying, .open])
    #expect(machine.handle(.opened, in: waiting) == [.connect])
    #expect(machine.state == .shown(isOutdated: false))
    return machine
  }

  private func unplugged(goesOn: Bool = false) -> ScreenMachine {
    var machine = shown()
    var surroundings = waiting
    surroundings.goesOnUnplugged = goesOn
    #expect(
      machine.handle(.lost(noScreen, isUnplugged: true), in: surroundings)
        == [
          .forgetOutputChange(wasWanted: false), .tellWaiting(noScreen), .retry(after: ScreenMachine.retryInterval),
          .letGo(showsLast: false),
        ])
    return machine
  }

  // MARK: Stuck

  @Test(
    "shown, but stuck: another sink on the same screen, or the screen reopened without its last frames")
  func stuck() {
    var machine = shown()
    #expect(machine.handle(.stuck(reopens: false), in: waiting) == [.connectAnew])
    #expect(
      machine.handle(.stuck(reopens: true), in: waiting)
        == [.letGo(showsLast: false), .forgetOutputChange(wasWanted: false)])
    #expect(machine.state == .opening)
    // While the sink is going down, nothing can be stuck.
    #expect(machine.handle(.stuck(reopens: true), in: going).isEmpty)
    #expect(machine.handle(.sinkGone, in: waiting) == [.stopRetrying, .open])
    #expect(machine.handle(.opened, in: waiting) == [.connect])
    var asleep = shown()
    _ = asleep.handle(.switched(on: false), in: waiting)
    #expect(asleep.handle(.stuck(reopens: true), in: waiting).isEmpty)
  }

  // MARK: From opening

  @Test("opening to waiting: a missing screen is reported once and looked for repeatedly")
  func waits() {
    var machine = ScreenMachine()
    _ = machine.handle(.start, in: waiting)
    let again = ScreenMachine.Action.retry(after: ScreenMachine.retryInterval)
    #expect(machine.handle(.openingFailed(noScreen), in: waiting) == [.tellWaiting(noScreen), again])
    #expect(machine.state == .waiting(.no))
    #expect(machine.handle(.retryIsDue, in: waiting) == [.stopRetrying, .open])
    #expect(machine.handle(.openingFailed(noScreen), in: waiting) == [again])
  }

  @Test("If the system reports screens, the machine looks for them rarely, but for an occupied card as often as before")
  func seldom() {
    var (machine, told) = (ScreenMachine(), waiting)
    told.tellsScreens = true
    _ = machine.handle(.start, in: told)
    #expect(machine.handle(.openingFailed(noScreen), in: told).last == .retry(after: ScreenMachine.toldRetryInterval))
    #expect(machine.handle(.screensChanged, in: told) == [.stopRetrying, .open])
    #expect(machine.handle(.openingFailed(noCard), in: told) == [.retry(after: ScreenMachine.retryInterval)])
  }

  @Test("opening to ended: a run that doesn't wait for a screen ends without one; it waits for a seat in any case")
  func fails() {
    var machine = ScreenMachine()
    _ = machine.handle(.start, in: Surroundings())
    var other = machine
    #expect(machine.handle(.openingFailed(noScreen), in: Surroundings()) == [.fail(noScreen)])
    #expect(machine.state == .ended)
    #expect(machine.handle(.retryIsDue, in: waiting).isEmpty)
    _ = other.handle(.openingFailed(noSeat), in: Surroundings())
    #expect(other.state == .waiting(.no))
  }

  @Test("opening to asleep: a screen switched off while it was missing is dark as soon as it comes")
  func dark() {
    var machine = ScreenMachine()
    _ = machine.handle(.start, in: waiting)
    #expect(machine.handle(.switched(on: false), in: waiting) == [.tellPower(false)])
    // It was switched long before, so a failure to switch isn't reported.
    #expect(machine.handle(.opened, in: waiting) == [.setPower(false, tellsFailure: false)])
    #expect(machine.state == .asleep(isOutdated: false))
  }

  // MARK: Settings that no screen serves

  @Test(
    "On trial, a missing connector causes a rollback; the previous settings open their screen, or fail as usual",
    arguments: [true, false])
  func rollBack(opens: Bool) {
    var machine = ScreenMachine()
    var surroundings = waiting
    surroundings.canRollBack = true
    _ = machine.handle(.start, in: surroundings)
    #expect(machine.handle(.openingFailed(noConnector), in: surroundings) == [.rollBack(noConnector)])
    #expect(
      machine.handle(.settingsInUse(isOther: opens, playsNothing: true), in: waiting)
        == (opens ? [.stopRetrying, .open] : []))
    if opens { #expect(machine.handle(.opened, in: waiting) == [.connect]) }
    let after = machine.handle(.rolledBack(noConnector), in: waiting)
    #expect(
      after == (opens ? [] : [.tellWaiting(noConnector), .retry(after: ScreenMachine.retryInterval)]))
  }

  @Test(
    "A screen waits for a connector that another screen of the player still has: two swap one after the other")
  func heldByOther() {
    var machine = ScreenMachine()
    var surroundings = waiting
    surroundings.canRollBack = true
    surroundings.asksForOther = true
    let held = VitrineError(5040, subject: "card0 HDMI-A-1", message: "m", remedy: "r")
    _ = machine.handle(.start, in: surroundings)
    #expect(
      machine.handle(.openingFailed(held), in: surroundings)
        == [.tellWaiting(held), .retry(after: ScreenMachine.retryInterval)])
    #expect(machine.handle(.retryIsDue, in: surroundings) == [.stopRetrying, .open])
  }

  @Test("A missing screen counts against the settings only if another output was shown before")
  func faultOfSettings() {
    var (machine, surroundings) = (ScreenMachine(), waiting)
    surroundings.canRollBack = true
    _ = machine.handle(.start, in: surroundings)
    var other = machine
    #expect(machine.handle(.openingFailed(noScreen), in: surroundings).first == .tellWaiting(noScreen))
    surroundings.asksForOther = true
    #expect(other.handle(.openingFailed(noScreen), in: surroundings) == [.rollBack(noScreen)])
    surroundings.asksForOther = false
    #expect(other.handle(.openingFailed(noConnector), in: surroundings).first == .tellWaiting(noConnector))
  }

  // MARK: Lost

  @Test("shown to waiting to shown: a screen plugged in before the sink is down is opened after that")
  func quickReplug() {
    var machine = unplugged()
    #expect(machine.handle(.screensChanged, in: going) == [.stopRetrying])
    #expect(machine.handle(.sinkGone, in: waiting) == [.stopRetrying, .open])
    #expect(machine.handle(.opened, in: waiting) == [.connect])
  }

  @Test("A lost driver is tried again after a while, not at once")
  func lostDriver() {
    var machine = shown()
    _ = machine.handle(.lost(noCard, isUnplugged: false), in: waiting)
    #expect(machine.handle(.sinkGone, in: waiting).isEmpty)
    #expect(machine.handle(.retryIsDue, in: waiting) == [.stopRetrying, .open])
  }

  @Test("Lost without waiting: the screen is closed, then the run ends")
  func lostForGood() {
    var machine = shown()
    #expect(
      machine.handle(.lost(noCard, isUnplugged: false), in: Surroundings())
        == [.forgetOutputChange(wasWanted: false), .letGo(showsLast: false), .fail(noCard)])
    #expect(machine.state == .ended)
  }

  @Test("Unplugged: without a new screen, playback goes on unseen; the next screen takes over when that sink is down")
  func unseen() {
    var machine = unplugged(goesOn: true)
    #expect(machine.state == .waiting(.wanted))
    #expect(machine.handle(.sinkGone, in: waiting) == [.stopRetrying, .open])
    #expect(
      machine.handle(.openingFailed(noScreen), in: waiting)
        == [.playUnseen, .retry(after: ScreenMachine.retryInterval)])
    #expect(machine.state == .waiting(.playing))
    _ = machine.handle(.screensChanged, in: waiting)
    #expect(machine.handle(.opened, in: waiting) == [.disconnect])
    #expect(machine.handle(.sinkGone, in: waiting) == [.connect])
  }

  @Test("A screen switched off holds playback, even unplugged; switched on, playback goes on unseen if allowed")
  func unseenInTheDark() {
    var (machine, surroundings) = (shown(), waiting)
    surroundings.goesOnUnplugged = true
    let again = ScreenMachine.Action.retry(after: ScreenMachine.retryInterval)
    _ = machine.handle(.switched(on: false), in: surroundings)
    _ = machine.handle(.sinkGone, in: surroundings)
    _ = machine.handle(.lost(noScreen, isUnplugged: true), in: surroundings)
    #expect(machine.handle(.sinkGone, in: surroundings) == [.stopRetrying, .open])
    #expect(machine.handle(.openingFailed(noScreen), in: surroundings) == [again])
    _ = machine.handle(.switched(on: true), in: surroundings)
    _ = machine.handle(.retryIsDue, in: surroundings)
    #expect(machine.handle(.openingFailed(noScreen), in: surroundings) == [.playUnseen, again])
    #expect(machine.handle(.switched(on: false), in: surroundings) == [.tellPower(false), .disconnect])
    #expect(machine.state == .waiting(.wanted))
  }

  // MARK: Other settings

  @Test("shown to opening: new settings are reported, and open their output when the item ends")
  func outdated() {
    var machine = shown()
    #expect(machine.handle(.itemEnded, in: waiting).isEmpty)
    #expect(machine.handle(.settingsChanged, in: wantsOther) == [.tellOutputChange])
    #expect(machine.isOutdated)
    #expect(machine.handle(.settingsInUse(isOther: true, playsNothing: false), in: waiting).isEmpty)
    #expect(
      machine.handle(.itemEnded, in: waiting) == [.letGo(showsLast: true), .forgetOutputChange(wasWanted: true)])
    #expect(machine.state == .opening)
    #expect(machine.handle(.sinkGone, in: waiting) == [.stopRetrying, .open])
  }

  @Test("Settings that are undone before the item's end change nothing")
  func backAgain() {
    var machine = shown()
    _ = machine.handle(.settingsChanged, in: wantsOther)
    #expect(machine.handle(.settingsChanged, in: waiting) == [.tellOutputChange])
    #expect(machine == shown())
  }

  @Test("Without an item, another output opens without waiting for an end")
  func atOnce() {
    var machine = shown()
    _ = machine.handle(.settingsChanged, in: wantsOther)
    let actions = machine.handle(.settingsInUse(isOther: true, playsNothing: true), in: waiting)
    #expect(actions.first == .letGo(showsLast: true))
  }

  @Test("Without an open screen, another output is opened at once")
  func otherWhileWaiting() {
    var machine = unplugged()
    #expect(machine.handle(.settingsInUse(isOther: false, playsNothing: true), in: waiting).isEmpty)
    #expect(machine.handle(.settingsInUse(isOther: true, playsNothing: true), in: waiting) == [.stopRetrying, .open])
  }

  // MARK: Power

  @Test("shown to asleep to shown: the sink ends before the screen is off, and comes back when it is on")
  func sleep() {
    var machine = shown()
    #expect(machine.handle(.switched(on: false), in: waiting) == [.tellPower(false), .disconnect])
    #expect(machine.handle(.sinkGone, in: waiting) == [.setPower(false, tellsFailure: true)])
    #expect(
      machine.handle(.switched(on: true), in: waiting)
        == [.tellPower(true), .setPower(true, tellsFailure: true), .connect])
  }

  @Test("Switched on again before it was dark, the screen is switched on once, after the sink's end")
  func changeOfMind() {
    var machine = shown()
    _ = machine.handle(.switched(on: false), in: waiting)
    #expect(machine.handle(.switched(on: true), in: going) == [.tellPower(true)])
    #expect(machine.handle(.sinkGone, in: waiting) == [.setPower(true, tellsFailure: true), .connect])
    #expect(machine.handle(.sinkGone, in: waiting).isEmpty)
  }

  @Test("A switch by hand holds until the schedule's next change")
  func schedule() {
    var machine = shown()
    _ = machine.handle(.switched(on: false), in: waiting)
    #expect(machine.handle(.scheduleWants(on: true), in: waiting).isEmpty)
    #expect(machine.isOff)
    #expect(machine.handle(.scheduleWants(on: false), in: waiting).isEmpty)
    #expect(machine.handle(.scheduleWants(on: true), in: waiting).first == .tellPower(true))
  }

  @Test("An alert wakes a screen that sleeps, by hand or by the schedule, and the screen sleeps again after it")
  func alert() {
    for event in [ScreenMachine.Event.switched(on: false), .scheduleWants(on: false)] {
      var machine = shown()
      _ = machine.handle(event, in: waiting)
      _ = machine.handle(.sinkGone, in: waiting)
      #expect(
        machine.handle(.alertChanged(isShown: true), in: waiting)
          == [.tellPower(true), .setPower(true, tellsFailure: true), .connect])
      #expect(machine.handle(.alertChanged(isShown: true), in: waiting).isEmpty)
      #expect(machine.handle(.alertChanged(isShown: false), in: waiting) == [.tellPower(false), .disconnect])
      #expect(machine.isOff)
    }
  }

  @Test("A screen that is switched off under an alert sleeps after it, and one that is switched on stays on")
  func switchedUnderAlert() {
    var machine = shown()
    #expect(machine.handle(.alertChanged(isShown: true), in: waiting).isEmpty)
    #expect(machine.handle(.scheduleWants(on: false), in: waiting).isEmpty)
    #expect(!machine.isOff)
    #expect(machine.handle(.alertChanged(isShown: false), in: waiting) == [.tellPower(false), .disconnect])
    _ = machine.handle(.alertChanged(isShown: true), in: waiting)
    #expect(machine.handle(.switched(on: true), in: waiting).isEmpty)
    #expect(machine.handle(.alertChanged(isShown: false), in: waiting).isEmpty && !machine.isOff)
  }

  @Test("A screen that is to sleep from its start, and has an alert, is opened lit")
  func alertAtStart() {
    var machine = ScreenMachine()
    _ = machine.handle(.scheduleWants(on: false), in: waiting)
    _ = machine.handle(.alertChanged(isShown: true), in: waiting)
    _ = machine.handle(.start, in: waiting)
    #expect(machine.handle(.opened, in: waiting) == [.connect])
  }

  @Test("A screen that changes while it is off gets no sink until it is on")
  func changedInTheDark() {
    var machine = shown()
    #expect(machine.handle(.changed, in: waiting) == [.connectAnew])
    _ = machine.handle(.switched(on: false), in: waiting)
    _ = machine.handle(.sinkGone, in: waiting)
    #expect(machine.handle(.changed, in: waiting).isEmpty)
    #expect(machine.handle(.switched(on: true), in: waiting).last == .connect)
  }

  @Test("ended: no event has an effect", arguments: allEvents)
  func ended(event: ScreenMachine.Event) {
    var machine = shown()
    _ = machine.handle(.end, in: waiting)
    let before = machine
    #expect(machine.handle(event, in: waiting).isEmpty && machine == before)
  }

  // MARK: All states

  @Test("All sequences of three events, from every state, keep the invariants")
  func sequences() {
    var reached: Set<ScreenMachine> = [ScreenMachine()]
    var newest = reached
    for _ in 0..<3 {
      var next: Set<ScreenMachine> = []
      for machine in newest {
        for event in allEvents {
          for surroundings in allSurroundings {
            var after = machine
            _ = after.handle(event, in: surroundings)
            #expect(after.invariants.violations.isEmpty, "\(machine) \(event): \(after.invariants.violations)")
            if !reached.contains(after) { next.insert(after) }
          }
        }
      }
      reached.formUnion(next)
      newest = next
    }
    #expect(Set(reached.map(\.state)).count >= 8, "\(Set(reached.map(\.state)))")
  }

  @Test("With 100,000 random events, no screen is opened or connected twice, and none is forgotten")
  func random() {
    var world = World(seed: 20)
    world.begin()
    for step in 0..<100_000 {
      world.step()
      #expect(world.problem == nil, "step \(step): \(world.problem ?? "")")
      guard world.problem == nil else { return }
    }
    #expect(world.opened > 1_000 && world.darkened > 1_000 && world.unseen > 100, "\(world)")
  }
}

private let allEvents: [ScreenMachine.Event] = [
  .start, .opened, .openingFailed(noScreen), .openingFailed(noConnector), .rolledBack(noConnector),
  .lost(noScreen, isUnplugged: true), .lost(noCard, isUnplugged: false), .changed, .sinkGone, .retryIsDue,
  .screensChanged, .switched(on: true), .switched(on: false), .scheduleWants(on: true), .scheduleWants(on: false),
  .alertChanged(isShown: true), .alertChanged(isShown: false), .settingsChanged,
  .settingsInUse(isOther: true, playsNothing: true), .settingsInUse(isOther: false, playsNothing: false), .itemEnded,
  .end,
]

private let allSurroundings: [ScreenMachine.Surroundings] = (0..<16).map { bits in
  var surroundings = ScreenMachine.Surroundings()
  surroundings.sinkIsGoing = bits & 1 != 0
  surroundings.waits = bits & 2 != 0
  surroundings.goesOnUnplugged = bits & 4 != 0
  surroundings.canRollBack = bits & 8 != 0
  surroundings.asksForOther = bits & 8 != 0 ? true : nil
  return surroundings
}

/// A board around the machine: it carries out the actions, and checks that each was possible.
private struct World {
  var machine = ScreenMachine()
  var random: SplitMix64
  var (opened, darkened, unseen) = (0, 0, 0)
  var problem: String?

  private var isPlugged = true
  private var display = false
  private var isDark = false
  private enum Sink { case none, screen, memory }
  private var sink = Sink.none
  /// The number of sinks that are going down.
  private var going = 0
  private var hasTimer = false
  private var asksForOther = false

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  mutating func begin() { feed(.start) }

  private var surroundings: ScreenMachine.Surroundings {
    var surroundings = ScreenMachine.Surroundings()
    surroundings.waits = true
    surroundings.goesOnUnplugged = true
    surroundings.asksForOther = asksForOther
    surroundings.sinkIsGoing = going > 0
    return surroundings
  }

  private mutating func feed(_ event: ScreenMachine.Event) {
    for action in machine.handle(event, in: surroundings) { carryOut(action) }
  }

  private mutating func fail(_ text: String) { if problem == nil { problem = "\(text): \(self.machine)" } }

  private mutating func releaseSink() {
    if sink != .none { going += 1 }
    let isAtOnce = sink == .none
    sink = .none
    // There was no sink: reported at once, as the engine does.
    if isAtOnce { feed(.sinkGone) }
  }

  private mutating func carryOut(_ action: ScreenMachine.Action) {
    switch action {
    case .open:
      if display { fail("opened twice") }
      if going > 0 { fail("opened while a sink holds the screen") }
      hasTimer = false
      guard isPlugged else { return feed(.openingFailed(noScreen)) }
      (display, isDark) = (true, false)
      opened += 1
      feed(.opened)
    case .connect:
      if !display { fail("played to no screen") }
      if isDark { fail("played to a dark screen") }
      if sink != .none { fail("played twice") }
      sink = .screen
    case .connectAnew:
      if sink != .screen { fail("no sink to replace") }
      releaseSink()
      sink = .screen
    case .disconnect: releaseSink()
    case .letGo:
      if !display { fail("let go twice") }
      display = false
      releaseSink()
    case .playUnseen:
      if sink != .none { fail("played unseen beside another") }
      sink = .memory
      unseen += 1
    case .setPower(let isOn, _):
      if !display { fail("no screen to switch") }
      if !isOn, sink != .none { fail("dark while it plays") }
      isDark = !isOn
      if isDark { darkened += 1 }
    case .retry: hasTimer = true
    case .stopRetrying: hasTimer = false
    case .fail: fail("the run ended")
    case .rollBack: fail("nothing is on trial")
    case .tellPower, .tellWaiting, .tellOutputChange, .forgetOutputChange: break
    }
  }

  /// Sends a random possible event, then checks that the machine rests only where it may.
  mutating func step() {
    switch random.next() % 11 {
    case 0:
      guard isPlugged else { return }
      isPlugged = false
      if display { feed(.lost(noScreen, isUnplugged: true)) }
    case 1:
      isPlugged = true
      feed(.screensChanged)
    case 2: if display { feed(.lost(noCard, isUnplugged: false)) }
    case 3, 4, 5:
      guard going > 0 else { return }
      going -= 1
      feed(.sinkGone)
    case 6:
      guard hasTimer else { return }
      hasTimer = false
      feed(.retryIsDue)
    case 7: feed(.switched(on: random.next() % 2 == 0))
    case 8: feed(.scheduleWants(on: random.next() % 2 == 0))
    case 9:
      asksForOther = random.next() % 2 == 0
      feed(.settingsChanged)
      feed(.settingsInUse(isOther: random.next() % 2 == 0, playsNothing: random.next() % 2 == 0))
      feed(.itemEnded)
    default: if display { feed(.changed) }
    }
    if machine.isOpen != display { fail("a screen is open that the machine doesn't know, or the reverse") }
    if !display, !hasTimer, going == 0 { fail("no screen, and none is looked for") }
    if display, going == 0, machine.isOff != isDark { fail("lit and dark are the wrong way round") }
    if machine.isOff, sink == .memory { fail("it plays unseen, and the screen is to be dark") }
    if display, going == 0, !machine.isOff, sink != .screen { fail("a screen is lit, and nothing plays to it") }
  }
}

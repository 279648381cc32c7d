import PlaybackCore

@testable import KioskCore

/// A projector as PJLink describes it, in virtual time.
struct StandInProjector {
  /// Nil without an answer: no power at the wall, or no network.
  var failure: PJLinkFailure?
  /// Commands that are refused for good, or the input that isn't there.
  var refuses: [PJLinkCommand: PJLinkRefusal] = [:]
  /// Commands at which it hangs up.
  var hangsUpAt: Set<PJLinkCommand> = []
  var input = "11"
  var faults = ProjectorFaults()
  var lamps = [ProjectorLamp(hours: 1200, isOn: true)]
  var warming: Duration = .seconds(40)
  var cooling: Duration = .seconds(90)
  private var isOn = false
  /// On its way until then.
  private var until = Instant(nanoseconds: 0)
  /// All commands that it has got.
  private(set) var got: [PJLinkCommand] = []

  func power(at now: Instant) -> PJLinkPower { now < until ? (isOn ? .warming : .cooling) : (isOn ? .on : .off) }

  /// By its remote control, or by a command.
  mutating func turn(on wanted: Bool, at now: Instant) {
    guard wanted != isOn, now >= until else { return }
    isOn = wanted
    until = now + (wanted ? warming : cooling)
  }

  /// The power at the wall is gone and comes back: it is off, and cold.
  mutating func loseMains() { (isOn, until) = (false, Instant(nanoseconds: 0)) }

  mutating func answer(_ command: PJLinkCommand, at now: Instant) -> PJLinkMachine.Event {
    if let failure { return .failed(failure) }
    got.append(command)
    if hangsUpAt.contains(command) { return .failed(.unreachable("closed")) }
    if let refusal = refuses[command] { return .answered(.refused(refusal)) }
    switch command {
    case .askPower: return .answered(.power(power(at: now)))
    case .power(let wanted):
      guard now >= until else { return .answered(.refused(.notNow)) }
      turn(on: wanted, at: now)
      return .answered(.done)
    case .input(let wanted):
      guard power(at: now) == .on else { return .answered(.refused(.notNow)) }
      input = wanted
      return .answered(.done)
    case .askInput: return .answered(power(at: now) == .on ? .input(input) : .refused(.notNow))
    case .askFaults: return .answered(power(at: now) == .off ? .refused(.notNow) : .faults(faults))
    case .askLamps: return .answered(.lamps(lamps))
    }
  }

  /// Returns the commands that it has got since the last call.
  mutating func news() -> [PJLinkCommand] {
    defer { got = [] }
    return got
  }
}

/// A machine, its clock, and a projector that answers at once.
struct ProjectorRig {
  var machine: PJLinkMachine
  var now = Instant(nanoseconds: 1_000_000_000)
  var projector = StandInProjector()
  var notes: [PJLinkMachine.Note] = []
  /// Whether it answers at all; else the machine waits for its deadline.
  var answers = true

  init(input: String? = nil) { machine = PJLinkMachine(input: input) }

  mutating func feed(_ event: PJLinkMachine.Event) {
    for action in machine.handle(event, at: now) {
      switch action {
      case .tell(let note): notes.append(note)
      case .giveUp: break
      case .ask(let command): if answers { feed(projector.answer(command, at: now)) }
      }
    }
  }

  /// Lets time pass to the machine's next deadline, and says how much.
  @discardableResult
  mutating func wait() -> Duration {
    guard let due = machine.deadline else { return .zero }
    let waited = due - now
    now = due
    feed(.time)
    return waited
  }

  /// Lets this much time pass, from deadline to deadline.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let due = machine.deadline, due <= end {
      now = max(now, due)
      feed(.time)
    }
    now = end
  }

  mutating func newNotes() -> [PJLinkMachine.Note] {
    defer { notes = [] }
    return notes
  }
}

/// Decides when observers of media time are called.
///
/// A value: it takes the events of playback, and returns which observers to call and the one timer that its owner is to
/// keep.
///
/// - A periodic observer is called when playback passes a multiple of its interval, and at each jump, start and stop.
/// - A boundary observer is called for each of its times that playback passes, in that order. The same time comes again
///   only after a jump back, or when playback turns round.
///
/// Times are media time: at rate 2 an interval passes in half the time, in a pause never.
public struct TimeObserverSchedule: Sendable {
  /// The times at which an observer is called.
  public enum Rule: Hashable, Sendable {
    /// Multiples of an interval, at least `leastInterval`.
    case every(Duration)
    /// Times in the item, in any order.
    case boundaries([Duration])
  }

  public enum Event: Hashable, Sendable {
    case added(Int, Rule)
    case removed(Int)
    /// Playback goes on from the position before this one, or has started or stopped.
    case moved(Playhead)
    /// Playback is at another position: a seek is through, or another item is shown.
    case jumped(Playhead)
    /// The position is unknown for a while, because a seek is under way. Ends with `jumped`.
    case held
    /// The item was played to its end, which is at this position.
    case reachedEnd(Duration)
    case timerFired
  }

  public enum Action: Hashable, Sendable {
    /// `time` is the boundary for a boundary observer, else the position.
    case tell(Int, time: Duration)
    /// Sets the timer, of which there is one; an earlier setting is replaced.
    case startTimer(at: Instant)
    case cancelTimer
  }

  /// Shorter intervals are raised to this: no view shows more, and callbacks must not starve the loop.
  public static let leastInterval: Duration = .milliseconds(10)
  /// A timer that fires early by its rounding has still reached its time.
  static let tolerance: Duration = .milliseconds(1)

  struct Observer: Sendable {
    var rule: Rule
    /// The multiple of the interval that was reported last.
    var step: Int64 = 0
    /// The time that was reported last.
    var newest: Duration?
  }

  var observers: [Int: Observer] = [:]
  var playhead: Playhead?
  /// The furthest position that was reported, in the direction of playback. Frames may seem to go back a little against
  /// the clock.
  private var told: Duration = .zero
  /// Whether `told` itself is still to be passed: right after a jump.
  private var isInclusive = true
  /// Whether playback goes forwards; in a pause, whether it did before.
  private var isForward = true
  var isHeld = false
  var timer: Instant?
  /// The end that was reported last, until playback is anywhere else.
  private var reached: Duration?

  public init() {}

  /// Whether there are no observers.
  public var isEmpty: Bool { observers.isEmpty }

  /// Handles an event; returns the actions that follow from it, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .added(let id, let rule): add(id, rule, at: now)
    case .removed(let id): observers[id] = nil
    case .moved(let next): move(to: next, at: now, &actions)
    case .jumped(let next):
      // Coming to rest where the end was reported isn't reported again.
      jump(to: next, butAt: next.rate == 0 ? reached : nil, at: now, &actions)
      reached = nil
    case .held:
      isHeld = true
      playhead?.rate = 0
    case .reachedEnd(let end):
      guard !isHeld else { break }
      advance(to: end, &actions)
      reached = end
    case .timerFired:
      timer = nil
      if let playhead, !isHeld { advance(to: playhead.position(at: now), &actions) }
    }
    setTimer(&actions)
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return actions
  }

  private mutating func add(_ id: Int, _ rule: Rule, at now: Instant) {
    switch rule {
    case .every(let interval):
      let interval = max(Self.leastInterval, interval)
      observers[id] = Observer(rule: .every(interval), step: Self.step(told, interval, isForward: isForward))
    case .boundaries(let times): observers[id] = Observer(rule: .boundaries(times.sorted()))
    }
  }

  private mutating func move(to next: Playhead, at now: Instant, _ actions: inout [Action]) {
    guard !isHeld else { return }
    guard let last = playhead else { return jump(to: next, at: now, &actions) }
    let position = next.position(at: now)
    let turns = next.rate != 0 && (next.rate > 0) != isForward
    if !turns || last.rate != 0 { advance(to: position, &actions) }
    playhead = next
    if turns {
      isForward = next.rate > 0
      turnRound(at: position)
    }
    if last.rate == 0, next.rate != 0 { notifyPeriodic(position, &actions) }
    // Playback stops right where the last time was reported: that call has told it.
    if last.rate != 0, next.rate == 0 { notifyPeriodic(position, butAt: position, &actions) }
  }

  /// - Parameter known: observers whose last reported time is this one aren't called again.
  private mutating func jump(
    to next: Playhead, butAt known: Duration? = nil, at now: Instant, _ actions: inout [Action]
  ) {
    isHeld = false
    playhead = next
    if next.rate != 0 { isForward = next.rate > 0 }
    turnRound(at: next.position(at: now))
    let position = next.position(at: now)
    notifyPeriodic(position, butAt: position == known ? known : nil, &actions)
  }

  /// Restarts the counting of intervals at a position.
  private mutating func turnRound(at position: Duration) {
    told = position
    isInclusive = true
    for (id, observer) in observers {
      if case .every(let interval) = observer.rule {
        observers[id]?.step = Self.step(position, interval, isForward: isForward)
      }
    }
  }

  private mutating func advance(to position: Duration, _ actions: inout [Action]) {
    // Standing where a jump has led doesn't count as passing it; moving off from there does.
    guard playhead != nil, isForward ? position > told : position < told else { return }
    for id in observers.keys.sorted() {
      guard let observer = observers[id] else { continue }
      switch observer.rule {
      case .every(let interval):
        let step = Self.step(position, interval, isForward: isForward)
        guard isForward ? step > observer.step : step < observer.step else { continue }
        observers[id]?.step = step
        observers[id]?.newest = position
        actions.append(.tell(id, time: position))
      case .boundaries(let times):
        let passed = times.filter { isPassed($0, by: position) }
        for time in isForward ? passed : passed.reversed() { actions.append(.tell(id, time: time)) }
      }
    }
    // Times within the tolerance were reported already.
    told = isForward ? position + Self.tolerance : position - Self.tolerance
    isInclusive = false
  }

  private func isPassed(_ time: Duration, by position: Duration) -> Bool {
    isForward
      ? (isInclusive ? time >= told : time > told) && time <= position + Self.tolerance
      : (isInclusive ? time <= told : time < told) && time >= position - Self.tolerance
  }

  /// - Parameter known: observers whose last reported time is this one aren't called again.
  private mutating func notifyPeriodic(_ position: Duration, butAt known: Duration? = nil, _ actions: inout [Action]) {
    for id in observers.keys.sorted() {
      guard let observer = observers[id], case .every = observer.rule else { continue }
      if known != nil, observer.newest == known { continue }
      let isTold = actions.contains { if case .tell(id, _) = $0 { true } else { false } }
      if isTold { continue }
      observers[id]?.newest = position
      actions.append(.tell(id, time: position))
    }
  }

  /// The multiple of the interval that playback has reached, counted from the side that it comes from.
  private static func step(_ position: Duration, _ interval: Duration, isForward: Bool) -> Int64 {
    guard isForward else { return -step(.zero - position, interval, isForward: true) }
    let time = (position + tolerance).wholeNanoseconds
    let quotient = time / interval.wholeNanoseconds
    return time < 0 && quotient * interval.wholeNanoseconds != time ? quotient - 1 : quotient
  }

  /// The next time that an observer waits for, in the direction of playback.
  private func nextTime(_ observer: Observer) -> Duration? {
    switch observer.rule {
    case .every(let interval): interval * (isForward ? observer.step + 1 : observer.step - 1)
    case .boundaries(let times):
      isForward
        ? times.first { isInclusive ? $0 >= told : $0 > told }
        : times.last { isInclusive ? $0 <= told : $0 < told }
    }
  }

  private mutating func setTimer(_ actions: inout [Action]) {
    var due: Instant?
    if let playhead, playhead.rate != 0, !isHeld {
      for observer in observers.values {
        guard let time = nextTime(observer), let arrival = playhead.arrival(at: time) else { continue }
        due = min(due ?? arrival, arrival)
      }
    }
    // Each frame moves the estimate a little; the timer stays while the change is within the tolerance.
    if let due, let timer, abs((due - timer).wholeNanoseconds) < Self.tolerance.wholeNanoseconds / 2 { return }
    guard due != timer else { return }
    timer = due
    actions.append(due.map { .startTimer(at: $0) } ?? .cancelTimer)
  }
}

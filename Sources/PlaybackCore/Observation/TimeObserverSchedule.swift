/// Decides when those who watch media time are told.
///
/// A value: it takes what playback does, and gives whom to tell and the one timer that the shell is to keep.
///
/// - A periodic observer is told when playback passes a multiple of its interval, and at each jump, start and stop.
/// - A boundary observer is told each of its times that playback passes, in the order in which it passes them. The same
///   one comes again only after a jump back, or when playback turns round.
///
/// Media time counts, not the clock: at rate 2 an interval passes in half the time, in a pause never.
public struct TimeObserverSchedule: Sendable {
  /// What an observer wants to know.
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
    /// Playback is somewhere else: a seek is through, or another item is shown.
    case jumped(Playhead)
    /// Where playback is isn't known for a while: a seek is under way. Ends with `jumped`.
    case held
    /// The item was played to its end, which is at this position.
    case reachedEnd(Duration)
    case timerFired
  }

  public enum Action: Hashable, Sendable {
    /// `time` is the boundary for a boundary observer, else where playback is.
    case tell(Int, time: Duration)
    /// There is one timer; this sets it anew.
    case startTimer(at: Instant)
    case cancelTimer
  }

  /// Shorter intervals are taken as this one: no view shows more, and none of it may starve the loop.
  public static let leastInterval: Duration = .milliseconds(10)
  /// A timer that is early by its rounding has still come to its time.
  static let tolerance: Duration = .milliseconds(1)

  struct Observer: Sendable {
    var rule: Rule
    /// The multiple that was told last.
    var step: Int64 = 0
    /// The time that was told last.
    var newest: Duration?
  }

  var observers: [Int: Observer] = [:]
  var playhead: Playhead?
  /// The furthest that was told, in the direction of playback. Frames may seem to go back a little beside the clock.
  private var told: Duration = .zero
  /// `told` itself wasn't passed yet: right after a jump.
  private var isInclusive = true
  /// The direction of playback, and in a pause the one before it.
  private var isForward = true
  var isHeld = false
  var timer: Instant?
  /// The end that was told last, until playback is anywhere else.
  private var reached: Duration?

  public init() {}

  /// Whether anybody is to be told anything.
  public var isEmpty: Bool { observers.isEmpty }

  /// Takes a fact; gives the commands that follow from it, in order.
  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .added(let id, let rule): add(id, rule, at: now)
    case .removed(let id): observers[id] = nil
    case .moved(let next): move(to: next, at: now, &actions)
    case .jumped(let next):
      // Coming to rest where the end was told is no news.
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
    if last.rate == 0, next.rate != 0 { tellPeriodic(position, &actions) }
    // Where playback stops right where the last time was told, that one has told it.
    if last.rate != 0, next.rate == 0 { tellPeriodic(position, butAt: position, &actions) }
  }

  /// - Parameter known: who was told this time last isn't told again.
  private mutating func jump(
    to next: Playhead, butAt known: Duration? = nil, at now: Instant, _ actions: inout [Action]
  ) {
    isHeld = false
    playhead = next
    if next.rate != 0 { isForward = next.rate > 0 }
    turnRound(at: next.position(at: now))
    let position = next.position(at: now)
    tellPeriodic(position, butAt: position == known ? known : nil, &actions)
  }

  /// Counting begins anew here.
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
    // Standing where a jump has led is not passing it; moving off from there is.
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
    // What was told within the tolerance is behind us.
    told = isForward ? position + Self.tolerance : position - Self.tolerance
    isInclusive = false
  }

  private func isPassed(_ time: Duration, by position: Duration) -> Bool {
    isForward
      ? (isInclusive ? time >= told : time > told) && time <= position + Self.tolerance
      : (isInclusive ? time <= told : time < told) && time >= position - Self.tolerance
  }

  /// - Parameter known: who has been told this time last isn't told again.
  private mutating func tellPeriodic(_ position: Duration, butAt known: Duration? = nil, _ actions: inout [Action]) {
    for id in observers.keys.sorted() {
      guard let observer = observers[id], case .every = observer.rule else { continue }
      if known != nil, observer.newest == known { continue }
      let isTold = actions.contains { if case .tell(id, _) = $0 { true } else { false } }
      if isTold { continue }
      observers[id]?.newest = position
      actions.append(.tell(id, time: position))
    }
  }

  /// The multiple that playback has come to, counted from the side that it comes from.
  private static func step(_ position: Duration, _ interval: Duration, isForward: Bool) -> Int64 {
    guard isForward else { return -step(.zero - position, interval, isForward: true) }
    let time = (position + tolerance).wholeNanoseconds
    let quotient = time / interval.wholeNanoseconds
    return time < 0 && quotient * interval.wholeNanoseconds != time ? quotient - 1 : quotient
  }

  /// The next time that anybody waits for, in the direction of playback.
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
    // Each frame moves the estimate a little; the timer stays where that is within the tolerance.
    if let due, let timer, abs((due - timer).wholeNanoseconds) < Self.tolerance.wholeNanoseconds / 2 { return }
    guard due != timer else { return }
    timer = due
    actions.append(due.map { .startTimer(at: $0) } ?? .cancelTimer)
  }
}

public import InteractionCore
public import PlaybackCore

/// Follows the schedule: receives the time now and then, and reports when the decision changes.
///
/// Each look starts from nothing, so that a clock that jumps, forwards or back, or is set for the first time, isn't a
/// special case. States: no decision -> a decision -> another decision ...
public struct ScheduleMachine: Sendable {
  public enum Event: Sendable {
    case looked(ScheduleClock)
    case scheduleReplaced(ScheduleEngine, ScheduleClock)
  }

  public enum Action: Hashable, Sendable {
    case show(ScheduleDecision)
    /// The clock moved by this much more (or, negative, less) than time has passed.
    case tellJump(Duration)
    case lookAgain(after: Duration)
  }

  /// The longest time between two looks. The kernel reports when the clock was set; other changes, such as of the time
  /// zone, are noticed within this time. A look takes less than a millisecond.
  static let longestWait: Duration = .seconds(60)
  /// A smaller jump isn't reported: NTP moves clocks by this much all the time.
  static let tellableJump: Duration = .seconds(5)
  /// How far ahead the next change is searched for; the next look comes long before.
  private static let daysAhead = 1

  public private(set) var engine: ScheduleEngine
  public internal(set) var decision: ScheduleDecision?
  var lastLook: (clock: ScheduleClock, at: Instant)?

  public init(_ engine: ScheduleEngine) { self.engine = engine }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    switch event {
    case .looked(let clock): return evaluate(clock, at: now)
    case .scheduleReplaced(let engine, let clock):
      self.engine = engine
      // An equal decision of a new engine may stand for another playlist: it has to be shown.
      decision = nil
      return evaluate(clock, at: now)
    }
  }

  private mutating func evaluate(_ clock: ScheduleClock, at now: Instant) -> [Action] {
    var actions: [Action] = []
    if let jump = jump(to: clock, at: now) { actions.append(.tellJump(jump)) }
    lastLook = (clock, now)
    let new = engine.decision(at: clock)
    if new != decision {
      decision = new
      actions.append(.show(new))
    }
    return actions + [.lookAgain(after: wait(from: clock))]
  }

  private func jump(to clock: ScheduleClock, at now: Instant) -> Duration? {
    guard case .utc(let new) = clock, let last = lastLook, case .utc(let old) = last.clock else { return nil }
    // In steps: Swift 6.2 can't infer the types of the whole expression.
    let shown = Duration.seconds(new - old)
    let passed: Duration = now - last.at
    let jump = shown - passed
    return jump > Self.tellableJump || jump < .zero - Self.tellableJump ? jump : nil
  }

  private func wait(from clock: ScheduleClock) -> Duration {
    guard case .utc(let now) = clock, let next = engine.nextBoundary(after: now, withinDays: Self.daysAhead) else {
      return Self.longestWait
    }
    return min(Self.longestWait, .seconds(next - now))
  }
}

extension ScheduleMachine {
  /// The invariants between two looks. Debug builds check them after each event.
  var invariants: Invariants {
    var all = Invariants()
    // A change would be shown late, or not at all.
    all.check("The shown decision is that of the last look", decision == lastLook.map { engine.decision(at: $0.clock) })
    return all
  }
}

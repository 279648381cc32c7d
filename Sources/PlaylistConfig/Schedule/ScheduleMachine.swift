public import PlaybackCore

/// Follows the schedule through a run: is told the time now and then, and says when something changes.
///
/// Each look starts from nothing, so that a clock that jumps, forwards or back, or is set for the first time, needs no
/// case of its own. States: nothing decided yet -> a decision -> another decision ...
public struct ScheduleMachine: Sendable {
  public enum Event: Sendable {
    case looked(ScheduleClock)
    case scheduleReplaced(ScheduleEngine, ScheduleClock)
  }

  public enum Action: Hashable, Sendable {
    case show(ScheduleDecision)
    /// The clock moved by so much more (or, negative, less) than time has passed.
    case tellJump(Duration)
    case lookAgain(after: Duration)
  }

  /// The longest time between two looks. The kernel tells when the clock was set; within this a change that it doesn't tell of is
  /// noticed, such as one of the time zone. A look takes less than a millisecond.
  static let longestWait: Duration = .seconds(60)
  /// A smaller jump isn't told: NTP moves clocks by this much all the time.
  static let tellableJump: Duration = .seconds(5)
  /// How far ahead the next change is looked for; the next look comes long before.
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
    case .looked(let clock): return look(clock, at: now)
    case .scheduleReplaced(let engine, let clock):
      self.engine = engine
      // The same decision about another playlist is another one.
      decision = nil
      return look(clock, at: now)
    }
  }

  private mutating func look(_ clock: ScheduleClock, at now: Instant) -> [Action] {
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
    // In steps: Swift 6.2 doesn't find the types of the whole.
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
  /// What holds between two looks. Debug builds check it after each.
  var invariants: Invariants {
    var all = Invariants()
    // A change would be shown late, or not at all.
    all.check("What is shown is what the last look said", decision == lastLook.map { engine.decision(at: $0.clock) })
    return all
  }
}

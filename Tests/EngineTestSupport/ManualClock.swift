package import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

/// A clock that advances only when a test says so. On one thread.
package final class ManualClock: EngineClock {
  private final class Timer: EngineTimer {
    let due: Instant
    let number: Int
    var handler: (() -> Void)?

    init(due: Instant, number: Int, _ handler: @escaping () -> Void) {
      self.due = due
      self.number = number
      self.handler = handler
    }

    deinit { cancel() }

    func cancel() { handler = nil }
  }

  private struct Waiting {
    weak var timer: Timer?
  }

  package private(set) var now: Instant
  /// Number of timers that were due: on a board each of them wakes the processor.
  package private(set) var wakeUps = 0
  /// Unused: there are no pipelines.
  package let media = MediaClock.system
  private var waiting: [Waiting] = []
  private var count = 0

  /// - Parameter now: not zero, so that a time of this clock can't be mistaken for one of another.
  package init(now: Instant = Instant(nanoseconds: 1_000_000_000_000)) { self.now = now }

  package func after(_ delay: Duration, _ handler: @escaping () -> Void) -> any EngineTimer {
    count += 1
    let timer = Timer(due: now + max(.zero, delay), number: count, handler)
    waiting.append(Waiting(timer: timer))
    return timer
  }

  /// When the next timer is due; nil without one.
  package var nextDue: Instant? { next?.due }

  /// Advances to the next timer that is due by `end` and calls its handler.
  ///
  /// - Returns: false without one; then the time is `end`.
  package func step(until end: Instant) -> Bool {
    guard let timer = next, timer.due <= end else {
      now = max(now, end)
      return false
    }
    now = max(now, timer.due)
    wakeUps += 1
    let handler = timer.handler
    timer.handler = nil
    handler?()
    return true
  }

  private var next: Timer? {
    waiting.removeAll { $0.timer?.handler == nil }
    return waiting.compactMap(\.timer).min { ($0.due, $0.number) < ($1.due, $1.number) }
  }
}

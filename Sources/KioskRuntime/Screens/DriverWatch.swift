internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision

/// The loop's calls into a screen's driver: opening it, switching it, another mode, letting it go. They take milliseconds, a second or
/// two where a screen is slow, and for ever where a driver hangs.
///
/// The loop waits for them, because nothing that it would do meanwhile could be seen (docs/decisions/0142). So each is written down
/// before, for the process that comes after; and a thread of its own says so when one doesn't come back, and asks whoever watches this
/// process to treat it as one that hangs, again and again. Calls are the loop's; the rest is any thread's.
final class DriverWatch: Sendable {
  private struct State {
    /// Of the call that is under way, or was the last.
    var number: UInt64 = 0
    var isUnderWay = false
  }

  private let state = Locked(State())
  private let worker = BlockingWorker()
  private let policy: HealthPolicy
  private let isLate: @Sendable (VitrineError, _ isNews: Bool) -> Void

  init(_ manager: ServiceManager?, log: Logger) {
    policy = HealthPolicy()
    isLate = { error, isNews in
      if isNews { log.error("\(error.line)") }
      guard let manager else { return }
      manager.tell(.status("stuck: \(error.message)"))
      // Who has switched the watchdog off has reasons.
      if manager.watchdog != nil { manager.tell(.watchdogTrigger) }
    }
  }

  /// For tests.
  init(_ policy: HealthPolicy = HealthPolicy(), isLate: @escaping @Sendable (VitrineError, _ isNews: Bool) -> Void) {
    self.policy = policy
    self.isLate = isLate
  }

  /// - Parameters:
  ///   - what: for people: `the screen is opened`.
  ///   - screen: its name; empty for one without.
  ///   - isFirst: a screen is opened that has shown nothing yet.
  func during<R, E: Error>(
    _ what: String, of screen: String, isFirst: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let number = begin() else { return try body() }
    RunMemory.begins(call: what)
    let isOver = Alarm()
    defer {
      state.withLock { $0.isUnderWay = false }
      // The thread below would sleep through the next call otherwise.
      isOver.wake()
      RunMemory.callIsOver()
    }
    let limit = isFirst ? policy.firstOpening : policy.driverCall
    worker.submit { [state, isLate, policy] in
      var due = Instant.monotonicNow + limit
      var isNews = true
      while state.withLock({ $0.isUnderWay && $0.number == number }) {
        if Instant.monotonicNow >= due {
          isLate(.driverHangs(screen, what, limit), isNews)
          isNews = false
          due = Instant.monotonicNow + policy.driverAgain
        }
        isOver.sleep(until: due.nanoseconds)
      }
    }
    return try body()
  }

  /// The same where there may be none.
  static func watch(_ driver: DriverWatch?, _ what: String, _ screen: String, _ body: () -> Void) {
    if let driver { driver.during(what, of: screen, body) } else { body() }
  }

  /// Nil within another call: that is watched already.
  private func begin() -> UInt64? {
    state.withLock { state in
      guard !state.isUnderWay else { return nil }
      state.number += 1
      state.isUnderWay = true
      return state.number
    }
  }
}

extension VitrineError {
  fileprivate static func driverHangs(_ screen: String, _ what: String, _ limit: Duration) -> VitrineError {
    VitrineError(
      5051, subject: screen.isEmpty ? "the screen" : screen,
      message: "its driver doesn't come back: \(what), for \(limit.inSeconds) s",
      remedy: "another process takes over where one is supervised; see dmesg for the driver")
  }
}

internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision

/// Watches the loop's calls into a screen's driver: opening it, switching it, setting a mode, closing it. They take
/// milliseconds, a second or two with a slow screen, and for ever when a driver hangs.
///
/// The loop waits for them, because nothing that it would do meanwhile could be seen (docs/decisions/0142). So each
/// call is recorded first, for the next process. A thread of its own reports a call that doesn't return, and repeatedly
/// asks the service manager to treat this process as hanging. The calls are made on the loop's thread; the rest may run
/// on any thread.
final class DriverWatch: Sendable {
  private struct State {
    /// The number of the latest call.
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
      manager.notify(.status("stuck: \(error.message)"))
      // Without WatchdogSec= in the unit, a hang shouldn't end the process.
      if manager.watchdog != nil { manager.notify(.watchdogTrigger) }
    }
  }

  /// Reports late calls to `isLate`; for tests.
  init(_ policy: HealthPolicy = HealthPolicy(), isLate: @escaping @Sendable (VitrineError, _ isNews: Bool) -> Void) {
    self.policy = policy
    self.isLate = isLate
  }

  /// - Parameters:
  ///   - what: the call in words for people: `the screen is opened`.
  ///   - screen: the screen's name; empty for one without.
  ///   - isFirst: the call opens a screen that has shown nothing yet.
  func during<R, E: Error>(
    _ what: String, of screen: String, isFirst: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let number = begin() else { return try body() }
    CrashRecorder.begins(call: what)
    let isOver = Alarm()
    defer {
      state.withLock { $0.isUnderWay = false }
      // Otherwise the thread below would sleep through the next call.
      isOver.wake()
      CrashRecorder.callIsOver()
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

  /// Watches a call if there is a watch, else just makes it.
  static func watch(_ driver: DriverWatch?, _ what: String, _ screen: String, _ body: () -> Void) {
    if let driver { driver.during(what, of: screen, body) } else { body() }
  }

  /// The number of a new call; nil within another call, which is watched already.
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
      message: "a call of its driver hasn't returned for \(limit.inSeconds) s: \(what)",
      remedy: "another process takes over if a service manager or 'vitrine supervise' runs the player; see dmesg for "
        + "the driver")
  }
}

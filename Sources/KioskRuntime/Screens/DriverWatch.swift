internal import Glibc
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
/// process to treat it as one that hangs. Calls are the loop's; the rest is any thread's.
final class DriverWatch: Sendable {
  /// A modeset takes a second with the slowest screens that we know of. It is to be found within five.
  static let limit: Duration = .milliseconds(4500)
  /// How often is looked, while a call is under way.
  private static let look: Duration = .milliseconds(100)

  private struct State {
    /// Of the call that is under way, or was the last.
    var number: UInt64 = 0
    var isUnderWay = false
  }

  private let state = Locked(State())
  private let worker = BlockingWorker()
  private let isLate: @Sendable (VitrineError) -> Void

  init(_ manager: ServiceManager?, log: Logger) {
    isLate = { error in
      log.error("\(error.line)")
      guard let manager else { return }
      manager.tell(.status("stuck: \(error.message)"))
      // Who has switched the watchdog off has reasons.
      if manager.watchdog != nil { manager.tell(.watchdogTrigger) }
    }
  }

  /// For tests.
  init(isLate: @escaping @Sendable (VitrineError) -> Void) { self.isLate = isLate }

  /// - Parameters:
  ///   - what: for people: `the screen is opened`.
  ///   - screen: its name; empty for one without.
  func during<R, E: Error>(_ what: String, of screen: String, _ body: () throws(E) -> R) throws(E) -> R {
    guard let number = begin() else { return try body() }
    RunMemory.begins(call: what)
    defer {
      state.withLock { $0.isUnderWay = false }
      RunMemory.callIsOver()
    }
    worker.submit { [state, isLate] in
      let begun = Instant.monotonicNow
      while state.withLock({ $0.isUnderWay && $0.number == number }) {
        if Instant.monotonicNow - begun >= Self.limit { return isLate(.driverHangs(screen, what)) }
        usleep(UInt32(Self.look.inSeconds * 1_000_000))
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
  fileprivate static func driverHangs(_ screen: String, _ what: String) -> VitrineError {
    VitrineError(
      5051, subject: screen.isEmpty ? "the screen" : screen,
      message: "its driver doesn't come back: \(what), for \(DriverWatch.limit.inSeconds) s",
      remedy: "another process takes over where one is supervised; see dmesg for the driver")
  }
}

package import Glibc
internal import PlaybackCore

/// How a process of this program ended that was started by another one.
package enum ProcessEnd: Error, Hashable, Sendable {
  /// A system error.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// It wasn't done in time, and was ended.
  case timedOut

  /// Waits until a child is gone, and buries it. Blocks.
  ///
  /// - Parameters:
  ///   - limit: one that isn't gone then is killed. One that even that doesn't end at once is left behind, because it may hang in a driver,
  ///     and whoever waited for it would hang too; it is buried when another process of ours has ended.
  ///   - interval: how often it is looked.
  ///   - usage: gets what it has used.
  /// - Returns: nil for one that had to be killed, or is nobody's child.
  package static func wait(
    for pid: pid_t, limit: Duration, looking interval: Duration, usage: UnsafeMutablePointer<rusage>? = nil
  ) -> ProcessEnd? {
    buryLeftBehind()
    var isKilled = false
    var deadline = EventLoop.monotonicNanoseconds() + limit.wholeNanoseconds
    var status: Int32 = 0
    while true {
      let found = wait4(pid, &status, WNOHANG, usage)
      if found == pid {
        // The macros of wait.h.
        let signal = status & 0x7F
        if isKilled { return nil }
        return signal != 0 ? .signalled(signal) : .exited(status >> 8 & 0xFF)
      }
      if found < 0, errno != EINTR { return nil }
      if EventLoop.monotonicNanoseconds() >= deadline {
        if isKilled {
          leftBehind.withLock { $0.append(pid) }
          return nil
        }
        kill(pid, SIGKILL)
        isKilled = true
        deadline += killLimit.wholeNanoseconds
      }
      usleep(UInt32(clamping: interval.wholeNanoseconds / 1000))
    }
  }

  /// What SIGKILL ends it ends at once; on a board that swaps it may take a moment.
  private static let killLimit: Duration = .milliseconds(500)
  private static let leftBehind = Locked<[pid_t]>([])

  private static func buryLeftBehind() {
    leftBehind.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } }
  }
}

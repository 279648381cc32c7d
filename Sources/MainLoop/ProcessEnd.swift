package import Glibc
internal import PlaybackCore

/// How a child process of this program ended.
package enum ProcessEnd: Error, Hashable, Sendable {
  /// The process couldn't be started; the value is the errno.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// The process exceeded its time and was killed.
  case timedOut

  /// Waits until a child has ended, and reaps it. Blocks.
  ///
  /// - Parameters:
  ///   - limit: a child that still runs after this time is killed. A child that doesn't end even then may hang in a
  ///     driver, and is left behind, lest the caller hang too; the next call of `wait` reaps it.
  ///   - interval: how often the child's state is polled.
  ///   - usage: receives the child's resource usage.
  /// - Returns: nil when the child had to be killed, or isn't a child of this process.
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

  /// Wait after SIGKILL before the child is left behind. The signal works at once; on a board that swaps, the process
  /// may take a moment to go.
  private static let killLimit: Duration = .milliseconds(500)
  private static let leftBehind = Locked<[pid_t]>([])

  private static func buryLeftBehind() {
    leftBehind.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } }
  }
}

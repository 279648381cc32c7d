public import Glibc
internal import MainLoop
internal import PlaybackCore

/// How a process of this program ended that was started by another one.
public enum ProcessEnd: Error, Hashable, Sendable {
  /// A system error.
  case notStarted(Int32)
  case exited(Int32)
  case signalled(Int32)
  /// It wasn't done in time, and was ended.
  case timedOut

  /// Waits until a child is gone, and buries it. Blocks.
  ///
  /// - Parameters:
  ///   - limit: one that isn't gone then is killed and left behind: it may hang in a driver, and whoever waited for it would hang too.
  ///   - interval: how often it is looked.
  ///   - usage: gets what it has used.
  /// - Returns: nil for one that was left behind, or is nobody's child.
  public static func wait(
    for pid: pid_t, limit: Duration, looking interval: Duration, usage: UnsafeMutablePointer<rusage>? = nil
  ) -> ProcessEnd? {
    let deadline = EventLoop.monotonicNanoseconds() + limit.wholeNanoseconds
    var status: Int32 = 0
    while true {
      let found = wait4(pid, &status, WNOHANG, usage)
      if found == pid {
        // The macros of wait.h.
        let signal = status & 0x7F
        return signal != 0 ? .signalled(signal) : .exited(status >> 8 & 0xFF)
      }
      if found < 0, errno != EINTR { return nil }
      if EventLoop.monotonicNanoseconds() >= deadline {
        kill(pid, SIGKILL)
        return nil
      }
      usleep(UInt32(clamping: interval.wholeNanoseconds / 1000))
    }
  }
}

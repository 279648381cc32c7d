internal import FileSystem
import Glibc

/// Which thread runs where several could.
public enum ThreadPriority {
  /// SCHED_RESET_ON_FORK and SCHED_BATCH of linux/sched.h, which Glibc's module leaves out.
  private static let resetOnFork: Int32 = 0x4000_0000
  private static let batch: Int32 = 3

  /// Lets the calling thread run as soon as it has something to do, before all that isn't real time. Not for threads that
  /// compute for long. Threads that it starts later are ordinary ones again.
  ///
  /// - Returns: whether the system allows it: to root, and where RLIMIT_RTPRIO is at least 1 (`LimitRTPRIO` of systemd).
  @discardableResult public static func answerAtOnce() -> Bool { raise(0) }

  /// - Parameter thread: 0 is the calling one.
  @discardableResult private static func raise(_ thread: pid_t) -> Bool {
    // The lowest of the real-time priorities: what the kernel and sound servers run at is above it. See docs/decisions/0054.
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_RR)
    return sched_setscheduler(thread, SCHED_RR | resetOnFork, &parameters) == 0
  }

  /// Lets others run as soon as they wake while the calling thread has much to compute, or makes it an ordinary one again.
  /// It gets no less of the processors: SCHED_BATCH is about when and not how much. Anyone may ask for it. Threads that it
  /// starts are as it is. Where whoever starts the program has chosen a policy (`CPUSchedulingPolicy` of systemd), that
  /// stays. See docs/decisions/0054.
  public static func compute(inBulk: Bool) {
    let (from, to) = inBulk ? (SCHED_OTHER, batch) : (batch, SCHED_OTHER)
    guard sched_getscheduler(0) == from else { return }
    var parameters = sched_param()
    // Between these two nobody is refused.
    _ = sched_setscheduler(0, to, &parameters)
  }

  /// Makes the calling thread an ordinary one that hands work to others which compute in bulk, and has little to do itself: what these
  /// have done must not wait for it. On one processor it does their work, and stays as it is. See docs/decisions/0173.
  public static func handOut() {
    if sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 { compute(inBulk: false) }
  }

  /// What `answerAtOnce()` does, for threads of this process that a library has started.
  ///
  /// - Parameter name: what the library calls them, at most 15 characters.
  public static func answerAtOnce(threadsNamed name: String) {
    for thread in SmallFile.names(in: "/proc/self/task") {
      guard let number = pid_t(thread), FirstLine.read("/proc/self/task/\(thread)/comm") == name else { continue }
      raise(number)
    }
  }
}

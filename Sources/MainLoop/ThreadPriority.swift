internal import FileSystem
import Glibc

/// Scheduling policies: which of several runnable threads runs.
public enum ThreadPriority {
  /// SCHED_RESET_ON_FORK, SCHED_BATCH and SCHED_IDLE of linux/sched.h, which Glibc's module leaves out.
  private static let resetOnFork: Int32 = 0x4000_0000
  private static let batch: Int32 = 3
  private static let idle: Int32 = 5

  /// Lets the calling thread run as soon as it has something to do, before all that isn't real time. Not for threads
  /// that compute for long. Threads that it starts later are ordinary ones again.
  ///
  /// - Returns: whether the system allows it: to root, and where RLIMIT_RTPRIO is at least 1 (`LimitRTPRIO` of
  ///   systemd).
  @discardableResult public static func answerAtOnce() -> Bool { raise(0) }

  /// - Parameter thread: 0 is the calling one.
  @discardableResult private static func raise(_ thread: pid_t) -> Bool {
    // The lowest of the real-time priorities: what the kernel and sound servers run at is above it. See
    // decision 0054.
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_RR)
    return sched_setscheduler(thread, SCHED_RR | resetOnFork, &parameters) == 0
  }

  /// Lets other threads run as soon as they wake while the calling thread computes for long, or makes it an ordinary
  /// thread again. It gets no less processor time: SCHED_BATCH decides when a thread runs, not for how long. Every
  /// process may ask for it. Threads that the calling thread starts inherit the policy. A policy that the program was
  /// started with (`CPUSchedulingPolicy` of systemd) stays. See decision 0054.
  public static func compute(inBulk: Bool) {
    let (from, to) = inBulk ? (SCHED_OTHER, batch) : (batch, SCHED_OTHER)
    guard sched_getscheduler(0) == from else { return }
    var parameters = sched_param()
    // Changing between these two policies needs no privilege.
    _ = sched_setscheduler(0, to, &parameters)
  }

  /// Lets the calling thread, and those that it starts later, run only when no ordinary thread wants to; the kernel
  /// gives its reading from disks the same class. Every process may ask for it, within the service's sandbox too, which
  /// refuses nice values. There is no way back. A policy that the program was started with stays.
  public static func waitForOthers() {
    guard [SCHED_OTHER, batch].contains(sched_getscheduler(0)) else { return }
    var parameters = sched_param()
    _ = sched_setscheduler(0, idle, &parameters)
  }

  /// Makes the calling thread an ordinary one. It hands work to threads that compute in bulk, and does little itself:
  /// their results must not wait for it. With one processor it does the work itself, and its policy stays. See
  /// docs/decisions/0173.
  public static func handOut() {
    if sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 { compute(inBulk: false) }
  }

  /// Applies `answerAtOnce()` to threads of this process that a library has started.
  ///
  /// - Parameter name: the library's name for these threads, at most 15 characters.
  public static func answerAtOnce(threadsNamed name: String) {
    for thread in SmallFile.names(in: "/proc/self/task") {
      guard let number = pid_t(thread), FirstLine.read("/proc/self/task/\(thread)/comm") == name else { continue }
      raise(number)
    }
  }
}

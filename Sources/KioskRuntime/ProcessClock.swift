internal import FileSystem
internal import Glibc
internal import MainLoop
public import PlaybackCore

/// The time at which this process began.
public enum ProcessClock {
  /// The start of the process on CLOCK_MONOTONIC, to 10 ms: the kernel keeps it in ticks of a hundredth of a second.
  /// Falls back on now where /proc can't be read.
  public static func start() -> Instant {
    let now = EventLoop.monotonicNanoseconds()
    guard let ticks = startTicks() else { return Instant(nanoseconds: now) }
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    let sinceBoot = Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec)
    let started = ticks * (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    return Instant(nanoseconds: now - max(0, sinceBoot - started))
  }

  /// Field 22 of /proc/self/stat; the second field is a name in parentheses that may hold spaces.
  private static func startTicks() -> Int64? {
    let text = SmallFile.text("/proc/self/stat")
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? Int64(fields[19]) : nil
  }
}

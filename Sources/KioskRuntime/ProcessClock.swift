internal import Glibc
internal import MainLoop
public import PlaybackCore

/// When this process began.
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
    let file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? Int64(fields[19]) : nil
  }
}

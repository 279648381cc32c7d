/// The limits of `vitrine supervise`. deploy/vitrine.service has the same ones for systemd, where systemd knows them.
public struct KeeperPolicy: Hashable, Sendable {
  /// The time from the start to READY; nil waits for ever. At its first start, a board lists all GStreamer plug-ins
  /// from a slow SD card before its loop runs: that takes a minute, and a shorter limit would interrupt it each time,
  /// for ever.
  public var startLimit: Duration? = .seconds(300)
  /// The longest silence of a child that doesn't hang; nil doesn't check. The child says that it is well three times
  /// within this, and a hang must be found within ten seconds.
  public var watchdog: Duration? = .seconds(6)
  /// The time from SIGABRT to SIGKILL, in which the child records where it hung.
  public var abortLimit: Duration = .seconds(2)
  /// The time from the request to end to SIGKILL. A clean stop takes less than a second.
  public var stopLimit: Duration = .seconds(5)
  /// A process that SIGKILL doesn't end within this time hangs in the kernel, and only a reboot ends it.
  public var killLimit: Duration = .seconds(10)
  /// The time between a child's end and the next start: long enough for the graphics card to notice that its file is
  /// closed, and a tenth of the second within which the picture should move again.
  public var delay: Duration = .milliseconds(100)
  /// The number of children ending before READY that are replaced at once: the count of crashes (`CrashLoop`) takes its
  /// own measures at five.
  public var quickDeaths = 5
  /// After those the delay doubles each time, up to this: a board that can't start should be able to cool, and somebody
  /// who repairs it shouldn't have to wait.
  public var longestDelay: Duration = .seconds(10)
  /// Exit codes that another child would end with, too: a command line that can't be used (64).
  public var finalCodes: Set<Int32> = [64]
  /// The exit code of a child that another one should replace at once.
  public var takeOverCode: Int32 = 75
  /// The exit code of a child that asks for a reboot.
  public var rebootCode: Int32 = 76

  public init() {}

  /// The delay after `count` children in a row that ended before READY.
  func delay(afterQuickDeaths count: Int) -> Duration {
    guard count > quickDeaths else { return delay }
    // Ten doublings exceed any limit.
    return min(longestDelay, delay * (1 << min(10, count - quickDeaths)))
  }
}

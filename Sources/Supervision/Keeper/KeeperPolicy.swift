/// The numbers of `vitrine supervise`. deploy/vitrine.service has the same for systemd, where it has them.
public struct KeeperPolicy: Hashable, Sendable {
  /// From the start to READY; nil waits for ever. A board that starts for the first time lists all plugins of GStreamer, from a slow
  /// card of memory, before its loop runs: that takes a minute, and one that was cut off would begin anew for ever.
  public var startLimit: Duration? = .seconds(300)
  /// A child that says nothing for so long hangs; nil doesn't look. It says that all is well three times within this, and whatever
  /// hangs is to be found within ten seconds.
  public var watchdog: Duration? = .seconds(6)
  /// From SIGABRT to SIGKILL: what the child needs to write down where it hung.
  public var abortLimit: Duration = .seconds(2)
  /// From the wish that it ends to SIGKILL. A clean stop takes less than a second.
  public var stopLimit: Duration = .seconds(5)
  /// What SIGKILL doesn't end in this time hangs in the kernel, and only a reboot ends it.
  public var killLimit: Duration = .seconds(10)
  /// Between the end of a child and the next: long enough for a card to see that its file is closed, and a tenth of the second in
  /// which the picture is to move again.
  public var delay: Duration = .milliseconds(100)
  /// So many children that end before they are READY are followed at once: what counts such deaths takes its own measures at five.
  public var quickDeaths = 5
  /// After those the delay doubles each time, up to this: a board that can't start isn't to be kept from cooling, and somebody who
  /// mends it isn't to wait.
  public var longestDelay: Duration = .seconds(10)
  /// Codes with which a child ends that no other child would do better than: a command line that can't be used (64).
  public var finalCodes: Set<Int32> = [64]
  /// Another process takes over at once.
  public var takeOverCode: Int32 = 75
  /// The board is to be rebooted.
  public var rebootCode: Int32 = 76

  public init() {}

  /// After so many children in a row that ended before they were READY.
  func delay(afterQuickDeaths count: Int) -> Duration {
    guard count > quickDeaths else { return delay }
    // Ten doublings are past any limit.
    return min(longestDelay, delay * (1 << min(10, count - quickDeaths)))
  }
}

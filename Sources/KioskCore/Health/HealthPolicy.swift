/// The limits past which a process counts as hanging although its loop runs. A hang must be found within ten seconds,
/// and a fault that playback overcomes by itself must not end a process.
public struct HealthPolicy: Hashable, Sendable {
  /// The interval between looks: owed time is counted in such steps, and a seam within one may hide some of it.
  public var lookInterval: Duration = .milliseconds(500)
  /// The interval between looks while no screen owes a frame: a picture stays, or the screen sleeps. It wakes a resting
  /// board less often; within a watchdog's six seconds there are still three reports, even with a modeset of three
  /// seconds between two.
  public var restInterval: Duration = .seconds(2)
  /// How long a due frame of a local file may be missing. Worn SD cards are known to stop for two or three seconds;
  /// three more seconds are for the time that looks don't see.
  public var local: Duration = .seconds(7)
  /// How long a due frame from a network may be missing: playback itself reopens such an item after ten seconds
  /// (`ReconnectPolicy.stuck`), and that has to come first.
  public var remote: Duration = .seconds(14)
  /// How long the output may be missing although there is a screen: setting a mode on a slow television takes three
  /// seconds, and a sink that holds the screen is given up after three.
  public var output: Duration = .seconds(8)
  /// How long each remedy of playback, such as a new deck or a new output, may take to show a frame: a preroll, and a
  /// short stop of the storage.
  public var remedy: Duration = .seconds(8)
  /// The limit for all remedies together: a picture that stands still for a minute is worse than a second without one.
  public var longest: Duration = .seconds(60)
  /// The limit for starts and seeks, which have deadlines of their own (a preroll thirty seconds and a second try, a
  /// checksum of a large file five minutes), if they don't keep them.
  public var soon: Duration = .seconds(330)
  /// The part of an item's start that counts as owed, if the item before owed frames: that one's deck goes after a
  /// second without frames (`PlaybackPolicy.retireDelay`), then comes a preroll. Without it a list of short items would
  /// hide a screen that stands still.
  public var seam: Duration = .milliseconds(1500)
  /// The longest wait for the first frame before the process reports that it is ready: from then on frames are watched
  /// as always.
  public var readyLimit: Duration = .seconds(10)
  /// The limit for a call of the loop into a screen's driver. A modeset takes a second with the slowest known screens;
  /// a hanging call must be found within five.
  public var driverCall: Duration = .milliseconds(4500)
  /// The limit for opening a screen that has shown nothing yet: a compositor that doesn't answer (1 s), the displays'
  /// descriptions, a mode of a slow television (3 s), its planes tried one by one, and all that once more with the next
  /// card. With a shorter limit a slow process would be killed each time and never show a picture; one that has shown a
  /// picture is known to open faster.
  public var firstOpening: Duration = .seconds(15)
  /// The interval at which the supervisor is told again that a call hangs: a message may be lost when its queue is
  /// full.
  public var driverAgain: Duration = .milliseconds(500)

  public init() {}
}

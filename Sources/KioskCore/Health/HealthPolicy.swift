/// The numbers by which a process is taken to hang although its loop turns. Whatever hangs is to be found within ten seconds, and what
/// playback gets over by itself isn't to cost a process.
public struct HealthPolicy: Hashable, Sendable {
  /// From one look to the next: what is owed is counted in such steps, and a seam in the midst of one may hide it.
  public var lookInterval: Duration = .milliseconds(500)
  /// The same while no screen owes anything: a picture is up, or the screen sleeps. A board that rests is woken twice a second less; a
  /// watchdog of six seconds still hears of the loop three times in its limit, a modeset of three seconds between two words
  /// included.
  public var restInterval: Duration = .seconds(2)
  /// No frame that is due of a file here. Cards of memory that wear out are known to stand still for two or three seconds; three seconds more than
  /// this are left for what looks don't see.
  public var local: Duration = .seconds(7)
  /// The same over a network: playback opens such an item anew after ten seconds (`ReconnectPolicy.stuck`), and that comes first.
  public var remote: Duration = .seconds(14)
  /// The output isn't there although there is a screen: a mode of a slow television takes three seconds, and a sink that holds the
  /// screen is given up after as many.
  public var output: Duration = .seconds(8)
  /// Each thing that playback does about it, such as a new deck or a new output, gets so long to show a frame: a preroll, and what
  /// stands still for a moment.
  public var remedy: Duration = .seconds(8)
  /// But no longer than this in all: a picture that stands for a minute is worse than a second without one.
  public var longest: Duration = .seconds(60)
  /// What has deadlines of its own (a preroll has thirty seconds and a second try, a checksum of a large file five minutes) and
  /// doesn't keep them.
  public var soon: Duration = .seconds(330)
  /// Of the start of an item so much counts as owed, where the one before owed something: the deck of the one before goes after a second
  /// without frames (`PlaybackPolicy.retireDelay`), then comes a preroll. Else a list of short items would hide a screen that stands still.
  public var seam: Duration = .milliseconds(1500)
  /// Who starts this process isn't kept waiting for a first frame for longer: from then on frames are watched as always.
  public var readyLimit: Duration = .seconds(10)
  /// A call of the loop into a screen's driver. A modeset takes a second with the slowest screens that we know of; one that hangs is to be
  /// found within five.
  public var driverCall: Duration = .milliseconds(4500)
  /// The same of opening a screen that has shown nothing yet: a compositor that doesn't answer (1 s), the displays' descriptions, a mode of a
  /// slow television (3 s), its planes tried one by one, and all that once more with the next card. Who is killed in it each time never
  /// shows a picture; who has shown one is known to open faster.
  public var firstOpening: Duration = .seconds(15)
  /// Whoever is to end this process is told so often that it hangs: a word may be lost where there is no room for it.
  public var driverAgain: Duration = .milliseconds(500)

  public init() {}
}

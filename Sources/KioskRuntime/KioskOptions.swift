public import InteractionCore
public import KioskCore
public import MediaPipeline
public import PlaybackCore
public import PlaylistConfig
public import Supervision
public import TelemetryCore
package import VitrinePlayback
public import KioskCore

/// Settings that override those of any configuration.
public protocol KioskOptionsOverride: Sendable {
  func apply(to options: inout KioskOptions)
}

/// Everything that a run of the player gets from outside.
public struct KioskOptions: Sendable {
  /// A screenshot that is taken once.
  public struct Snapshot: Hashable, Sendable {
    public var path: String
    /// When it is taken, after the first frame; a playlist that ends before gives its last frame.
    public var at: Duration
    public init(path: String, at: Duration) {
      self.path = path
      self.at = at
    }
  }

  /// The configuration's settings (without a configuration, its defaults), overridden by options of the command line.
  /// Its playlists are in `queue`.
  public var settings = Configuration()
  public var queue: [MediaItem]
  /// The sentences that visitors read, in the configuration's language or the system's.
  public var visitorTexts = VisitorTexts.english
  public var startAt: Duration = .zero
  /// Name of the playlist that `queue` comes from; nil without a configuration.
  public var listName: String?
  /// The places at which playback goes on, by the names of screens ("" is the only one). They override those in the
  /// file of `placesPath`.
  public var resumePoints: [String: ResumePoint] = [:]
  /// The file that keeps places over a loss of power; nil keeps none.
  public var placesPath: String?
  /// The file that keeps alerts over a restart; nil keeps none.
  public var alertsPath: String?
  /// The speed of playback; 1 is normal. Within `PlaybackPolicy.rates`.
  public var rate = 1.0
  /// Whether the video plane scales, from the board's profile; nil asks the driver.
  public var planeScales: Bool?
  /// The limit for a mode that isn't configured by name, if the board has one.
  public var modeLimit: BoardDecoding.Limit?
  /// The size of the board's own panel before rotation, from its profile; for screens that don't report their size.
  public var panelMillimetres: PixelSize?
  /// The peculiarities of the board's decoders, from its profile.
  public var decoders = DecoderPolicy()
  /// Size of the picture without a screen.
  public var headlessSize = PixelSize(width: 1280, height: 720)
  /// The preferred sound and subtitle tracks.
  public var tracks = TrackPreferences()
  /// Ends the run this long after the first frame; ten seconds later where none comes. Nil plays on.
  public var stopAfter: Duration?
  public var snapshot: Snapshot?
  public var reportPath: String?
  /// The file that counts restarts; nil where no supervisor would start the process again.
  public var restartHistoryPath: String?
  /// The record of crashed runs and of this one; nil where no supervisor would start the process again.
  public var survival: CrashHistory?
  /// The place of the previous run on each screen, after a crash: this run goes on there.
  public var lastPlaces: [LastPlace] = []
  /// The items that were playing when the previous run crashed, for proof of play.
  public var earlierPlays: [PlayEntry] = []
  /// The file that records decoders without a picture; nil records none.
  public var decoderRecord: DecoderRecordFile?
  /// Whether the run waits for a missing screen instead of ending.
  public var waitsForScreen = false
  public var policy = PlaybackPolicy()
  /// Makes the output that the engine plays on; measurements of other players' seeks give another one.
  package var makeOutput: @Sendable (OutputRequest, @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput =
    MediaOutput.make
  /// The seed for the random part of delays, from the kernel: with different seeds, boards that lost a server together
  /// don't all ask it at the same moment, and one board doesn't repeat its delays.
  public var seed = UInt64.random(in: .min ... .max)
  /// The list that plays from a visitor's first touch until a while without touches; empty leaves visitors the loop.
  public var visitorsQueue: [MediaItem] = []
  /// The items of each playlist, by its name, for the command `clip`.
  var clips: [String: [MediaItem]] = [:]
  /// Whether each round of the two lists has a new order.
  var shufflesQueue = false
  var shufflesVisitors = false
  /// The input devices, gestures and keys, and the actions bound to them.
  public var interaction = InteractionSettings()
  /// Problems met before the start, such as items that don't exist: they belong in the report.
  public var earlierProblems: [VitrineError] = []
  /// CLOCK_MONOTONIC when the process started: what `first_frame_ms` counts from.
  public var processStart: Instant
  /// The settings for copies of remote items; nil keeps none.
  public var store: StoreOptions?
  /// The path of the control socket where the settings name none; nil where the process has no runtime folder.
  public var usualControlPath: String?
  /// The configuration that `queue` and the settings come from and follow; nil when they don't change.
  public var configuration: ConfigurationSetup?
  /// Settings that override the configuration, such as options of the command line; a later one overrides an earlier
  /// one.
  public var overrides: [any KioskOptionsOverride] = []
  /// The machine's memory in bytes; nil where the kernel doesn't say.
  public var memory: Int?

  /// The service manager that starts this process and its successor; nil for a process without one.
  public var manager: ServiceManager?
  /// The file descriptors that the previous process has left with the service manager.
  public var kept: [ServiceManager.Kept] = []

  public init(queue: [MediaItem], processStart: Instant) {
    self.queue = queue
    self.processStart = processStart
    // A run without a configuration has these off; a configuration's defaults turn them on.
    settings.playback.loop = false
    settings.playback.resume = .off
    settings.control.isEnabled = false
  }

  /// Plays these from now on, by that configuration and what overrides it.
  mutating func play(_ lists: PlayedLists, by configuration: Configuration, in texts: VisitorTexts) {
    apply(lists)
    visitorTexts = texts
    follow(configuration)
    store = StoreOptions(configuration, directory: self.configuration?.directories.copies)
    // Applied after the lists: the command line may change what their items show.
    for override in overrides { override.apply(to: &self) }
  }

  /// Takes over the lists and their order.
  public mutating func apply(_ lists: PlayedLists) {
    queue = lists.loop
    visitorsQueue = lists.visitors
    clips = lists.clips
    listName = lists.name
    (shufflesQueue, shufflesVisitors) = (lists.shufflesLoop, lists.shufflesVisitors)
  }

  /// The item that a request names; nil where the configuration has none.
  func clip(_ request: ClipRequest) -> MediaItem? {
    let (items, index) = (clips[request.list] ?? [], request.number - 1)
    return items.indices.contains(index) ? items[index] : nil
  }

  /// The seed for a list's order; nil plays it in its written order.
  func shuffle(forVisitors isForVisitors: Bool) -> UInt64? {
    (isForVisitors ? shufflesVisitors : shufflesQueue) ? seed : nil
  }

  /// Makes the machine that decides what plays, with these options from the start.
  ///
  /// - Parameter screen: the name of its screen.
  func makeMachine(for screen: String = "") -> PlaybackMachine {
    var (beginning, startAt): (Int?, Duration) = (nil, startAt)
    // An explicit start position overrides the saved place.
    if settings.playback.resume != .off, startAt == .zero, let point = resumePoints[screen] {
      beginning = point.index(in: queue, of: listName)
      if beginning != nil { startAt = min(max(.zero, point.position), ResumePoint.furthest) }
    }
    return PlaybackMachine(
      queue: queue, loops: settings.playback.loop, shuffle: shuffle(forVisitors: false), beginning: beginning,
      startAt: startAt, policy: policy, seed: seed)
  }
}

/// Exit codes follow sysexits; `vitrine --help` lists them.
public enum KioskExit {
  public static let done: Int32 = 0
  public static let usage: Int32 = 64
  public static let nothingPlayed: Int32 = 65
  public static let noSuchMedia: Int32 = 66
  public static let noOutput: Int32 = 69
  public static let bug: Int32 = 70
  public static let cannotCreate: Int32 = 73
  /// Another process should take over, or ask again later (EX_TEMPFAIL).
  public static let temporaryFailure: Int32 = 75
  /// The board should be rebooted; deploy/vitrine.service does it.
  public static let reboot: Int32 = 76
  public static let noPermission: Int32 = 77
  public static let configuration: Int32 = 78

  /// The exit code of a run that ends because there is no screen.
  static func code(ofScreen error: VitrineError) -> Int32 { error.number == 5003 ? noPermission : noOutput }
}

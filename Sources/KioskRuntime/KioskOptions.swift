public import InteractionCore
public import KioskCore
public import MediaPipeline
public import PlaybackCore
internal import PlaylistConfig
public import Supervision
public import TelemetryCore
package import VitrinePlayback
public import KioskCore

/// Settings that count more than those of a configuration, whichever that is.
public protocol KioskOptionsOverride: Sendable {
  func apply(to options: inout KioskOptions)
}

/// Everything that a run of the player is told from outside.
public struct KioskOptions: Sendable {
  /// Which output to open.
  public enum OutputChoice: Hashable, Sendable {
    /// A compositor that answers, else a card that can be opened, else (unless it waits for a screen) no screen.
    case auto
    case fixed(OutputKind)
  }

  /// A picture of what is shown, taken once.
  public struct Snapshot: Hashable, Sendable {
    public var path: String
    /// After the first frame; a playlist that ends before gives its last frame.
    public var at: Duration
    public init(path: String, at: Duration) {
      self.path = path
      self.at = at
    }
  }

  public var queue: [MediaItem]
  public var loops = false
  public var startAt: Duration = .zero
  /// Name of the playlist that `queue` comes from; nil without a configuration.
  public var listName: String?
  /// Where playback begins after a restart of the board.
  public var resume = ResumeChoice.off
  /// Places at which playback is to go on, by the names of screens ("" is the only one): they count more than what `placesPath` keeps.
  public var resumePoints: [String: ResumePoint] = [:]
  /// Where places are kept over a loss of power; nil keeps none.
  public var placesPath: String?
  /// How fast the film runs; 1 is as it was made. Within `PlaybackPolicy.rates`.
  public var rate = 1.0
  public var output = OutputChoice.auto
  /// Path, driver or device name of the card, or "auto".
  public var card = "auto"
  /// Whether a panel that is built in is preferred to a screen that is plugged in.
  public var builtInPanelsFirst = false
  /// Kernel name such as HDMI-A-1, or "auto".
  public var connector = "auto"
  public var mode = DisplayMode.auto
  /// For how long a refresh rate has to hold that is chosen for a film, where `mode` follows the films.
  public var matchHold = RefreshMatcher.usualHold
  /// Whether the video plane scales, where the board's profile says so; nil asks the driver.
  public var planeScales: Bool?
  /// The most that a mode may have that isn't named, where that is known of the board.
  public var modeLimit: BoardDecoding.Limit?
  /// Of the board's own panel before rotation, where its profile says so; for screens that don't tell their size.
  public var panelMillimetres: PixelSize?
  /// What the board's decoders need, by its profile.
  public var decoders = DecoderPolicy()
  /// Whether the screen is put to sleep and woken by CEC too, under KMS.
  public var cec = CECChoice.auto
  /// By how much the picture is turned on its panel, under KMS.
  public var rotation = ScreenRotation.none
  /// What is done with HDR films.
  public var hdr = HDRChoice.map
  /// 0xRRGGBB: the screen where there is no picture, under KMS.
  public var background: UInt32 = 0
  /// How one item gives way to the next; nil is a cut.
  public var dip: SeamDip?
  /// A PNG that a card's screen shows until the first frame.
  public var splashPath: String?
  /// Size of the picture without a screen.
  public var headlessSize = PixelSize(width: 1280, height: 720)
  public var sound = SoundSettings()
  public var overlay = OverlayMode.auto
  public var look = OverlayLook()
  /// Which sound and which subtitles are wanted.
  public var tracks = TrackPreferences()
  /// Ends the run this long after the first frame; ten seconds later where none comes. Nil plays on.
  public var stopAfter: Duration?
  public var snapshot: Snapshot?
  public var reportPath: String?
  /// Where restarts are counted; nil where nobody would start the process again.
  public var restartHistoryPath: String?
  /// What is known of runs that died, and what may die next; nil where nobody would start the process again.
  public var survival: SurvivalBook?
  /// Where the run before this one was, on each screen: it goes on there.
  public var lastPlaces: [LastPlace] = []
  /// What was shown when it died, for proof of play.
  public var earlierPlays: [PlayEntry] = []
  /// Where decoders that gave no picture are remembered, and what they failed with; nil forgets them.
  public var decoderRecord: DecoderRecordFile?
  /// Whether a missing screen is waited for instead of ending the run.
  public var waitsForScreen = false
  /// Whether playback goes on, muted, while the screen is unplugged, instead of being held at its position.
  public var goesOnUnplugged = false
  /// Whether the last frame stays on the screen after the end, where that can be.
  public var keepsLastFrame = false
  public var policy = PlaybackPolicy()
  /// What is played on; another one measures how others seek.
  package var makeOutput: @Sendable (OutputRequest, @escaping @Sendable (OutputEvent) -> Void) -> any EngineOutput =
    MediaOutput.make
  /// Of the random part of delays. From the kernel, so that no two boards have the same one, nor a board twice: what many lost
  /// together they ask for one after the other.
  public var seed = UInt64.random(in: .min ... .max)
  /// How web servers are reached, and who we are for them.
  public var access = ServerAccess()
  /// What visitors get with the first touch, until nobody has touched anything for a while; empty leaves them the loop.
  public var visitorsQueue: [MediaItem] = []
  /// Whether each of the two plays in another order each round.
  var shufflesQueue = false
  var shufflesVisitors = false
  /// Devices, gestures, keys, and what they do.
  public var interaction = InteractionSettings()
  /// Problems met before the start, such as items that don't exist: they belong in the report.
  public var earlierProblems: [VitrineError] = []
  /// CLOCK_MONOTONIC when the process started: what `first_frame_ms` counts from.
  public var processStart: Instant
  /// How copies of remote items are kept; nil keeps none.
  public var store: StoreOptions?
  /// Whether programs may steer the player.
  public var control = ControlOptions()
  /// Who is told how the player fares.
  public var telemetry = TelemetryOptions()
  /// Where `queue` and the settings come from, and how they change; nil when they don't.
  public var configuration: ConfigurationSetup?
  /// What counts more than the configuration, such as options of the command line; the last counts most.
  public var overrides: [any KioskOptionsOverride] = []
  /// Bytes of memory of this machine; nil where the kernel doesn't say.
  public var memory: Int?

  /// Who has started this process and starts the next one; nil where nobody says so.
  public var manager: ServiceManager?
  /// What the process before has left with it.
  public var kept: [ServiceManager.Kept] = []

  public init(queue: [MediaItem], processStart: Instant) {
    self.queue = queue
    self.processStart = processStart
  }

  /// Plays these from now on, by that configuration and what overrides it.
  mutating func play(_ lists: PlayedLists, by configuration: Configuration) {
    take(lists)
    configuration.apply(to: &self, memory: memory)
    store = StoreOptions(configuration, directory: self.configuration?.directories.copies)
    // After the lists: the command line has a say in what their items show.
    for override in overrides { override.apply(to: &self) }
  }

  /// What plays, and in which order.
  public mutating func take(_ lists: PlayedLists) {
    queue = lists.loop
    visitorsQueue = lists.visitors
    listName = lists.name
    (shufflesQueue, shufflesVisitors) = (lists.shufflesLoop, lists.shufflesVisitors)
  }

  /// The seed of the order in which a list plays; nil plays it as it is written.
  func shuffle(forVisitors isForVisitors: Bool) -> UInt64? {
    (isForVisitors ? shufflesVisitors : shufflesQueue) ? seed : nil
  }

  /// Decides what plays, as these options want it from the start.
  ///
  /// - Parameter screen: name of the screen that it is for.
  func makeMachine(for screen: String = "") -> PlaybackMachine {
    var (beginning, startAt): (Int?, Duration) = (nil, startAt)
    // Whoever says where to begin means it.
    if resume != .off, startAt == .zero, let point = resumePoints[screen] {
      beginning = point.index(in: queue, of: listName)
      if beginning != nil { startAt = min(max(.zero, point.position), ResumePoint.furthest) }
    }
    return PlaybackMachine(
      queue: queue, loops: loops, shuffle: shuffle(forVisitors: false), beginning: beginning, startAt: startAt,
      policy: policy, seed: seed)
  }

  /// Whether the same screen serves, in the same mode. Another sound device can be had without another screen; whether
  /// items have their sound decoded, and how early, is settled with the output.
  func hasSameOutput(as other: KioskOptions) -> Bool {
    output == other.output && card == other.card && connector == other.connector && mode == other.mode
      && builtInPanelsFirst == other.builtInPanelsFirst && rotation == other.rotation && hdr == other.hdr
      && cec == other.cec
      && background == other.background && sound.isEnabled == other.sound.isEnabled
      && sound.offset == other.sound.offset
  }

  /// Sets when the bar shows by the word that files and options use; an unknown one changes nothing.
  public mutating func setOverlay(named name: String) {
    if let mode = OverlayMode(rawValue: name) { overlay = mode }
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

  /// Of a run that ends because there is no screen.
  static func code(ofScreen error: VitrineError) -> Int32 { error.number == 5003 ? noPermission : noOutput }
}

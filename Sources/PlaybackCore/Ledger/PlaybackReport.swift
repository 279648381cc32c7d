/// The document that `--report` writes; docs/report.md explains each key. Later versions add keys and never change the
/// meaning of one.
public struct PlaybackReport: Codable, Hashable, Sendable {
  public struct Item: Codable, Hashable, Sendable {
    /// The item's address, redacted.
    public var uri: String
    /// `played`, `failed` or `not_played`.
    public var status: String
    public var playedSeconds: Double
    /// Frames that the sink has rendered, in all plays together.
    public var framesRendered: Int
    /// How often the item was started.
    public var plays: Int
    /// How often the item's source broke off and was opened again.
    public var reconnects: Int
    /// The newest errors; `errorsTotal` counts all.
    public var errors: [Problem]
    public var errorsTotal = 0
    /// Null until known.
    @OrNull public var width: Int?
    @OrNull public var height: Int?
    @OrNull public var pixelAspect: String?
    @OrNull public var durationSeconds: Double?
    /// Name of the element that decoded its picture last; null while unknown, or without a picture.
    @OrNull public var decoder: String?
    /// `untouched`, `converted` or `copied`: the work on each frame between decoder and output; null without frames.
    @OrNull public var framePath: String?
    /// Copied frames of a hardware decoder, in all plays together; null without such a decoder.
    @OrNull public var framesCopied: Int?

    enum CodingKeys: String, CodingKey {
      case uri, status, plays, reconnects, errors, width, height, decoder
      case playedSeconds = "played_seconds"
      case framesRendered = "frames_rendered"
      case pixelAspect = "pixel_aspect"
      case framePath = "frame_path"
      case framesCopied = "frames_copied"
      case errorsTotal = "errors_total"
      case durationSeconds = "duration_seconds"
    }
  }

  public struct Problem: Codable, Hashable, Sendable {
    public var number: Int
    public var text: String
    public init(_ error: VitrineError) {
      number = error.number
      text = error.line
    }
  }

  public struct Stall: Codable, Hashable, Sendable {
    /// Seconds from process start to the moment when the next frame was due.
    public var atSeconds: Double
    /// Delay of the next frame after its due time, or of the end of the report.
    public var seconds: Double
    public var reason: String
    enum CodingKeys: String, CodingKey {
      case atSeconds = "at_seconds"
      case seconds, reason
    }
  }

  public struct Seek: Codable, Hashable, Sendable {
    public var requestedSeconds: Double
    /// Null when the seek was superseded before a frame of it was shown.
    @OrNull public var shownSeconds: Double?
    @OrNull public var latencyMilliseconds: Double?
    /// `keyframe` or `exact`.
    public var kind: String
    enum CodingKeys: String, CodingKey {
      case requestedSeconds = "requested_seconds"
      case shownSeconds = "shown_seconds"
      case latencyMilliseconds = "latency_ms"
      case kind
    }
  }

  public struct Transition: Codable, Hashable, Sendable {
    public var from: Int
    public var to: Int
    public var fromKind: String
    public var toKind: String
    /// When the first frame of the second item was shown, from process start.
    public var atSeconds: Double
    /// Frames dropped of the first item, since it was started.
    public var framesDropped: Int
    enum CodingKeys: String, CodingKey {
      case from, to
      case fromKind = "from_kind"
      case toKind = "to_kind"
      case atSeconds = "at_seconds"
      case framesDropped = "frames_dropped"
    }
  }

  /// A summary of the gaps.
  public struct GapSummary: Codable, Hashable, Sendable {
    /// Transitions whose gap was longer than a frame of the slower item; all of them are counted.
    public var longerThanFrame = 0
    /// Over the newest `PlaybackStatistics.listLimit` gaps; null without any.
    @OrNull public var medianMilliseconds: Double?
    @OrNull public var percentile99Milliseconds: Double?
    /// Over all gaps.
    @OrNull public var longestMilliseconds: Double?
    enum CodingKeys: String, CodingKey {
      case longerThanFrame = "longer_than_frame"
      case medianMilliseconds = "p50_ms"
      case percentile99Milliseconds = "p99_ms"
      case longestMilliseconds = "max_ms"
    }

    public init() {}
  }

  public var schema = 1
  public var version: String
  /// Name of the screen; missing where there is only one, without a name.
  public var name: String?
  /// The report of each screen, where there are several; missing otherwise. The keys outside are those of the first
  /// screen.
  public var screens: [PlaybackReport]?
  /// `kms`, `wayland`, `headless`; null when no output was ever ready.
  @OrNull public var output: String?
  /// The screen in words: card, connector, mode.
  @OrNull public var screen: String?
  @OrNull public var firstFrameMilliseconds: Double?
  public var counters: PlaybackCounters
  public var framesRendered: Int
  public var framesDropped: Int
  public var items: [Item]
  /// The newest `PlaybackStatistics.listLimit` of each list below; the counters count all.
  public var stalls: [Stall]
  public var stallsTotal: Int
  public var gapsMilliseconds: [Double]
  public var gapSummary: GapSummary
  public var transitions: [Transition]
  public var transitionsTotal: Int
  public var seeks: [Seek]
  public var seeksTotal: Int
  public var decksAbandoned: Int
  public var unexpectedEvents: Int
  public var outputFaults: Int
  public var clockLosses: Int
  /// Errors that belong to no item: the output, the configuration. The first `ProblemLog.limit` and as many of the
  /// newest; the total counts all.
  public var errors: [Problem]
  public var errorsTotal: Int
  /// Seconds from process start to the report.
  public var seconds: Double
  public var exitCode: Int32

  init(
    version: String, output: String?, screen: String?, firstFrameMilliseconds: Double?, counters: PlaybackCounters,
    items: [Item], stalls: [Stall], gapsMilliseconds: [Double], gapSummary: GapSummary, transitions: [Transition],
    seeks: [Seek], errors: [Problem], errorsTotal: Int, seconds: Double, exitCode: Int32
  ) {
    self.version = version
    self.output = output
    self.screen = screen
    self.firstFrameMilliseconds = firstFrameMilliseconds
    self.counters = counters
    self.items = items
    self.stalls = stalls
    self.gapsMilliseconds = gapsMilliseconds
    self.gapSummary = gapSummary
    self.transitions = transitions
    self.seeks = seeks
    self.errors = errors
    self.errorsTotal = errorsTotal
    self.seconds = seconds
    self.exitCode = exitCode
    // The keys of older reports, which had no `counters`.
    framesRendered = counters[.framesRendered]
    framesDropped = counters[.framesDropped]
    stallsTotal = counters[.stalls]
    transitionsTotal = counters[.transitions]
    seeksTotal = counters[.seeks]
    decksAbandoned = counters[.decksAbandoned]
    unexpectedEvents = counters[.unexpectedEvents]
    outputFaults = counters[.outputFaults]
    clockLosses = counters[.clockLosses]
  }

  enum CodingKeys: String, CodingKey {
    case schema, version, name, screens, counters, output, screen, items, stalls, transitions, seeks, errors, seconds
    case firstFrameMilliseconds = "first_frame_ms"
    case framesRendered = "frames_rendered"
    case framesDropped = "frames_dropped"
    case gapsMilliseconds = "gaps_ms"
    case gapSummary = "gap_summary"
    case stallsTotal = "stalls_total"
    case seeksTotal = "seeks_total"
    case transitionsTotal = "transitions_total"
    case decksAbandoned = "decks_abandoned"
    case unexpectedEvents = "unexpected_events"
    case outputFaults = "output_faults"
    case clockLosses = "clock_losses"
    case errorsTotal = "errors_total"
    case exitCode = "exit_code"
  }
}

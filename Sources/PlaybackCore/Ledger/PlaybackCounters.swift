/// Counts of one player since its start. None of them ever becomes less.
public struct PlaybackCounters: Hashable, Sendable, Encodable {
  public var framesRendered = 0
  public var framesDropped = 0
  /// Pauses of longer than `PlaybackLedger.stallThreshold` that nobody asked for.
  public var stalls = 0
  /// From one item to the next that followed by itself.
  public var transitions = 0
  /// Those of them whose gap was longer than a frame of the slower item.
  public var longGaps = 0
  public var seeks = 0
  /// Decks that didn't answer and were given up.
  public var decksAbandoned = 0
  /// Facts that can't be: faults of ours.
  public var unexpectedEvents = 0
  /// How often frames came to the output and none was shown, so that something was done.
  public var outputFaults = 0
  /// How often a pipeline told that its clock was lost.
  public var clockLosses = 0
  /// Plays of items.
  public var itemsStarted = 0
  /// How often an item couldn't be played.
  public var itemsFailed = 0
  /// How often an item's source broke off and was opened again.
  public var reconnects = 0

  public init(
    framesRendered: Int = 0, framesDropped: Int = 0, stalls: Int = 0, transitions: Int = 0, longGaps: Int = 0,
    seeks: Int = 0, decksAbandoned: Int = 0, unexpectedEvents: Int = 0,
    outputFaults: Int = 0, clockLosses: Int = 0
  ) {
    self.framesRendered = framesRendered
    self.framesDropped = framesDropped
    self.stalls = stalls
    self.transitions = transitions
    self.longGaps = longGaps
    self.seeks = seeks
    self.decksAbandoned = decksAbandoned
    self.unexpectedEvents = unexpectedEvents
    self.outputFaults = outputFaults
    self.clockLosses = clockLosses
  }

  enum CodingKeys: String, CodingKey {
    case stalls, transitions, seeks
    case framesRendered = "frames_rendered"
    case framesDropped = "frames_dropped"
    case longGaps = "long_gaps"
    case decksAbandoned = "decks_abandoned"
    case unexpectedEvents = "unexpected_events"
    case outputFaults = "output_faults"
    case clockLosses = "clock_losses"
    case itemsStarted = "items_started"
    case itemsFailed = "items_failed"
    case reconnects
  }
}

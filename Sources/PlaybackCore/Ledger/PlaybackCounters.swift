/// A count of one player since its start, declared once: the status, the report, the metrics and their pages list all
/// of them. `PlaybackStatistics` counts.
public enum PlaybackCounter: String, Hashable, Sendable, CaseIterable, CodingKey {
  case framesRendered = "frames_rendered"
  case framesDropped = "frames_dropped"
  case stalls
  case transitions
  case longGaps = "long_gaps"
  case itemsStarted = "items_started"
  case itemsFailed = "items_failed"
  case rebuffers
  case reconnects
  case seeks
  case clockLosses = "clock_losses"
  case decksAbandoned = "decks_abandoned"
  case outputFaults = "output_faults"
  case unexpectedEvents = "unexpected_events"
  case visits

  /// The thing that one count stands for, as a noun with its conditions, for the page and for `/metrics`.
  public var meaning: String {
    switch self {
    case .framesRendered:
      "a frame that came out of the sink. A picture counts as one frame, and so does a card. The frame at which an "
        + "item is reopened is shown again, and counts again"
    case .framesDropped:
      "a frame that was to be shown and never came out of the sink: it was late, or a decoder left it out. Frames "
        + "that a seek or a change of item skips don't count"
    case .stalls:
      "a frame that came more than \(PlaybackStatistics.stallThreshold) after it was due, while playback was wanted. It counts once, however late it is, and also when a pause begins meanwhile. Pauses, seeks, a finger on the bar and a sleeping screen don't count"
    case .transitions:
      "an item that followed another one by itself, first frame after last frame. A change that a visitor or a "
        + "program asked for doesn't count"
    case .longGaps:
      "a transition with a gap of more than a frame of the slower item. From 250 ms on it is a stall as well"
    case .itemsStarted: "an item that began to play. An item that is reopened after a break doesn't count again"
    case .itemsFailed: "an item that was given up. If it fails again in the next round, it counts again"
    case .rebuffers:
      "a halt in the middle of an item from the network, because its buffer was empty. Buffering at the item's start "
        + "and after a seek doesn't count"
    case .reconnects:
      "an item that was reopened at its position because its source broke off. Each try counts. A server that "
        + "closes, resets, refuses or says nothing for a while is asked again for the next byte ([decision "
        + "0050](decisions/0050-http-source.md)): that doesn't count, and is a stall only if the buffer wasn't enough"
    case .seeks: "a seek that ended, with a frame or because a newer seek replaced it"
    case .clockLosses: "a pipeline that reported the loss of its clock, and was restarted"
    case .decksAbandoned: "a pipeline that was given up because it didn't answer"
    case .outputFaults: "a sink that showed none of its frames, and was replaced (errors 5433 to 5436)"
    case .unexpectedEvents:
      "a fault of the player's own: the playback machine got an event that is impossible in its state (error 7306)"
    case .visits: "a visit: somebody touched the screen or pressed a key, and the visitors' list began"
    }
  }
}

/// A count for each `PlaybackCounter`. Counts never decrease.
public struct PlaybackCounters: Hashable, Sendable {
  /// Only counts above 0.
  private var counts: [PlaybackCounter: Int]

  public init(_ counts: [PlaybackCounter: Int] = [:]) { self.counts = counts.filter { $0.value != 0 } }

  public subscript(counter: PlaybackCounter) -> Int {
    get { counts[counter, default: 0] }
    set { counts[counter] = newValue == 0 ? nil : newValue }
  }
}

extension PlaybackCounters: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PlaybackCounter.self)
    self.init()
    // A report of another version may lack some counts.
    for counter in PlaybackCounter.allCases {
      self[counter] = try container.decodeIfPresent(Int.self, forKey: counter) ?? 0
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PlaybackCounter.self)
    for counter in PlaybackCounter.allCases { try container.encode(self[counter], forKey: counter) }
  }
}

// State that the ledger keeps for decks and seeks until the report contains them.

extension PlaybackStatistics {
  /// State of a deck.
  struct Deck: Sendable {
    var item: ItemID?
    var isAutomatic: Bool
    var nextIndex: UInt32 = 0
    var interval: Duration = PlaybackStatistics.assumedInterval
    var lastFrame: RenderedFrame?
    /// Whether its frames are cards, which come only when their content changes.
    var isSoundOnly = false
    var lastSound: RenderedSound?
    /// Running time at which its sound ends, if known.
    var soundEnd: Duration?
    /// From the end of the video stream: the number of all frames, and the duration of the last one.
    var total: UInt32?
    var lastDuration: Duration?
  }

  /// A seek whose frame isn't on the screen yet.
  struct OpenSeek: Sendable {
    var target: Duration
    var mode: SeekMode
    var requestedAt: Instant
    var flight: SeekFlight
    /// Whether the deck has arrived at the target and no newer seek is wanted.
    var isFlushed = false
    /// Whether a newer seek is wanted. The older one's frame may be on its way to the screen all the same.
    var isPassed = false
    /// For the second half of a seek: the first half, and the frame that it brought.
    var firstHalf: SeekFlight?
    var firstFrame: RenderedFrame?

    /// Whether a frame results from this seek, in its own deck or in the deck that took over when that one gave up.
    func hasBrought(_ frame: RenderedFrame) -> Bool {
      switch flight.origin(of: frame) {
      case .thisSeek: true
      case .laterDeck: isFlushed && !isPassed
      case .before, .laterSeek: false
      }
    }

    /// Whether the frame comes after all frames of this seek.
    func isBehind(_ frame: RenderedFrame) -> Bool {
      switch flight.origin(of: frame) {
      case .laterSeek, .laterDeck: true
      case .thisSeek, .before: false
      }
    }
  }
}

// Durations of frames on the screen.

extension PlaybackStatistics {
  /// How long a frame stays on the screen at the current rate.
  func stay(of frame: RenderedFrame, _ deck: Deck) -> Duration {
    let stays = max(deck.interval, frame.stays ?? .zero)
    return rate != 0 ? max(stays, stays / abs(rate)) : stays
  }

  /// Counts the time between two successive frames of a film as played, and the second frame as due when that time was
  /// over.
  mutating func recordStep(from previous: RenderedFrame, to frame: RenderedFrame, of item: ItemID?) {
    let step = frame.streamTime - previous.streamTime
    guard step > .zero, let item else { return }
    let passed = frame.at - previous.at
    if step < Self.shortStep {
      items.add(seconds: step.inSeconds, to: item)
    } else if frame.epoch == previous.epoch {
      // A jump of timestamps isn't playing time.
      items.add(seconds: min(step, passed * abs(rate)).inSeconds, to: item)
    }
    // Without a dropped frame between the two, the film has none there, and the second frame wasn't due earlier.
    guard frame.epoch == previous.epoch, frame.index == previous.index + 1, !hasSkipped, rate != 0, let due = nextDue
    else { return }
    nextDue = max(due, previous.at + step / abs(rate))
  }

  /// A shorter step between two frames counts as playing time even across a seek.
  private static let shortStep: Duration = .seconds(2)

  /// Whether a film of one frame is on the screen: it can't stall, and a late next item counts as a gap. A picture is
  /// different: it has a duration, and the next item is due at its end.
  var isStill: Bool {
    guard let deck = last.flatMap({ decks[$0.deck] }) else { return false }
    return deck.total == 1 && kind(of: deck.item) != MediaKind.picture.rawValue
  }
}

// What the ledger keeps until the report has it.

extension PlaybackLedger {
  /// Of a deck.
  struct Deck: Sendable {
    var item: ItemID?
    var isAutomatic: Bool
    var nextIndex: UInt32 = 0
    var interval: Duration = PlaybackLedger.assumedInterval
    var lastFrame: RenderedFrame?
    /// Its frames are cards, which come when they have something new to say.
    var isSoundOnly = false
    var lastSound: RenderedSound?
    /// Running time at which its sound ends.
    var soundEnd: Duration?
    /// From the end of the video stream: frames in all, and the length of the last one.
    var total: UInt32?
    var lastDuration: Duration?
  }

  /// Of a seek whose frame isn't on the screen yet.
  struct OpenSeek: Sendable {
    var target: Duration
    var mode: SeekMode
    var requestedAt: Instant
    var flight: SeekFlight
    /// The deck is there, and nothing else is wanted.
    var isFlushed = false
    /// Something newer is wanted. Its own frame may be on its way to the screen all the same.
    var isPassed = false
    /// Where it is the second half of a seek: the first half, and the frame that this has brought.
    var firstHalf: SeekFlight?
    var firstFrame: RenderedFrame?

    /// Whether a frame is what this seek has led to, in its own deck or in the one that took over when that gave up.
    func hasBrought(_ frame: RenderedFrame) -> Bool {
      switch flight.origin(of: frame) {
      case .thisSeek: true
      case .laterDeck: isFlushed && !isPassed
      case .before, .laterSeek: false
      }
    }

    /// Whether frames of it can't come any more once this one is on the screen.
    func isBehind(_ frame: RenderedFrame) -> Bool {
      switch flight.origin(of: frame) {
      case .laterSeek, .laterDeck: true
      case .thisSeek, .before: false
      }
    }
  }
}

// How long frames are to be seen.

extension PlaybackLedger {
  /// How long a frame is to be seen at the speed that holds.
  func stay(of frame: RenderedFrame, _ deck: Deck) -> Duration {
    let stays = max(deck.interval, frame.stays ?? .zero)
    return rate != 0 ? max(stays, stays / abs(rate)) : stays
  }

  /// One frame of a film follows another: the time between them has been played, and the second wasn't due before it was over.
  mutating func noteStep(from previous: RenderedFrame, to frame: RenderedFrame, of item: ItemID?) {
    let step = frame.streamTime - previous.streamTime
    guard step > .zero, let item else { return }
    let passed = frame.at - previous.at
    if step < Self.shortStep {
      items.add(seconds: step.inSeconds, to: item)
    } else if frame.epoch == previous.epoch {
      // A stamp that has jumped is no playing time.
      items.add(seconds: min(step, passed * abs(rate)).inSeconds, to: item)
    }
    // Frames that were dropped between them are missing; else the film has none there.
    guard frame.epoch == previous.epoch, frame.index == previous.index + 1, !hasSkipped, rate != 0, let due = nextDue
    else { return }
    nextDue = max(due, previous.at + step / abs(rate))
  }

  /// A step of less is no jump, whatever was sought.
  private static let shortStep: Duration = .seconds(2)

  /// A film of one frame is on the screen: nothing of it moves that could stall, and what follows it late is a gap.
  var isStill: Bool { last.flatMap { decks[$0.deck]?.total } == 1 }
}

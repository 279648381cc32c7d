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

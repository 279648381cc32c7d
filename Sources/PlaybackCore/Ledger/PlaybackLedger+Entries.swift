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
    /// Whose frame was shown then.
    var deck: DeckID?
    /// The deck is there, and nothing else is wanted.
    var isFlushed = false
    /// Something newer is wanted. Its own frame may be on its way to the screen all the same.
    var isPassed = false
    /// Where it is the second half of a seek: the first half, and the frame that this has brought.
    var firstHalf: UInt32?
    var firstFrame: RenderedFrame?

    /// Whether a frame is what this seek has led to, in its own deck or in the one that took over when that gave up.
    func hasBrought(_ frame: RenderedFrame, as number: UInt32) -> Bool {
      guard let deck, frame.deck > deck else { return frame.epoch == FrameEpoch(seek: number) }
      return isFlushed && !isPassed
    }

    /// Whether frames of it can't come any more once this one is on the screen.
    func isBehind(_ frame: RenderedFrame, as number: UInt32) -> Bool {
      guard let deck, frame.deck == deck else { return true }
      // Epochs are numbers of seeks that go round.
      let ahead = frame.epoch.rawValue &- FrameEpoch(seek: number).rawValue
      return ahead > 0 && ahead < 128
    }
  }
}

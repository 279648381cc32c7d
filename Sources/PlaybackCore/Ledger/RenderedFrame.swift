/// A frame that came out of the output's sink.
public struct RenderedFrame: Hashable, Sendable {
  public var deck: DeckID
  /// Counts the frames that the deck gave to the output, from 0.
  public var index: UInt32
  public var streamTime: Duration
  /// Which seek of the deck it comes from.
  public var epoch: FrameEpoch
  /// When the sink was done with it.
  public var at: Instant
  /// False when the sink dropped it.
  public var wasRendered: Bool
  /// How long it says that it stays, at the item's own speed; nil where it doesn't.
  public var stays: Duration?

  public init(
    deck: DeckID, index: UInt32, streamTime: Duration, epoch: FrameEpoch = .start, at: Instant, wasRendered: Bool,
    stays: Duration? = nil
  ) {
    self.deck = deck
    self.index = index
    self.streamTime = streamTime
    self.epoch = epoch
    self.at = at
    self.wasRendered = wasRendered
    self.stays = stays
  }
}

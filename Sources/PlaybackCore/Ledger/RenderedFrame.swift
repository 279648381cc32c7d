/// A frame that came out of the output's sink.
public struct RenderedFrame: Hashable, Sendable {
  public var deck: DeckID
  /// Number of the frame among those that the deck gave to the output, from 0.
  public var index: UInt32
  public var streamTime: Duration
  /// The seek of the deck that the frame results from.
  public var epoch: FrameEpoch
  /// When the sink had finished with the frame.
  public var at: Instant
  /// Whether the sink showed the frame; false when it dropped it.
  public var wasRendered: Bool
  /// The frame's stated duration, at the item's own rate; nil where it states none.
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

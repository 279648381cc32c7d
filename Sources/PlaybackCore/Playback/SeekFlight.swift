/// A seek that a deck works on, or has worked on: which frames are those that it has led to.
public struct SeekFlight: Hashable, Sendable {
  /// The machine's number of the seek.
  public let number: UInt32
  public let deck: DeckID

  public init(_ number: UInt32, in deck: DeckID) {
    self.number = number
    self.deck = deck
  }

  public enum Origin: Hashable, Sendable {
    /// This seek has led to it.
    case thisSeek
    /// From before the seek, of its deck or of one before that.
    case before
    /// It can't be followed by a frame of this seek any more: it comes from a later seek of the deck.
    case laterSeek
    /// Of a deck after it. Where the deck that was to seek gave up, another one took over and has begun at the target.
    case laterDeck
  }

  /// Where a frame comes from. Frames carry the epochs of their seeks, which are the seeks' numbers and go round after 256.
  public func origin(of frame: RenderedFrame) -> Origin {
    guard frame.deck == deck else { return frame.deck > deck ? .laterDeck : .before }
    let ahead = frame.epoch.rawValue &- FrameEpoch(seek: number).rawValue
    if ahead == 0 { return .thisSeek }
    return ahead < 128 ? .laterSeek : .before
  }
}

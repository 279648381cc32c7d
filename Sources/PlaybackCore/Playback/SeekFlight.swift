/// A seek of a deck, in progress or done; it tells which frames result from it.
public struct SeekFlight: Hashable, Sendable {
  /// The machine's number of the seek.
  public let number: UInt32
  public let deck: DeckID

  public init(_ number: UInt32, in deck: DeckID) {
    self.number = number
    self.deck = deck
  }

  public enum Origin: Hashable, Sendable {
    /// The frame results from this seek.
    case thisSeek
    /// The frame is from before the seek, of its deck or of an earlier one.
    case before
    /// The frame is from a later seek of the deck: no frame of this seek can follow it.
    case laterSeek
    /// The frame is of a later deck. Where the seeking deck was given up, another one took over at the target.
    case laterDeck
  }

  /// The origin of a frame. Frames carry the epochs of their seeks, which are the seeks' numbers modulo 256.
  public func origin(of frame: RenderedFrame) -> Origin {
    guard frame.deck == deck else { return frame.deck > deck ? .laterDeck : .before }
    let ahead = frame.epoch.rawValue &- FrameEpoch(seek: number).rawValue
    if ahead == 0 { return .thisSeek }
    return ahead < 128 ? .laterSeek : .before
  }
}

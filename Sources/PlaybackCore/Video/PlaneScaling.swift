/// What is known of a plane that should scale and sometimes refuses: a limit of the hardware, or too much on the screen at
/// once (ENOSPC). A refusal says "scale less", not "never": the item at hand gets frames of the fitted size, the next one
/// tries again.
public struct PlaneScaling: Hashable, Sendable {
  /// Frames of this size were refused in so many decks: the next ones come fitted from their beginning. One refusal may be
  /// chance; a second one in another deck is not.
  public static let refusalsBelieved = 2
  /// Sizes that are remembered; a list has a few.
  static let sizesKept = 16

  private var fitted: Set<DeckID> = []
  private var refusals: [PixelSize: Int] = [:]

  public init() {}

  /// The plane has refused to scale a frame.
  ///
  /// - Returns: whether that is news of this deck.
  public mutating func refused(_ deck: DeckID, size: PixelSize) -> Bool {
    // Decks before it are gone.
    fitted = fitted.filter { $0 >= deck }
    guard fitted.insert(deck).inserted else { return false }
    if refusals.count >= Self.sizesKept, refusals[size] == nil { refusals = [:] }
    refusals[size, default: 0] += 1
    return true
  }

  /// Whether frames have to come in the size in which they are shown.
  public func mustFit(_ deck: DeckID, size: PixelSize) -> Bool {
    fitted.contains(deck) || refusals[size, default: 0] >= Self.refusalsBelieved
  }
}

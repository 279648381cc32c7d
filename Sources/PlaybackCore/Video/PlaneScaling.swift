/// Remembers refusals of a plane that should scale: a limit of the hardware, or too much on the screen at once
/// (ENOSPC). A refusal means "scale less", not "never": the current item gets frames of the fitted size, and the next
/// one tries again.
public struct PlaneScaling: Hashable, Sendable {
  /// Decks in which a frame size was refused before later decks get fitted frames from the start. One refusal may be
  /// chance; a second one in another deck isn't.
  public static let refusalsBelieved = 2
  /// Sizes that are remembered; a list has a few.
  static let sizesKept = 16

  private var fitted: Set<DeckID> = []
  private var refusals: [PixelSize: Int] = [:]

  public init() {}

  /// Notes that the plane has refused to scale a frame.
  ///
  /// - Returns: whether this is the deck's first refusal.
  public mutating func refused(_ deck: DeckID, size: PixelSize) -> Bool {
    // Earlier decks are gone.
    fitted = fitted.filter { $0 >= deck }
    guard fitted.insert(deck).inserted else { return false }
    if refusals.count >= Self.sizesKept, refusals[size] == nil { refusals = [:] }
    refusals[size, default: 0] += 1
    return true
  }

  /// Whether frames have to come in the size in which they are shown, because the plane refuses to scale them.
  public func mustFit(_ deck: DeckID, size: PixelSize) -> Bool {
    fitted.contains(deck) || refusals[size, default: 0] >= Self.refusalsBelieved
  }
}

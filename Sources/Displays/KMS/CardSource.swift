import PlaybackCore

/// Gives a display its card, and the part of the card that it may use.
protocol CardSource {
  /// The card at a path, for reading its state; a card that the player has open already is used again.
  func openCard(_ path: String) throws(VitrineError) -> Card
  /// The card's state without the objects of the player's other screens.
  func part(of card: CardSnapshot) -> CardSnapshot
  /// The open file of a card whose master is this process, and the plan for the display's part of the card.
  func grant(_ candidate: CardChoice.Candidate, of card: Card) throws(VitrineError) -> (Card, CardChoice.Candidate)
  /// The objects that an earlier process left on that file; nil if only this process has used it.
  func leftovers(on card: Card) -> Leftovers?
  /// Whether the card's picture, on whichever file, came from a process that is dead.
  func wasLeft(_ card: Card) -> Bool
}

/// Opens cards for the only display on the machine.
struct FreshCards: CardSource {
  func openCard(_ path: String) throws(VitrineError) -> Card { try Card.openForScreens(path) }
  func part(of card: CardSnapshot) -> CardSnapshot { card }
  func grant(_ candidate: CardChoice.Candidate, of card: Card) -> (Card, CardChoice.Candidate) { (card, candidate) }
  func leftovers(on card: Card) -> Leftovers? { nil }
  func wasLeft(_ card: Card) -> Bool { false }
}

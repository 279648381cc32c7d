import PlaybackCore

/// Where a display's card comes from, and what of it is for this display.
protocol CardSource {
  /// The card at a path, for looking at it; one that is ours already needn't be opened.
  func openCard(_ path: String) throws(VitrineError) -> Card
  /// A card without what is for other screens of ours.
  func part(of card: CardSnapshot) -> CardSnapshot
  /// The open file to use, of a card of which we are master, and the plan for what it shows of the card.
  func grant(_ candidate: CardChoice.Candidate, of card: Card) throws(VitrineError) -> (Card, CardChoice.Candidate)
  /// What a process before us has left on that file; nil where it has been ours alone.
  func leftovers(on card: Card) -> Leftovers?
  /// Whether what was found on this card was a dead process's, on whichever file.
  func wasLeft(_ card: Card) -> Bool
}

/// Cards for a display that is alone on the machine.
struct FreshCards: CardSource {
  func openCard(_ path: String) throws(VitrineError) -> Card { try Card.openForScreens(path) }
  func part(of card: CardSnapshot) -> CardSnapshot { card }
  func grant(_ candidate: CardChoice.Candidate, of card: Card) -> (Card, CardChoice.Candidate) { (card, candidate) }
  func leftovers(on card: Card) -> Leftovers? { nil }
  func wasLeft(_ card: Card) -> Bool { false }
}

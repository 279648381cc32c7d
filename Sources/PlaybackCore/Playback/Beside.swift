/// The deck beside the current one. Small boards have memory for two decks: the previous deck has to go before the next
/// one is built.
enum Beside: Sendable {
  /// No deck; `planned` is the item that follows, nil where nothing does. Valid transitions are to `next` and `past`.
  case room(planned: ItemID?)
  /// The previous deck, whose last frame stays until the current one's frames come. Valid transitions are to `room`.
  case past(PastDeck, planned: ItemID?)
  /// The deck of the item that follows. Valid transitions are to `room`.
  case next(PlaybackDeck)

  struct PastDeck: Hashable, Sendable {
    var id: DeckID
    /// Whether the deck has been told to go.
    var isGoing = false
  }

  /// The item that follows.
  var planned: ItemID? {
    switch self {
    case .room(let planned), .past(_, let planned): planned
    case .next(let deck): deck.item
    }
  }

  var past: PastDeck? {
    if case .past(let past, _) = self { return past }
    return nil
  }
}

/// Decks that playback has left and that still matter.
struct Behind: Sendable {
  /// The previous item's deck, while its frame is on the screen and the current item follows automatically.
  var predecessor: PlaybackDeck?
  /// Decks that were told to go and aren't gone yet. Kept only where they occupy the decoder that others need
  /// (`PlaybackPolicy.decodesOneStream`).
  var leaving: Set<DeckID> = []
}

extension PlaybackMachine {
  public internal(set) var next: PlaybackDeck? {
    get {
      if case .next(let deck) = beside { return deck }
      return nil
    }
    set { beside = newValue.map(Beside.next) ?? .room(planned: beside.planned) }
  }

  var retiring: Beside.PastDeck? { beside.past }

  /// The item that the next deck is to play, or plays; nil where nothing follows.
  var nextItem: ItemID? { beside.planned }

  /// Plans another item to follow, or none. The caller has dropped a deck of the earlier plan.
  mutating func plan(_ item: ItemID?) {
    switch beside {
    case .room: beside = .room(planned: item)
    case .past(let past, _): beside = .past(past, planned: item)
    case .next: break
    }
  }
}

// Loss of the output, and its replacement by another one.

/// State of the output.
struct OutputState: Hashable, Sendable {
  /// Whether decks have a sink for their frames.
  var isReady = false
  var change = OutputChange.none

  /// Records whether another output is wanted. False where that was known.
  mutating func want(_ isWanted: Bool) -> Bool {
    guard isWanted != (change != .none) else { return false }
    change = isWanted ? .wanted : .none
    return true
  }
}

/// State of a wanted change of the output.
enum OutputChange: Hashable, Sendable {
  case none
  /// Another output is wanted once the playing item is over.
  case wanted
  /// The change can be made now, and that has been reported.
  case possible
}

extension PlaybackMachine {
  /// The screen is gone: every deck is dropped, and the position is kept.
  mutating func loseOutput() {
    output.isReady = false
    if output.change == .possible { output.change = .wanted }
    // A deck that hasn't begun keeps its requested start: its first frame may lie behind that.
    if let deck = current {
      let position = deck.hasBegun ? deck.position : deck.motion.origin
      sequence.resumeAt = (deck.item, deck.readiness.isLive || deck.isEndless ? .zero : position)
      // The item has shown that it can be played.
      if deck.hasBegun { turns.askedFor = deck.item }
    }
    for deck in [current, next].compactMap({ $0 }) {
      cancelTimers(of: deck)
      discard(deck)
    }
    retire()
    endSeek()
    current = nil
    beside = .room(planned: nil)
  }

  /// Skips an item none of whose frames is shown. The output may be at fault, so the item isn't marked as failed and
  /// may come again.
  mutating func passOver(_ id: DeckID) {
    guard let deck = current, deck.id == id, !deck.isPreparing, hasAlternative(to: deck.item) else { return }
    if let prepared = next, prepared.item != deck.item { return jump(to: prepared.item) }
    if let item = sequence.pass(deck.item) { jump(to: item) }
  }

  /// Whether a deck that is about to begin gives way to another output, on which its item will begin.
  ///
  /// By being ready the deck has shown that its item can be opened: until then the previous picture stays, on the old
  /// output.
  mutating func givesWayToOutput(_ deck: PlaybackDeck) -> Bool {
    guard output.change != .none, !deck.standing.isAnnounced else { return false }
    if output.change == .wanted {
      output.change = .possible
      emit(.tell(.outputMayChange))
    }
    return true
  }
}

// The output is lost, or another one is wanted in its place.

/// What is known of another output.
enum OutputChange: Hashable, Sendable {
  case none
  /// It is wanted when the item that plays is over.
  case wanted
  /// Nothing stands in its way any more, and that has been told.
  case possible
}

extension PlaybackMachine {
  /// The screen has gone: every deck goes with it, and the position is kept.
  mutating func loseOutput() {
    hasOutput = false
    if outputChange == .possible { outputChange = .wanted }
    // One that hasn't begun is asked for the same as before: its first frame may lie behind its start.
    if let deck = current {
      let position = deck.hasBegun ? deck.position : deck.origin
      resumeAt = (deck.item, deck.readiness.isLive || deck.isEndless ? .zero : position)
    }
    for deck in [current, next].compactMap({ $0 }) {
      cancelTimers(of: deck)
      discard(deck)
    }
    retire()
    endSeek()
    current = nil
    next = nil
    retiring = nil
  }

  mutating func noteOutputChange(_ isWanted: Bool) {
    guard isWanted != (outputChange != .none) else { return }
    outputChange = isWanted ? .wanted : .none
    // A deck that would be armed now may have to wait for the end, or needn't any more.
    armIfDue()
  }

  /// Whether a deck that is about to begin gives way to another output, on which its item will begin.
  ///
  /// That it is ready has shown that the item can be opened: until then the picture before it stays, on the old output.
  mutating func givesWayToOutput(_ deck: PlaybackDeck) -> Bool {
    guard outputChange != .none, !deck.isAnnounced else { return false }
    if outputChange == .wanted {
      outputChange = .possible
      emit(.tell(.outputMayChange))
    }
    return true
  }
}

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
      // It has shown that it can be played.
      if deck.hasBegun { askedFor = deck.item }
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

  /// A break that was waited out in the dark says nothing of the source: what there was of its budget begins anew.
  mutating func beginReconnectAnew() {
    guard let before = reconnect, current == nil else { return }
    reconnect = nil
    guard resumeAt.item == before.item, queue.index(of: before.item) != nil else { return }
    var again = Reconnect(item: before.item, since: now, error: before.error)
    again.isEndless = before.isEndless
    reconnect = again
  }

  /// None of the deck's frames is seen. It may be the output as well: the item gives way without a mark, and may come again.
  mutating func passOver(_ id: DeckID) {
    guard let deck = current, deck.id == id, !deck.isPreparing, hasAlternative(to: deck.item) else { return }
    if let prepared = next, prepared.item != deck.item { return jump(to: prepared.item) }
    queue.notePassed(deck.item)
    var item = queue.nextOnRequest(after: deck.item)
    // Twice, as when items fail: a shuffled round may have to end first.
    for _ in 0...(2 * queue.count) {
      guard let found = item, found == deck.item || !failures.shouldTry(found) else { break }
      queue.notePassed(found)
      item = queue.nextOnRequest(after: found)
    }
    if let item, item != deck.item { jump(to: item) }
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

// Decks by their names: made, found, changed, let go.

extension PlaybackMachine {
  mutating func emit(_ action: PlaybackAction) { actions.append(action) }

  mutating func cancelTimers(of deck: PlaybackDeck) {
    let timers: [PlaybackTimer] = [.arm(deck.id), .end(deck.id), .preroll(deck.id)]
    for timer in timers + recoveryTimers(of: deck) { emit(.cancelTimer(timer)) }
  }

  /// Has decks numbered so that no other screen of the run has one of the same number: what a thread or a crash names by its number alone
  /// is one deck. Before the first of them.
  public mutating func numberDecks(asScreen place: Int) {
    // 16 million each: one a second for half a year, and what comes after it meets the first ones of another screen, which are gone.
    generation = UInt32(truncatingIfNeeded: max(0, place) % 128) << 24
  }

  mutating func newID() -> DeckID {
    generation &+= 1
    return DeckID(generation: generation)
  }

  /// Starts a deck; its owner puts it in its place.
  mutating func newDeck(_ entry: PlayQueue.Entry, from position: Duration, attempt: Int = 1) -> PlaybackDeck {
    var deck = PlaybackDeck(
      id: newID(), entry: fromStore(entry), from: max(position, entry.item.start), rate: rate, attempt: attempt)
    emitBuild(&deck)
    emit(.tell(.itemPreparing(item: entry.id, deck.id)))
    return deck
  }

  /// Has the deck built, or notes that it has to wait.
  mutating func emitBuild(_ deck: inout PlaybackDeck) {
    guard !waitsForProof(&deck) else { return }
    guard !waitsForDecoder(deck) else { return deck.wait(for: .decoder) }
    deck.wait(for: nil)
    deck.bufferScale = policy.buffer(for: deck.media)
    let deadline = deck.media.isRemote ? policy.remotePrerollDeadline : policy.localPrerollDeadline
    emit(.buildDeck(deck.id, deck.media, item: deck.item, from: deck.position, rate: deck.rate))
    emit(.startTimer(.preroll(deck.id), at: now + deadline))
  }

  /// The deck of that id, if it is the current or the next one.
  public func deck(_ id: DeckID) -> PlaybackDeck? { [current, next].compactMap(\.self).first { $0.id == id } }

  /// Changes the deck of that id, if it is still one of ours: what a deck of the past says is stale.
  mutating func update(_ id: DeckID, _ change: (inout PlaybackDeck) -> Void) {
    if current?.id == id, var deck = current {
      change(&deck)
      current = deck
    } else if next?.id == id, var deck = next {
      change(&deck)
      next = deck
    }
  }

  mutating func dropNext() {
    guard let deck = next else { return }
    emit(.cancelTimer(.preroll(deck.id)))
    discard(deck)
    next = nil
  }

  mutating func finish() {
    for deck in [current, next].compactMap({ $0 }) {
      cancelTimers(of: deck)
      discard(deck)
    }
    retire()
    current = nil
    next = nil
    retiring = nil
    isFinished = true
    emit(.tell(.finished))
  }
}

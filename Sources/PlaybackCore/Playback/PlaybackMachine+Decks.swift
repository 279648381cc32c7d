// Decks: made, found by their numbers, changed, let go.

extension PlaybackMachine {
  mutating func cancelTimers(of deck: PlaybackDeck) {
    let timers: [PlaybackTimer] = [.arm(deck.id), .end(deck.id), .preroll(deck.id)]
    for timer in timers + deck.recoveryTimers { emit(.cancelTimer(timer)) }
  }

  /// Gives the decks of each screen numbers of their own, so that a number in a thread's name or a crash report
  /// identifies one deck of the run. Call it before the first deck is made.
  public mutating func numberDecks(asScreen place: Int) {
    // 16 million numbers each, enough for one a second for half a year. After that they meet the first numbers of
    // another screen, whose decks are gone.
    generation = UInt32(truncatingIfNeeded: max(0, place) % 128) << 24
  }

  mutating func newID() -> DeckID {
    generation &+= 1
    return DeckID(generation: generation)
  }

  /// Starts a deck; the caller puts it in its place.
  mutating func newDeck(_ entry: PlayQueue.Entry, from position: Duration, attempt: Int = 1) -> PlaybackDeck {
    var deck = PlaybackDeck(
      id: newID(), entry: known.fromStore(entry), from: max(position, entry.item.start), rate: rate, attempt: attempt)
    emitBuild(&deck)
    emit(.tell(.itemPreparing(item: entry.id, deck.id)))
    return deck
  }

  /// Emits the command to build the deck, or marks the deck as waiting.
  mutating func emitBuild(_ deck: inout PlaybackDeck) {
    guard !waitsForProof(&deck) else { return }
    guard !waitsForDecoder(deck) else { return deck.wait(for: .decoder) }
    deck.wait(for: nil)
    deck.gauge.scale = policy.buffer(for: deck.media)
    let deadline = deck.media.isRemote ? policy.remotePrerollDeadline : policy.localPrerollDeadline
    emit(.buildDeck(deck.id, deck.media, item: deck.item, from: deck.position, rate: deck.rate))
    emit(.startTimer(.preroll(deck.id), at: now + deadline))
  }

  /// The deck of that number, if it is the current or the next one.
  public func deck(_ id: DeckID) -> PlaybackDeck? { [current, next].compactMap(\.self).first { $0.id == id } }

  /// Changes the deck of that number, if it is the current or the next one: reports of other decks are stale.
  mutating func update(_ id: DeckID, _ change: (inout PlaybackDeck) -> Void) {
    if current?.id == id {
      current?.change(change)
    } else if case .next(var deck) = beside, deck.id == id {
      change(&deck)
      beside = .next(deck)
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
    beside = .room(planned: nil)
    stage = .finished
    emit(.tell(.finished))
  }
}

extension PlaybackDeck {
  /// Changes the deck in place: a copy costs more than the change.
  fileprivate mutating func change(_ change: (inout PlaybackDeck) -> Void) { change(&self) }
}

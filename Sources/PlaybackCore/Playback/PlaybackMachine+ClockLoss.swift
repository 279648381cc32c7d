// A deck's pipeline tells that its clock is lost, which it isn't meant to have: docs/decisions/0140-lost-clocks.md.

extension PlaybackMachine {
  mutating func clockLost(_ id: DeckID) {
    // The next deck is in PAUSED, and chooses its clock when it plays.
    guard current?.id == id else { return }
    current?.hasLostClock = true
    answerClockLoss()
  }

  /// Only a deck that plays is restarted: one that is held is on its way through PAUSED anyhow, and what flushes or fills isn't disturbed.
  mutating func answerClockLoss() {
    guard let deck = current, deck.hasLostClock else { return }
    switch deck.phase {
    case .preparing: return
    // It goes to PLAYING from here, and has a clock then.
    case .ready, .held: current?.hasLostClock = false
    case .playing(let base):
      guard seek.inFlight == nil, !deck.buffering.isDry else { return }
      current?.hasLostClock = false
      switch clockLosses.answer(at: now) {
      case .restart:
        emit(.pauseDeck(deck.id))
        emit(.playDeck(deck.id, base: base))
      case .rebuild:
        guard deck.failure == nil else { return }
        breakOff(deck, PlaybackErrors.clockIsLost(uri: deck.media.uri))
      }
    }
  }
}

// Handles a deck whose pipeline reports a lost clock, which isn't supposed to happen:
// decision 0140.

extension PlaybackMachine {
  mutating func clockLost(_ id: DeckID) {
    // The next deck is in PAUSED and selects a clock when it plays. A deck that is held goes to PLAYING later, and
    // selects one then.
    guard current?.id == id, let base = current?.base else { return }
    current?.phase = .playing(base: base, hasLostClock: true)
    answerClockLoss()
  }

  /// Answers a reported loss. Only a playing deck is restarted: a held one goes through PAUSED anyway, and one that is
  /// flushing or filling is left alone.
  mutating func answerClockLoss() {
    guard case .playing(let base, hasLostClock: true) = current?.phase, let deck = current,
      !deck.buffering.isDry
    else { return }
    current?.phase = .playing(base: base)
    switch recovery.clockLosses.answer(at: now) {
    case .restart:
      emit(.pauseDeck(deck.id))
      emit(.playDeck(deck.id, base: base))
    case .rebuild:
      guard !deck.buffering.isBrokenOff else { return }
      breakOff(deck, PlaybackErrors.clockIsLost(uri: deck.media.uri))
    }
  }
}

// Items without a picture: what is heard of them says where playback is, as frames do for films. What they show is a card,
// which comes once, and again when it says something new.

extension PlaybackMachine {
  /// The card stands where the last frame of the deck before was.
  mutating func cardShown() {
    retire()
    prepareNextIfNeeded()
  }

  mutating func soundHeard(_ id: DeckID, _ running: Duration, _ streamTime: Duration, _ epoch: FrameEpoch) {
    if let old = predecessor, old.id == id, old.isSoundOnly { notePredecessor(at: streamTime, epoch) }
    // What sounds on from before a seek doesn't say where playback is.
    guard let deck = current, deck.id == id, deck.isSoundOnly, epoch == deck.epoch, running != deck.heardUntil else {
      return
    }
    current?.hasSounded = true
    current?.heardUntil = running
    current?.lastFrameAt = now
    current?.notePlace(streamTime)
    noteProgress(of: deck, at: streamTime)
    if !deck.hasProvedGood, abs((streamTime - deck.origin).inSeconds) >= 1 { provedGood(deck) }
    noteOwnEnd(of: deck, at: streamTime)
    // Without a card nothing else says that the deck before isn't needed any more.
    if deck.readiness.hasCard != true { retire() }
    prepareNextIfNeeded()
  }
}

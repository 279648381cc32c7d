// Items without a picture: their heard sound tells the position, as frames do for films. They show a card, which comes
// once, and again when its text changes.

extension PlaybackMachine {
  /// The card has replaced the previous deck's last frame.
  mutating func cardShown() {
    retire()
    prepareNextIfNeeded()
  }

  mutating func soundHeard(_ id: DeckID, _ running: Duration, _ streamTime: Duration, _ epoch: FrameEpoch) {
    if let old = behind.predecessor, old.id == id, old.isSoundOnly { updatePredecessor(at: streamTime, epoch) }
    // Sound from before a seek doesn't tell the position.
    guard let deck = current, deck.id == id, deck.isSoundOnly, epoch == deck.epoch, running != deck.shown.heardUntil
    else { return }
    current?.shown.hasSounded = true
    current?.shown.heardUntil = running
    current?.shown.lastAt = now
    current?.updatePosition(streamTime)
    recovery.recordProgress(of: deck, at: streamTime, policy.reconnect)
    if !deck.standing.hasProvedGood, abs((streamTime - deck.motion.origin).inSeconds) >= 1 { provedGood(deck) }
    scheduleOwnEnd(of: deck, at: streamTime)
    // Without a card only the sound shows that the previous deck isn't needed any more.
    if deck.readiness.hasCard != true { retire() }
    prepareNextIfNeeded()
  }
}

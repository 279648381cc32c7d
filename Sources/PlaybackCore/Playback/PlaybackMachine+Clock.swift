// Items that were refused because the clock isn't set are tried as soon as it is: see `ClockDoubt`.

extension PlaybackMachine {
  mutating func clockWasSet() {
    if let deck = current, !deck.isBuilt, recovery.reconnects(deck.item), isForClock(recovery.reconnect?.error) {
      emit(.cancelTimer(.reconnect(deck.id)))
      return reconnectDue(deck.id)
    }
    let waiting = sequence.queue.entries.map(\.id).filter { isForClock(sequence.failures.mark(of: $0)?.error) }
    guard !waiting.isEmpty else { return }
    // All items had failed, and the next round was waited for.
    let isWaitingForRound = current == nil && sequence.allFailed && sequence.queue.repeatMode != .none
    sequence.failures.forget(waiting)
    guard isWaitingForRound else { return prepareNextIfNeeded() }
    emit(.cancelTimer(.nextRound))
    sequence.failures.beginPass()
    beginIfPossible()
  }

  private func isForClock(_ error: VitrineError?) -> Bool { error?.number == ClockDoubt.errorNumber }
}

// What was refused because the clock isn't set is tried at once when it is: see `ClockDoubt`.

extension PlaybackMachine {
  mutating func clockWasSet() {
    if let deck = current, !deck.isBuilt, reconnect?.item == deck.item, isForClock(reconnect?.error) {
      emit(.cancelTimer(.reconnect(deck.id)))
      return reconnectDue(deck.id)
    }
    let waiting = queue.entries.map(\.id).filter { isForClock(failures.mark(of: $0)?.error) }
    guard !waiting.isEmpty else { return }
    // All had failed, and the next round was being waited for.
    let isWaitingForRound = current == nil && failures.allFailed(in: queue) && queue.repeatMode != .none
    failures.forget(waiting)
    guard isWaitingForRound else { return prepareNextIfNeeded() }
    emit(.cancelTimer(.nextRound))
    failures.beginPass()
    beginIfPossible()
  }

  private func isForClock(_ error: VitrineError?) -> Bool { error?.number == ClockDoubt.errorNumber }
}

// Conditions that hold between two events, whatever came. Debug builds check them after each event.

extension PlaybackMachine {
  var invariants: Invariants {
    var all = Invariants()
    checkDecks(&all)
    checkCurrent(&all)
    return all
  }

  private func checkDecks(_ all: inout Invariants) {
    // A deck is large, and a debug build copies it each time that it is read.
    let (current, next) = (current, next)
    let ids = [current?.id, next?.id, retiring?.id].compactMap(\.self)
    // A frame or an answer belongs to one deck.
    all.check("No two decks have the same number", Set(ids).count == ids.count)
    // The next deck follows the current one, so it needs one.
    all.check("There is no next deck without a current one", next == nil || current != nil)
    // Their frames would have no sink.
    all.check("Without an output there is no deck", output.isReady || ids.isEmpty)
    // Stopped playback waits for no deck.
    all.check("When playback is finished there is no deck", stage != .finished || ids.isEmpty)
    // The output would accept none of its frames.
    all.check(
      "The next deck is newer than the current one that can be shown",
      current.map { $0.isPreparing || (next?.id ?? $0.id) >= $0.id } ?? true)
    // The next deck's frames would come between those of the current one.
    all.check("The next deck doesn't play before it is the current one", next.map(\.isStill) ?? true)
    // Data behind a gauge are used up by playing only.
    all.check("The next deck drains nothing", next?.buffering.isDraining != true)
    // Otherwise it couldn't be found again, to be followed or marked as failed.
    let isListed = if let item = current?.item { sequence.lists(item) } else { true }
    all.check("The current item is listed", isListed)
    // Only such boards make decks wait, and only while another deck leaves.
    all.check(
      "A deck waits for the decoder only while another one leaves it",
      !behind.leaving.isEmpty || (current?.wait != .decoder && next?.wait != .decoder))
    all.check(
      "Decks are counted out only where the decoder takes one", behind.leaving.isEmpty || policy.decodesOneStream)
  }

  private func checkCurrent(_ all: inout Invariants) {
    // `reconcile` has just reported a change.
    all.check("What was told of the waiting is still so", said.waiting == waitingReason)
    guard let deck = current else { return }
    let mayPlay = mayPlay(deck)
    // The pipeline never plays by itself.
    all.check("A deck plays only where it may", deck.base == nil || mayPlay)
    // Otherwise it would stand still for ever: nothing else looks at it.
    all.check(
      "A deck that may play does, unless it gives way to another output",
      deck.base != nil || deck.isPreparing || !mayPlay || (output.change != .none && !deck.standing.isAnnounced))
    // Otherwise the overlay and the ledger would never learn of it.
    all.check("An item that plays was told", deck.base == nil || deck.standing.isAnnounced)
    // A time in the future would delay the check.
    if case .underrun(let since) = deck.buffering { all.check("What drains has begun to", since <= now) }
    // The answer states the deck's rate, and a seek has set it already.
    all.check("No other speed is waited for during a seek", deck.motion.comingRate == nil || !deck.isSeeking)
    // The answer to an older one would be taken for its own.
    all.check("A seek in flight is the newest", !deck.isSeeking || deck.lastSeek == seek.lastNumber)
  }
}

extension PlaybackDeck {
  /// Whether the deck has only been prepared so far.
  fileprivate var isStill: Bool { isPreparing || phase == .ready }
}

// What holds between two events, whatever came. Debug builds check it after each.

extension PlaybackMachine {
  var invariants: Invariants {
    var all = Invariants()
    checkDecks(&all)
    checkCurrent(&all)
    checkSeek(&all)
    return all
  }

  private func checkDecks(_ all: inout Invariants) {
    let ids = [current?.id, next?.id, retiring?.id].compactMap(\.self)
    // A frame or an answer belongs to one deck.
    all.check("No two decks have the same number", Set(ids).count == ids.count)
    // Small boards have memory for two.
    all.check("The next deck isn't built before the one of the past is gone", next == nil || retiring == nil)
    // Nothing follows nothing.
    all.check("There is no next deck without a current one", next == nil || current != nil)
    // There would be no sink for its frames.
    all.check("Without an output there is no deck", hasOutput || ids.isEmpty)
    // Whoever has stopped waits for no deck.
    all.check("When playback is finished there is no deck", !isFinished || ids.isEmpty)
    // Another one would cut into the item that plays, or wait for a seam that never comes.
    all.check("The next deck is that of the planned item", next.map { $0.item == nextItem } ?? true)
    // The output would take none of its frames.
    all.check(
      "The next deck is newer than the current one that can be shown",
      current.map { $0.isPreparing || (next?.id ?? $0.id) >= $0.id } ?? true)
    // Its frames would come between those of the current one.
    all.check("The next deck doesn't play before it is the current one", next.map(\.isStill) ?? true)
    // What is behind a gauge is used up by playing.
    all.check("The next deck drains nothing", next?.buffering.isDraining != true)
    // It couldn't be found again, to follow or to be marked as failed.
    all.check("The current item is listed", current.map { queue.index(of: $0.item) != nil } ?? true)
    // Only such boards are asked to wait, and only for somebody.
    all.check(
      "A deck waits for the decoder only while another one leaves it",
      !leaving.isEmpty || (current?.wait != .decoder && next?.wait != .decoder))
    all.check("Decks are counted out only where the decoder takes one", leaving.isEmpty || policy.decodesOneStream)
  }

  private func checkCurrent(_ all: inout Invariants) {
    // `reconcile` has just seen to it.
    all.check("What was told of the waiting is still so", toldReason == waitingReason)
    guard let deck = current else { return }
    // The pipeline never plays by itself.
    all.check("A deck plays only where it may", deck.base == nil || mayPlay(deck))
    // Else it would stand for ever: nothing else looks at it.
    all.check(
      "A deck that may play does, unless it gives way to another output",
      deck.base != nil || deck.isPreparing || !mayPlay(deck) || (outputChange != .none && !deck.isAnnounced))
    // Whoever shows items would never learn of it.
    all.check("An item that plays was told", deck.base == nil || deck.isAnnounced)
    // Its levels aren't taken any more: it would wait for ever.
    all.check("A deck whose source has failed waits for no data", deck.failure == nil || !deck.buffering.isDry)
    // An instant to come would put off the look at it.
    if case .draining(let since) = deck.buffering { all.check("What drains has begun to", since <= now) }
    // The answer says how fast it runs, and a seek has said so already.
    all.check("No other speed is waited for during a seek", deck.comingRate == nil || seek.inFlight == nil)
  }

  private func checkSeek(_ all: inout Invariants) {
    // Whoever stops takes no notice of a seek any more.
    guard let flying = seek.inFlight, !isFinished else { return }
    all.check("A seek in flight is the newest", flying.number == seek.lastNumber)
    // Nobody would answer it.
    all.check("A seek in flight has a deck that can seek", current.map { !$0.isPreparing } ?? false)
    // A pipeline is flushed while it is held, or its clock runs on.
    all.check("A deck is held while it is sought in", current?.base == nil)
    // Frames from before it would be taken for its own.
    all.check("Frames of a seek carry its number", current?.epoch == FrameEpoch(seek: flying.number))
  }
}

extension PlaybackDeck {
  /// It has done nothing yet but get ready.
  fileprivate var isStill: Bool { isPreparing || phase == .ready }
}

// Recovery of the current item when its source breaks off: buffered data play on, then fresh decks are opened at the
// last position, again and again, while the last frame stays up. Every number is in `ReconnectPolicy`.

extension PlaybackMachine {
  /// Recovers from an error of the current deck. False where the item has failed for good.
  ///
  /// An item that has shown nothing can't break off: it is skipped like any other that can't be played.
  mutating func reconnects(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    let isAllThereIs = isAllThereIs(deck, after: error)
    guard deck.hasBegun || recovery.reconnects(deck.item) || isAllThereIs else { return false }
    switch ErrorRecovery(number: error.number) {
    case .giveUp: if !isAllThereIs, !recovery.isStationAway(deck, error) { return false }
    case .rebuildOnce: if recovery.reconnects(deck.item) { return false }
    case .reconnect: break
    }
    guard !deck.buffering.isBrokenOff else { return true }
    // The frames of a worn decoder aren't played out: it would go on until it fails.
    let isWorn = error.number == PlaybackErrors.decoderIsWornNumber
    // Nothing has failed, so the next deck isn't another try, unless this one was worn before it showed anything.
    if isWorn, deck.hasBegun { recovery.reconnect = nil }
    guard !deck.isPreparing, deck.media.isRemote, !isWorn else {
      breakOff(deck, error)
      return true
    }
    current?.buffering = .brokenOff(error)
    emit(.cancelTimer(.silent(deck.id)))
    emit(.startTimer(.starved(deck.id), at: now + policy.reconnect.starved))
    return true
  }

  /// Whether no other item could replace a network item: then it isn't given up, whatever its server says.
  private func isAllThereIs(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    // Asking again brings no copy; the store reports one when it is there.
    !deck.awaitsProof && deck.media.isRemote && sequence.queue.repeatMode != .none && !hasAlternative(to: deck.item)
      && ((2000...2999).contains(error.number) || error.number == 3001)
  }

  /// Treats a network stream that ends well before its item does as a closed connection.
  mutating func detectEarlyEnd() {
    guard let deck = current, !deck.buffering.isBrokenOff, deck.media.isRemote, deck.rate > 0, deck.hasBegun,
      deck.endsEarly(by: policy.reconnect.earlyEnd)
    else { return }
    // No more data come that it could wait for: the rest plays.
    current?.buffering = .brokenOff(PlaybackErrors.brokeOff(uri: deck.media.uri))
  }

  /// Gives the deck up for a fresh one, at once or later.
  mutating func breakOff(_ deck: PlaybackDeck, _ error: VitrineError, isAbandoned: Bool = false) {
    let attempt = recovery.attempt(at: deck, after: error, policy.reconnect, at: now)
    let isLocal = !deck.media.isRemote
    let isOverBudget = !isLocal && now - attempt.since >= policy.reconnect.budget
    if (isOverBudget && hasAlternative(to: deck.item)) || (isLocal && attempt.attempt > 2) {
      if isAbandoned { emit(.abandonDeck(deck.id)) }
      recovery.reconnect = nil
      itemFailed(deck.item, attempt.error)
      return currentFailed(deck)
    }
    recovery.reconnect = attempt
    let position = seekTarget ?? (deck.readiness.isLive || deck.isEndless ? .zero : deck.position)
    replaceBroken(deck, from: position, attempt: attempt, isAbandoned: isAbandoned, error)
  }

  private mutating func replaceBroken(
    _ deck: PlaybackDeck, from position: Duration, attempt: Reconnect, isAbandoned: Bool, _ error: VitrineError
  ) {
    cancelTimers(of: deck)
    // The fresh deck begins at the seek's target.
    endSeek(.reached)
    if isAbandoned { emit(.abandonDeck(deck.id)) } else { discard(deck) }
    let delay = recovery.delay(before: attempt, policy.reconnect)
    let entry = PlayQueue.Entry(id: deck.item, item: deck.media)
    var again: PlaybackDeck
    if delay == .zero {
      again = newDeck(entry, from: position)
    } else {
      again = PlaybackDeck(id: newID(), entry: entry, from: position, rate: rate, attempt: 1)
      again.wait(for: .turn)
      emit(.startTimer(.reconnect(again.id), at: now + delay))
    }
    // A deck that showed nothing may still have to be announced; its successor goes on with its item.
    again.standing = deck.standing
    current = again
    emit(.tell(.reconnecting(item: deck.item, again.id, attempt: attempt.attempt, at: now + delay, error)))
  }

  /// Builds the deck whose pause before the next try is over.
  mutating func reconnectDue(_ id: DeckID) {
    guard var deck = current, deck.id == id, !deck.isBuilt else { return }
    // A copy may have arrived since.
    deck.media = known.fromStore(PlayQueue.Entry(id: deck.item, item: deck.media)).item
    emitBuild(&deck)
    current = deck
  }

  /// Whether another item could be played instead.
  public func hasAlternative(to item: ItemID) -> Bool { sequence.hasAlternative(to: item) }

  /// Skips a gap in a live adaptive stream, where missed parts leave a hole in time. In a recording a frame may stay
  /// for long, so gaps in those are kept.
  mutating func skipGap(_ id: DeckID, until running: Duration) {
    guard let deck = current, deck.id == id, deck.media.kind == .adaptive, deck.playedRange == nil else { return }
    switch deck.phase {
    case .playing(let base, _):
      guard base + running > now + policy.gapLead else { return }
      hold(deck, base: base)
    case .held(let at): guard at < running - policy.gapLead else { return }
    case .preparing, .ready, .seeking: return
    }
    // It plays on, where it may, from right before the frame behind the gap.
    current?.phase = .held(at: running - policy.gapLead)
  }

  // MARK: Watching

  /// Starts the watch for frames or sound.
  mutating func watchProgress(_ deck: PlaybackDeck) {
    guard deck.readiness.hasVideo || deck.readiness.hasSound, !deck.isPicture else { return }
    current?.shown.lastAt = now
    emit(.startTimer(.stuck(deck.id), at: now + deck.stuckLimit(policy.reconnect)))
  }

  mutating func checkStuck(_ deck: PlaybackDeck) {
    // A deck that is held or over owes no frame; `play` starts the watch again.
    guard case .playing(let base, _) = deck.phase, !deck.hasEnded, deck.leadingEnd == nil, let last = deck.shown.lastAt
    else { return }
    // A frame that has come and isn't due yet isn't a stall.
    let due = deck.nextFrameDue(base: base, after: last) + deck.stuckLimit(policy.reconnect)
    guard now >= due else { return emit(.startTimer(.stuck(deck.id), at: due)) }
    breakOff(deck, PlaybackErrors.stuck(uri: deck.media.uri))
  }

  mutating func checkStarved(_ deck: PlaybackDeck) {
    guard let error = deck.failure else { return }
    let due = (deck.shown.lastAt ?? now) + policy.reconnect.starved
    // During a pause no data are used up.
    guard intent.wantsToPlay, now >= due else {
      return emit(.startTimer(.starved(deck.id), at: max(due, now + policy.reconnect.starved)))
    }
    breakOff(deck, error)
  }
}

// What happens when the source of the current item breaks off: what is buffered plays on, then a fresh deck is opened at
// the last position, again and again, with the last frame up. Every number is in `ReconnectPolicy`.

extension PlaybackMachine {
  /// Takes an error of the current deck on. False where the item has failed for good.
  ///
  /// An item that has shown nothing is no break: it is skipped like any other that can't be played.
  mutating func reconnects(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    guard deck.hasShownFrames || reconnect?.item == deck.item else { return false }
    switch ErrorRecovery(number: error.number) {
    case .giveUp: return false
    case .rebuildOnce: if reconnect?.item == deck.item { return false }
    case .reconnect: break
    }
    guard deck.failure == nil else { return true }
    guard deck.phase != .preparing, deck.media.isRemote else {
      breakOff(deck, error)
      return true
    }
    current?.failure = error
    current?.gauge = BufferGauge()
    current?.bufferingPercent = 100
    emit(.cancelTimer(.silent(deck.id)))
    emit(.startTimer(.starved(deck.id), at: now + policy.reconnect.starved))
    return true
  }

  /// A network stream that ends well before its item does is a connection that was closed.
  mutating func noteEarlyEnd() {
    guard let deck = current, deck.failure == nil, deck.media.isRemote, deck.rate > 0, deck.hasShownFrames,
      let videoEnd = deck.videoEnd, let last = deck.playedRange?.upperBound,
      deck.origin + videoEnd * deck.rate < last - policy.reconnect.earlyEnd
    else { return }
    current?.failure = PlaybackErrors.brokeOff(uri: deck.media.uri)
  }

  /// The deck is given up for a fresh one, at once or later.
  mutating func breakOff(_ deck: PlaybackDeck, _ error: VitrineError, isAbandoned: Bool = false) {
    let known = reconnect.flatMap { $0.item == deck.item ? $0 : nil }
    var attempt = known ?? Reconnect(item: deck.item, since: deck.lastFrameAt ?? now, error: error)
    attempt.attempt += 1
    if now - attempt.since > policy.reconnect.eagerFor { attempt.patientTries += 1 }
    let isLocal = !deck.media.isRemote
    let isOverBudget = !isLocal && now - attempt.since >= policy.reconnect.budget
    if (isOverBudget && hasAlternative(to: deck.item)) || (isLocal && attempt.attempt > 2) {
      if isAbandoned { emit(.abandonDeck(deck.id)) }
      reconnect = nil
      itemFailed(deck.item, attempt.error)
      return currentFailed(deck)
    }
    reconnect = attempt
    let position = seekTarget ?? (deck.readiness.isLive ? .zero : deck.position)
    replaceBroken(deck, from: position, attempt: attempt, isAbandoned: isAbandoned, error)
  }

  private mutating func replaceBroken(
    _ deck: PlaybackDeck, from position: Duration, attempt: Reconnect, isAbandoned: Bool, _ error: VitrineError
  ) {
    cancelTimers(of: deck)
    // The fresh deck begins where the seek was to lead.
    endSeek(.reached)
    if isAbandoned { emit(.abandonDeck(deck.id)) } else { emit(.dropDeck(deck.id)) }
    let delay = policy.reconnect.delay(
      attempt: attempt.attempt, patient: attempt.patientTries, random: random.nextFraction())
    let entry = PlayQueue.Entry(id: deck.item, item: deck.media)
    var again: PlaybackDeck
    if delay == .zero {
      again = newDeck(entry, from: position)
    } else {
      again = PlaybackDeck(id: newID(), entry: entry, from: position, rate: rate, attempt: 1)
      again.isUnbuilt = true
      emit(.startTimer(.reconnect(again.id), at: now + delay))
    }
    // A deck that showed nothing may have to be announced still; the item goes on under the same name.
    again.isAnnounced = deck.isAnnounced
    again.isPreviewed = deck.isPreviewed
    again.hasProvedGood = deck.hasProvedGood
    again.startsAutomatically = deck.startsAutomatically
    current = again
    emit(.tell(.reconnecting(item: deck.item, again.id, attempt: attempt.attempt, at: now + delay, error)))
  }

  /// It is this deck's turn to be built.
  mutating func reconnectDue(_ id: DeckID) {
    guard let deck = current, deck.id == id, deck.isUnbuilt else { return }
    // A copy may have come since.
    let entry = fromStore(PlayQueue.Entry(id: deck.item, item: deck.media))
    current?.media = entry.item
    current?.isUnbuilt = false
    emitBuild(current ?? deck)
  }

  /// Whether another item could be played instead.
  private func hasAlternative(to item: ItemID) -> Bool {
    queue.entries.contains { $0.id != item && failures.shouldTry($0.id) }
  }

  /// Long enough without a break: the next one is another one.
  mutating func noteProgress(of deck: PlaybackDeck, at position: Duration) {
    guard reconnect?.item == deck.item, deck.failure == nil else { return }
    if abs((position - deck.origin).inSeconds) >= policy.reconnect.progress.inSeconds { reconnect = nil }
  }

  // MARK: Watching

  func recoveryTimers(of deck: PlaybackDeck) -> [PlaybackTimer] {
    // Only what can have been started: a local item in good health has one.
    guard deck.media.isRemote else { return deck.isUnbuilt ? [.reconnect(deck.id)] : [.stuck(deck.id)] }
    return [.stuck(deck.id), .starved(deck.id), .silent(deck.id), .reconnect(deck.id)]
  }

  private func stuckLimit(_ deck: PlaybackDeck) -> Duration {
    let limit = deck.media.isRemote ? policy.reconnect.stuck : policy.reconnect.stuckLocal
    return max(limit, (deck.readiness.frameInterval ?? .zero) * 3)
  }

  /// From now on frames are to come.
  mutating func watchFrames(_ deck: PlaybackDeck) {
    guard deck.readiness.hasVideo, !deck.isPicture else { return }
    current?.lastFrameAt = now
    emit(.startTimer(.stuck(deck.id), at: now + stuckLimit(deck)))
  }

  mutating func checkStuck(_ deck: PlaybackDeck) {
    // Held back or over, it owes no frame; `play` watches again.
    guard case .playing = deck.phase, !deck.hasEnded, deck.videoEnd == nil, let last = deck.lastFrameAt else { return }
    let due = last + stuckLimit(deck)
    guard now >= due else { return emit(.startTimer(.stuck(deck.id), at: due)) }
    breakOff(deck, PlaybackErrors.stuck(uri: deck.media.uri))
  }

  /// Takes the level of a deck's buffer.
  mutating func bufferingChanged(_ id: DeckID, _ percent: Int) {
    guard let deck = [current, next].compactMap({ $0 }).first(where: { $0.id == id }), deck.failure == nil else {
      return
    }
    let policy = policy.buffering
    let now = now
    dryRuns.removeAll { now - $0 > policy.memory }
    let needed = policy.needed(afterDryRuns: dryRuns.count)
    var hasRunDry = false
    update(id) { deck in
      hasRunDry = deck.gauge.update(percent: percent, needed: needed, policy: policy)
      deck.bufferingPercent =
        deck.gauge.isDry ? min(99, Int(100 * (policy.media(percent: percent) / needed))) : 100
      deck.lastDataAt = now
    }
    // A fresh deck and one that was sought in begin empty; that says nothing of the link.
    if hasRunDry, case .playing = deck.phase { dryRuns.append(now) }
    if let deck = current, deck.id == id { watchData(deck) }
    if id == next?.id { armIfDue() }
  }

  /// A deck that waits for data is to get some.
  mutating func watchData(_ deck: PlaybackDeck) {
    guard deck.media.isRemote, deck.gauge.isDry, deck.failure == nil else {
      if deck.media.isRemote { emit(.cancelTimer(.silent(deck.id))) }
      return
    }
    emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent))
  }

  mutating func checkSilent(_ deck: PlaybackDeck) {
    guard deck.gauge.isDry, deck.failure == nil, let last = deck.lastDataAt else { return }
    let due = last + policy.reconnect.silent
    guard now >= due else { return emit(.startTimer(.silent(deck.id), at: due)) }
    // Nothing is waited for in a pause; the look comes again.
    guard wantsToPlay else { return emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent)) }
    breakOff(deck, PlaybackErrors.silent(uri: deck.media.uri))
  }

  mutating func checkStarved(_ deck: PlaybackDeck) {
    guard let error = deck.failure else { return }
    let due = (deck.lastFrameAt ?? now) + policy.reconnect.starved
    // In a pause nothing is used up.
    guard wantsToPlay, now >= due else {
      return emit(.startTimer(.starved(deck.id), at: max(due, now + policy.reconnect.starved)))
    }
    breakOff(deck, error)
  }
}

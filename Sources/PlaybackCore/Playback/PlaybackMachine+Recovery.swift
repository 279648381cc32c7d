// What happens when the source of the current item breaks off: what is buffered plays on, then a fresh deck is opened at
// the last position, again and again, with the last frame up. Every number is in `ReconnectPolicy`.

extension PlaybackMachine {
  /// Takes an error of the current deck on. False where the item has failed for good.
  ///
  /// An item that has shown nothing is no break: it is skipped like any other that can't be played.
  mutating func reconnects(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    let isAllThereIs = isAllThereIs(deck, after: error)
    guard deck.hasBegun || reconnect?.item == deck.item || isAllThereIs else { return false }
    switch ErrorRecovery(number: error.number) {
    case .giveUp: if !isAllThereIs, !isStationAway(deck, error) { return false }
    case .rebuildOnce: if reconnect?.item == deck.item { return false }
    case .reconnect: break
    }
    guard deck.failure == nil else { return true }
    // What a worn decoder has given is no longer played out: it would go on until it fails.
    let isWorn = error.number == PlaybackErrors.decoderIsWornNumber
    // Nothing has failed, so that the next one isn't another try. One that shows nothing before it is worn is.
    if isWorn, deck.hasBegun { reconnect = nil }
    guard !deck.isPreparing, deck.media.isRemote, !isWorn else {
      breakOff(deck, error)
      return true
    }
    current?.failure = error
    current?.buffering = .flowing
    emit(.cancelTimer(.silent(deck.id)))
    emit(.startTimer(.starved(deck.id), at: now + policy.reconnect.starved))
    return true
  }

  /// A network item that nothing else could take the place of isn't given up, whatever its server says.
  private func isAllThereIs(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    // Asking again brings no copy; it is told when one is there.
    !deck.awaitsProof && deck.media.isRemote && queue.repeatMode != .none && !hasAlternative(to: deck.item)
      && ((2000...2999).contains(error.number) || error.number == 3001)
  }

  /// A station that has been heard is away: servers say that there is no such thing until its studio is connected again.
  private func isStationAway(_ deck: PlaybackDeck, _ error: VitrineError) -> Bool {
    error.number == 2404 && (deck.isEndless || reconnect.map { $0.item == deck.item && $0.isEndless } ?? false)
  }

  /// A network stream that ends well before its item does is a connection that was closed.
  mutating func noteEarlyEnd() {
    guard let deck = current, deck.failure == nil, deck.media.isRemote, deck.rate > 0, deck.hasBegun, endsEarly(deck)
    else { return }
    current?.failure = PlaybackErrors.brokeOff(uri: deck.media.uri)
    // Nothing comes that it could wait for: what is left of it plays.
    current?.buffering = .flowing
  }

  private func endsEarly(_ deck: PlaybackDeck) -> Bool {
    // A camera has no end, nor has a station.
    if (deck.media.kind == .rtsp && deck.playedRange == nil) || deck.isEndless { return true }
    guard let end = deck.leadingEnd, let last = deck.playedRange?.upperBound else { return false }
    return deck.origin + end * deck.rate < last - policy.reconnect.earlyEnd
  }

  /// The deck is given up for a fresh one, at once or later.
  mutating func breakOff(_ deck: PlaybackDeck, _ error: VitrineError, isAbandoned: Bool = false) {
    let known = reconnect.flatMap { $0.item == deck.item ? $0 : nil }
    var attempt = known ?? Reconnect(item: deck.item, since: deck.lastFrameAt ?? now, error: error)
    attempt.attempt += 1
    if deck.isEndless { attempt.isEndless = true }
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
    let position = seekTarget ?? (deck.readiness.isLive || deck.isEndless ? .zero : deck.position)
    replaceBroken(deck, from: position, attempt: attempt, isAbandoned: isAbandoned, error)
  }

  private mutating func replaceBroken(
    _ deck: PlaybackDeck, from position: Duration, attempt: Reconnect, isAbandoned: Bool, _ error: VitrineError
  ) {
    cancelTimers(of: deck)
    // The fresh deck begins where the seek was to lead.
    endSeek(.reached)
    if isAbandoned { emit(.abandonDeck(deck.id)) } else { discard(deck) }
    let delay = policy.reconnect.delay(
      attempt: attempt.attempt, patient: attempt.patientTries, random: random.nextFraction())
    let entry = PlayQueue.Entry(id: deck.item, item: deck.media)
    var again: PlaybackDeck
    if delay == .zero {
      again = newDeck(entry, from: position)
    } else {
      again = PlaybackDeck(id: newID(), entry: entry, from: position, rate: rate, attempt: 1)
      again.wait(for: .turn)
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
    guard var deck = current, deck.id == id, !deck.isBuilt else { return }
    // A copy may have come since.
    deck.media = fromStore(PlayQueue.Entry(id: deck.item, item: deck.media)).item
    emitBuild(&deck)
    current = deck
  }

  /// Whether another item could be played instead.
  public func hasAlternative(to item: ItemID) -> Bool {
    queue.entries.contains { $0.id != item && failures.shouldTry($0.id) }
  }

  /// Long enough without a break: the next one is another one.
  mutating func noteProgress(of deck: PlaybackDeck, at position: Duration) {
    guard reconnect?.item == deck.item, deck.failure == nil else { return }
    if abs((position - deck.origin).inSeconds) >= policy.reconnect.progress.inSeconds { reconnect = nil }
  }

  /// What was missed on air leaves a hole in time, for which nobody is to wait. In what was recorded a frame may stay for long.
  mutating func skipGap(_ id: DeckID, until running: Duration) {
    guard let deck = current, deck.id == id, deck.media.kind == .adaptive, deck.playedRange == nil else { return }
    switch deck.phase {
    case .playing(let base):
      guard base + running > now + policy.gapLead else { return }
      hold(deck, base: base)
    case .held(let at): guard at < running - policy.gapLead else { return }
    case .preparing, .ready: return
    }
    // It plays on, where it may, from right before that frame.
    current?.phase = .held(at: running - policy.gapLead)
  }

  // MARK: Watching

  func recoveryTimers(of deck: PlaybackDeck) -> [PlaybackTimer] {
    // Only what can have been started: a local item in good health has one.
    guard deck.media.isRemote else { return deck.isBuilt ? [.stuck(deck.id)] : [.reconnect(deck.id)] }
    return [.stuck(deck.id), .starved(deck.id), .drained(deck.id), .silent(deck.id), .reconnect(deck.id)]
  }

  private func stuckLimit(_ deck: PlaybackDeck) -> Duration {
    let limit = deck.media.isRemote ? policy.reconnect.stuck : policy.reconnect.stuckLocal
    return max(limit, deck.progressInterval * 3)
  }

  /// From now on frames are to come, or sound.
  mutating func watchProgress(_ deck: PlaybackDeck) {
    guard deck.readiness.hasVideo || deck.readiness.hasSound, !deck.isPicture else { return }
    current?.lastFrameAt = now
    emit(.startTimer(.stuck(deck.id), at: now + stuckLimit(deck)))
  }

  mutating func checkStuck(_ deck: PlaybackDeck) {
    // Held back or over, it owes no frame; `play` watches again.
    guard case .playing(let base) = deck.phase, !deck.hasEnded, deck.leadingEnd == nil, let last = deck.lastFrameAt
    else { return }
    // What has come and waits until it is due isn't stuck.
    let due = deck.nextFrameDue(base: base, after: last) + stuckLimit(deck)
    guard now >= due else { return emit(.startTimer(.stuck(deck.id), at: due)) }
    breakOff(deck, PlaybackErrors.stuck(uri: deck.media.uri))
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

// Edits of the queue, its order, and the failures of its items.

extension PlaybackMachine {
  /// Plans which item the next deck is to play.
  mutating func planNext(after item: ItemID) { plan(sequence.following(item, rate: rate)) }

  /// Plans the following item again after a change: a deck of another item or rate is dropped.
  mutating func reconsiderNext() {
    guard let deck = current else { return }
    let item = sequence.following(deck.item, rate: rate)
    if let prepared = next, prepared.item != item || prepared.rate != prepared.rate(wanted: rate) { dropNext() }
    plan(item)
    prepareNextIfNeeded()
    armIfDue()
  }

  /// Begins with the entry at that index, from that position, instead of the first. Call it before `start`.
  public mutating func begin(at index: Int, position: Duration) {
    guard case .fresh = stage, let item = sequence.queue.select(index: index) else { return }
    sequence.resumeAt = (item, position.bounded)
  }

  /// Starts the first deck, or the one that was playing when the output was lost.
  mutating func beginIfPossible() {
    guard isRunning, output.isReady, current == nil, !sequence.endedWithoutItem else { return }
    guard let item = sequence.first else { return }
    build(item, from: sequence.resumeAt.position)
    sequence.resumeAt = (item, .zero)
  }

  /// Makes a deck for the item and makes it the current one.
  mutating func build(_ item: ItemID, from position: Duration = .zero) {
    guard let entry = sequence.queue.entry(item) else { return }
    sequence.endedWithoutItem = false
    if turns.askedFor != item { turns.askedFor = nil }
    // Backwards from its start an item would be over at once, and a network item doesn't play backwards at all.
    if rate < 0, position <= entry.item.start || entry.item.isRemote { intent.rate = -rate }
    current = newDeck(entry, from: position)
    sequence.queue.markStarted(item)
    planNext(after: item)
  }

  /// Builds the next deck once the current one shows frames and the previous one is gone: never more than two at a
  /// time.
  mutating func prepareNextIfNeeded() {
    guard case .room(let planned?) = beside, let deck = current, deck.standing.isAnnounced,
      let entry = sequence.queue.entry(planned)
    else { return }
    guard !deck.readiness.hasVideo || deck.shown.frames > 0 || deck.hasEnded else { return }
    // An endless item has none after it, and a camera isn't asked for a second stream meanwhile.
    if deck.isEndless || deck.readiness.isLive, deck.playedRange == nil, !deck.hasEnded { return }
    guard !sharesDecoder(entry.item, with: deck) else {
      if deck.hasEnded, deck.base != nil { succeed(deck, by: entry.id) }
      return
    }
    next = newDeck(entry, from: .zero)
    turns.nextSince = now
  }

  // MARK: Failures

  mutating func deckFailed(_ id: DeckID, _ error: VitrineError) {
    if let deck = deck(id), leavesVersion(deck, after: error) { return }
    if let deck = next, deck.id == id {
      dropNext()
      itemFailed(deck.item, error)
      sequence.queue.markPassed(deck.item)
      // An item that is to be looped and fails isn't replaced by another.
      plan(sequence.endAction == .advance ? sequence.successor(of: deck.item) : nil)
      prepareNextIfNeeded()
      armIfDue()
    } else if let deck = current, deck.id == id {
      if reconnects(deck, after: error) { return }
      itemFailed(deck.item, error)
      currentFailed(deck)
    }
  }

  mutating func prerollTimedOut(_ id: DeckID) {
    guard let deck = deck(id), let preparation = deck.preparation else { return }
    if deck.awaitsProof { return proofMissed(deck) }
    // A deck that hasn't been built yet has nothing to give up.
    guard deck.isBuilt else { return }
    if recovery.reconnects(deck.item), current?.id == id {
      return breakOff(deck, PlaybackErrors.didNotStart(uri: deck.media.uri), isAbandoned: true)
    }
    emit(.abandonDeck(id))
    // Another try is worth its time only while something plays, or where no other item could be played.
    let isWaitedFor = next?.id == id && current?.hasEnded == true && hasAlternative(to: deck.item)
    guard preparation.attempt < policy.prerollAttempts, !isWaitedFor else {
      return deckFailed(id, PlaybackErrors.didNotStart(uri: deck.media.uri))
    }
    let entry = PlayQueue.Entry(id: deck.item, item: deck.media)
    let again = newDeck(entry, from: deck.motion.origin, attempt: preparation.attempt + 1)
    if current?.id == id { current = again } else { next = again }
  }

  mutating func itemFailed(_ item: ItemID, _ error: VitrineError) {
    sequence.failures.recordFailure(of: item, error, at: now)
    emit(.tell(.itemFailed(item: item, error)))
  }

  /// The current deck is broken: the next item follows as soon as it can, while the last frame stays up.
  mutating func currentFailed(_ deck: PlaybackDeck) {
    // A prepared deck has shown that its item can be opened.
    if let prepared = next { return jump(to: prepared.item) }
    if sequence.allFailed { return roundFailed(after: deck.item) }
    if let item = sequence.successor(of: deck.item) {
      jump(to: item)
      // The item was never seen, so its replacement wasn't asked for either: the seam stays automatic.
      if deck.standing.startsAutomatically, !deck.hasShownFrames { current?.standing.startsAutomatically = true }
      return
    }
    // The queue isn't repeated and its last item has failed: the frame on the screen stays.
    endQueueWithoutItem()
  }

  /// Ends the queue without an item that playback could go back in; another item has to be asked for.
  private mutating func endQueueWithoutItem() {
    dropNext()
    dismissCurrent()
    retire()
    plan(nil)
    intent.wantsToPlay = false
    sequence.endedWithoutItem = true
    emit(.tell(.queueEnded))
  }

  /// Every item has failed since the last progress: a looping queue tries again after a pause.
  mutating func roundFailed(after item: ItemID) {
    dropNext()
    dismissCurrent()
    guard sequence.queue.repeatMode != .none, let retryAt = sequence.failures.retryTime(for: sequence.queue) else {
      emit(.tell(.roundFailed(retryAt: nil)))
      return endQueueWithoutItem()
    }
    sequence.resumeAt = (sequence.queue.nextOnRequest(after: item), .zero)
    emit(.tell(.roundFailed(retryAt: retryAt)))
    emit(.startTimer(.nextRound, at: max(now, retryAt)))
  }

  // MARK: Edits

  /// Replaces the list. The current item goes on where it is still listed, else the item in its place follows at once.
  /// - Parameter index: index of the entry to go to, whatever plays. Nil, or an index outside of the list, goes on as
  ///   after any edit.
  mutating func replaceQueue(_ items: [MediaItem], startingAt index: Int? = nil) {
    let items = listed(items)
    let isNew = sequence.replaceAll(items)
    if let item = index.flatMap({ sequence.queue.select(index: $0) }) {
      forgetRemoved()
      return select(item)
    }
    if isNew { settleAfterEdit() }
  }

  mutating func adoptQueue(_ edited: PlayQueue) {
    sequence.adopt(edited)
    settleAfterEdit()
  }

  /// Forgets facts about entries that are no longer listed.
  private mutating func forgetRemoved() {
    if !turns.passedOver.isEmpty { turns.passedOver.formIntersection(sequence.queue.entries.map(\.id)) }
    known.forgetOrigins(butOf: sequence.queue.entries)
  }

  private mutating func settleAfterEdit() {
    forgetRemoved()
    guard let deck = current else {
      sequence.beginAnew()
      return beginIfPossible()
    }
    guard !sequence.lists(deck.item) else { return reconsiderNext() }
    if let item = sequence.queue.nextOnRequest(after: deck.item) ?? sequence.queue.first { return jump(to: item) }
    // The queue is empty and waits for another item.
    dropNext()
    dismissCurrent()
    plan(nil)
    retire()
  }

  mutating func goBack() {
    guard current != nil, let item = sequence.queue.goBack() else { return }
    turns.askedFor = item
    jump(to: item)
  }

  mutating func select(_ item: ItemID) {
    guard sequence.lists(item) else { return }
    sequence.failures.beginPass()
    turns.askedFor = item
    guard current != nil else {
      sequence.endedWithoutItem = false
      sequence.resumeAt = (item, .zero)
      return beginIfPossible()
    }
    jump(to: item)
  }
}

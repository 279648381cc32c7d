// Which item comes next, what happens when one fails, and what edits of the queue do.

extension PlaybackMachine {
  /// Settles what the next deck is to play. The end action has a say, and backwards nothing follows.
  mutating func planNext(after item: ItemID) {
    guard rate > 0 else { return nextItem = nil }
    switch endAction {
    case .advance: nextItem = failures.nextToTry(after: item, isAutomatic: true, in: &queue)
    case .loopItem: nextItem = item
    case .pause, .stop: nextItem = nil
    }
  }

  /// What follows has changed: a deck of another item or rate than the one that follows now is dropped.
  mutating func reconsiderNext() {
    guard let deck = current else { return }
    planNext(after: deck.item)
    if let prepared = next, prepared.item != nextItem || prepared.rate != prepared.rate(wanted: rate) { dropNext() }
    prepareNextIfNeeded()
    armIfDue()
  }

  /// Begins with that entry, from that place in it, and not with the first. Before `start`.
  public mutating func begin(at index: Int, position: Duration) {
    guard !hasStarted, let item = queue.select(index: index) else { return }
    resumeAt = (item, position.bounded)
  }

  /// Starts the first deck, or the one that was playing when the output went.
  mutating func beginIfPossible() {
    guard hasStarted, hasOutput, current == nil, !endedWithoutItem else { return }
    guard let item = resumeAt.item.flatMap({ queue.index(of: $0) == nil ? nil : $0 }) ?? queue.first else { return }
    build(item, from: resumeAt.position)
    resumeAt = (item, .zero)
  }

  /// Makes a deck of the item the current one.
  mutating func build(_ item: ItemID, from position: Duration = .zero) {
    guard let entry = queue.entry(item) else { return }
    endedWithoutItem = false
    if askedFor != item { askedFor = nil }
    // Backwards from its start an item would be over at once, and what comes over a network doesn't go backwards at all.
    if rate < 0, position <= entry.item.start || entry.item.isRemote { rate = -rate }
    current = newDeck(entry, from: position)
    queue.noteStarted(item)
    planNext(after: item)
  }

  /// Builds the next deck once the current one shows and the one before is gone: never more than two at a time.
  mutating func prepareNextIfNeeded() {
    guard next == nil, retiring == nil, let deck = current, deck.isAnnounced,
      let entry = nextItem.flatMap({ queue.entry($0) })
    else { return }
    guard !deck.readiness.hasVideo || deck.framesShown > 0 || deck.hasEnded else { return }
    // What has no end has nothing after it; a camera isn't asked for a second stream meanwhile.
    if deck.isEndless || deck.readiness.isLive, deck.playedRange == nil, !deck.hasEnded { return }
    guard !sharesDecoder(entry.item, with: deck) else {
      if deck.hasEnded, deck.base != nil { succeed(deck, by: entry.id) }
      return
    }
    next = newDeck(entry, from: .zero)
    nextSince = now
  }

  // MARK: Failures

  mutating func deckFailed(_ id: DeckID, _ error: VitrineError) {
    if let deck = next, deck.id == id {
      dropNext()
      itemFailed(deck.item, error)
      queue.notePassed(deck.item)
      // One that is to be looped and can't be is not replaced by another.
      nextItem = endAction == .advance ? failures.nextToTry(after: deck.item, isAutomatic: false, in: &queue) : nil
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
    // There is nothing to give up of one that waits for its turn.
    guard deck.isBuilt else { return }
    if reconnect?.item == deck.item, current?.id == id {
      return breakOff(deck, PlaybackErrors.didNotStart(uri: deck.media.uri), isAbandoned: true)
    }
    emit(.abandonDeck(id))
    // Another try is worth its time only while something plays, or where nothing else could be played.
    let isWaitedFor = next?.id == id && current?.hasEnded == true && hasAlternative(to: deck.item)
    guard preparation.attempt < policy.prerollAttempts, !isWaitedFor else {
      return deckFailed(id, PlaybackErrors.didNotStart(uri: deck.media.uri))
    }
    let entry = PlayQueue.Entry(id: deck.item, item: deck.media)
    let again = newDeck(entry, from: deck.origin, attempt: preparation.attempt + 1)
    if current?.id == id { current = again } else { next = again }
  }

  mutating func itemFailed(_ item: ItemID, _ error: VitrineError) {
    failures.noteFailure(of: item, error, at: now)
    emit(.tell(.itemFailed(item: item, error)))
  }

  /// The current deck is broken: the next item follows as soon as it can, with the last frame still up.
  mutating func currentFailed(_ deck: PlaybackDeck) {
    // A next deck that is there already has shown that it can be opened.
    if let prepared = next { return jump(to: prepared.item) }
    if failures.allFailed(in: queue) { return roundFailed(after: deck.item) }
    if let item = failures.nextToTry(after: deck.item, isAutomatic: false, in: &queue) {
      jump(to: item)
      // Nobody has asked for what takes the place of an item that was never seen: it is the same seam.
      if deck.startsAutomatically, !deck.hasShownFrames { current?.startsAutomatically = true }
      return
    }
    // The last of a queue that isn't repeated: what was shown last stays.
    endQueueWithoutItem()
  }

  /// Nothing is left that one could go back in; another item has to be asked for.
  private mutating func endQueueWithoutItem() {
    dropNext()
    dismissCurrent()
    retire()
    nextItem = nil
    wantsToPlay = false
    endedWithoutItem = true
    emit(.tell(.queueEnded))
  }

  /// Every item has failed since the last progress: a looping queue tries again after a pause.
  mutating func roundFailed(after item: ItemID) {
    dropNext()
    dismissCurrent()
    guard queue.repeatMode != .none, let retryAt = failures.retryTime(for: queue) else {
      emit(.tell(.roundFailed(retryAt: nil)))
      return endQueueWithoutItem()
    }
    resumeAt = (queue.nextOnRequest(after: item), .zero)
    emit(.tell(.roundFailed(retryAt: retryAt)))
    emit(.startTimer(.nextRound, at: max(now, retryAt)))
  }

  // MARK: Edits

  /// Another list: the current item goes on where it is still listed, else the one in its place follows at once.
  /// - Parameter index: the place of the entry to go to, whatever plays; nil goes on where the edit of a list would, as does a
  ///   place that the list hasn't.
  mutating func replaceQueue(_ items: [MediaItem], startingAt index: Int? = nil) {
    let items = listed(items)
    let isNew = !queue.lists(items)
    if isNew {
      failures.forget(queue.replaceAll(items).removed)
      failures.beginPass()
    }
    if let item = index.flatMap({ queue.select(index: $0) }) {
      forgetRemoved()
      return select(item)
    }
    if isNew { settleAfterEdit() }
  }

  mutating func adoptQueue(_ edited: PlayQueue) {
    let listed = Set(edited.entries.map(\.id))
    failures.forget(queue.entries.map(\.id).filter { !listed.contains($0) })
    queue = edited
    settleAfterEdit()
  }

  /// Forgets what was noted of entries that are no longer listed.
  private mutating func forgetRemoved() {
    if !passedOver.isEmpty { passedOver.formIntersection(queue.entries.map(\.id)) }
    if listOrigins.isEmpty { return }
    let listed = Set(queue.entries.map(\.id))
    listOrigins = listOrigins.filter { listed.contains($0.key) }
  }

  private mutating func settleAfterEdit() {
    forgetRemoved()
    guard let deck = current else {
      endedWithoutItem = false
      resumeAt = (resumeAt.item, resumeAt.item.flatMap { queue.index(of: $0) } == nil ? .zero : resumeAt.position)
      return beginIfPossible()
    }
    guard queue.index(of: deck.item) == nil else { return reconsiderNext() }
    if let item = queue.nextOnRequest(after: deck.item) ?? queue.first { return jump(to: item) }
    // Nothing is left: the queue waits for another item.
    dropNext()
    dismissCurrent()
    nextItem = nil
    retire()
  }

  mutating func goBack() {
    guard current != nil, let item = queue.goBack() else { return }
    askedFor = item
    jump(to: item)
  }

  mutating func select(_ item: ItemID) {
    guard queue.index(of: item) != nil else { return }
    failures.beginPass()
    askedFor = item
    guard current != nil else {
      endedWithoutItem = false
      resumeAt = (item, .zero)
      return beginIfPossible()
    }
    jump(to: item)
  }
}

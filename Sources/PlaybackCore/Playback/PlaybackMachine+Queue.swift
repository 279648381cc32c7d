// Which item comes next, and what happens when one fails.

extension PlaybackMachine {
  func successor(of item: Int) -> Int? {
    if item + 1 < queue.count { return item + 1 }
    return loops && !queue.isEmpty ? 0 : nil
  }

  /// The item that follows by itself: the end action has a say, and backwards nothing follows.
  func automaticSuccessor(of item: Int) -> Int? {
    guard rate > 0 else { return nil }
    switch endAction {
    case .advance: return successor(of: item)
    case .loopItem: return item
    case .pause, .stop: return nil
    }
  }

  /// What follows has changed: a deck of another item or rate than the one that follows now is dropped.
  mutating func reconsiderNext() {
    guard let deck = current else { return }
    let following = automaticSuccessor(of: deck.item)
    if let prepared = next, prepared.item != following || prepared.rate != rate {
      emit(.cancelTimer(.preroll(prepared.id)))
      emit(.dropDeck(prepared.id))
      next = nil
    }
    nextItem = following
    nextFailures = 0
    prepareNextIfNeeded()
    armIfDue()
  }

  /// Starts the first deck, or the one that was playing when the output went.
  mutating func beginIfPossible() {
    guard hasStarted, hasOutput, current == nil else { return }
    guard !queue.isEmpty else { return finish() }
    let item = min(resumeAt.item, queue.count - 1)
    build(item: item, from: resumeAt.position)
    resumeAt = (item, .zero)
  }

  /// Makes a deck of the item the current one.
  mutating func build(item: Int, from position: Duration = .zero) {
    current = newDeck(item: item, from: position)
    nextItem = automaticSuccessor(of: item)
    nextFailures = 0
  }

  /// Builds the next deck once the current one shows and the one before is gone: never more than two at a time.
  mutating func prepareNextIfNeeded() {
    guard next == nil, retiring == nil, let deck = current, deck.isAnnounced, let item = nextItem else { return }
    guard !deck.readiness.hasVideo || deck.framesShown > 0 else { return }
    // Without this, items that all fail would be built in a tight loop while the current one plays.
    guard nextFailures < queue.count else { return }
    next = newDeck(item: item, from: .zero)
  }

  mutating func deckFailed(_ id: DeckID, _ error: VitrineError) {
    if let deck = next, deck.id == id {
      emit(.cancelTimer(.preroll(id)))
      emit(.dropDeck(id))
      next = nil
      nextFailures += 1
      itemFailed(deck.item, error)
      nextItem = endAction == .loopItem ? nil : successor(of: deck.item)
      prepareNextIfNeeded()
      armIfDue()
    } else if let deck = current, deck.id == id {
      itemFailed(deck.item, error)
      currentFailed(deck)
    }
  }

  mutating func prerollTimedOut(_ id: DeckID) {
    guard let deck = [current, next].compactMap({ $0 }).first(where: { $0.id == id }), deck.phase == .preparing else {
      return
    }
    if deck.attempt < policy.prerollAttempts {
      emit(.abandonDeck(id))
      let again = newDeck(item: deck.item, from: deck.origin, attempt: deck.attempt + 1)
      if current?.id == id { current = again } else { next = again }
      return
    }
    emit(.abandonDeck(id))
    deckFailed(id, PlaybackErrors.didNotStart(uri: queue[deck.item].uri))
  }

  private mutating func itemFailed(_ item: Int, _ error: VitrineError) {
    failuresInARow += 1
    emit(.tell(.itemFailed(item: item, error)))
  }

  /// The current deck is broken: the next item follows as soon as it can, with the last frame still up.
  private mutating func currentFailed(_ deck: PlaybackDeck) {
    guard failuresInARow >= queue.count else {
      if next == nil { nextItem = successor(of: deck.item) }
      return skipToNext()
    }
    roundFailed(after: deck.item)
  }

  /// Every item has failed since the last progress: a looping queue tries again after a pause.
  mutating func roundFailed(after item: Int) {
    dismissCurrent()
    if let deck = next {
      emit(.dropDeck(deck.id))
      next = nil
    }
    guard loops else {
      emit(.tell(.roundFailed(retryAt: nil)))
      return finish()
    }
    failuresInARow = 0
    resumeAt = (successor(of: item) ?? 0, .zero)
    let retryAt = now + policy.failedRoundPause
    emit(.tell(.roundFailed(retryAt: retryAt)))
    emit(.startTimer(.nextRound, at: retryAt))
  }

  /// The screen has gone: every deck goes with it, and the position is kept.
  mutating func loseOutput() {
    hasOutput = false
    if let deck = current { resumeAt = (deck.item, deck.readiness.isLive ? .zero : deck.position) }
    for deck in [current, next].compactMap({ $0 }) {
      for timer in [PlaybackTimer.preroll(deck.id), .arm(deck.id), .end(deck.id)] { emit(.cancelTimer(timer)) }
      emit(.dropDeck(deck.id))
    }
    retire()
    endSeek()
    current = nil
    next = nil
    retiring = nil
  }

  /// Another queue: the current item goes on where it is still listed, else the first one follows at once.
  mutating func replaceQueue(_ items: [MediaItem]) {
    guard items != queue else { return }
    let playing = current.flatMap { queue.indices.contains($0.item) ? queue[$0.item] : nil }
    queue = items
    failuresInARow = 0
    if let deck = next {
      emit(.cancelTimer(.preroll(deck.id)))
      emit(.dropDeck(deck.id))
      next = nil
    }
    guard !items.isEmpty else { return finish() }
    if let playing, let item = items.firstIndex(where: { $0.uri == playing.uri }) {
      current?.item = item
      nextItem = automaticSuccessor(of: item)
      prepareNextIfNeeded()
    } else if current != nil {
      nextItem = 0
      skipToNext()
    } else {
      resumeAt = (0, .zero)
      beginIfPossible()
    }
  }
}

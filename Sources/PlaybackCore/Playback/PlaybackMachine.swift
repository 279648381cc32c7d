/// Decides what every deck does: which deck is built, when it starts, when it is held, when it goes.
///
/// A value: `handle` takes an event and the time, and returns commands; it reads no clock and calls no other object. At
/// most two decks live at once, the current one and the next one. The previous deck lives on as `retiring` until the
/// current one's frames have replaced its last frame, and only then the next one is built.
///
/// Three things are kept apart, and a deck plays only where all of them allow it: the intent (`wantsToPlay`), the
/// ability (a deck's phase and its buffer) and outside reasons to hold playback back (`suppressions`). Users change the
/// intent, and so does an end that no item follows. After each event `reconcile` compares what the current deck does
/// with what it should do, and acts on the difference. Events with their own exact time start or hold a deck before
/// that: a seam, a seek, a buffer that is used up.
public struct PlaybackMachine: Sendable {
  public private(set) var policy: PlaybackPolicy
  var sequence: PlaySequence
  var intent = Intent()
  public internal(set) var current: PlaybackDeck?
  var beside = Beside.room(planned: nil)
  var stage = Stage.fresh
  var output = OutputState()
  var turns = Turns()
  var behind = Behind()
  var seek = SeekState()
  var recovery: Recovery
  var known = KnownMedia()
  /// The time of the event that is being handled.
  private(set) var now = Instant(nanoseconds: 0)
  /// Number of the deck that was made last.
  var generation: UInt32 = 0
  var said = Said()

  struct Said: Sendable {
    /// The commands that follow from the event being handled.
    var actions: [PlaybackAction] = []
    /// The reason for waiting that was reported last.
    var waiting: WaitingReason?
  }

  /// - Parameters:
  ///   - queue: the items, in order.
  ///   - loops: whether the first item follows the last; the queue's `repeatMode` says more.
  ///   - shuffle: seed of the order of playing; nil plays in the order of the list.
  ///   - beginning: index in the queue of the item to begin with; nil begins with the first.
  ///   - startAt: position in that item.
  ///   - seed: for the random part of delays. It has to differ between processes, or boards that lost the same network
  ///     would ask for it in step; there is no default, so that callers can't forget it.
  public init(
    queue: [MediaItem], loops: Bool, shuffle: UInt64? = nil, beginning: Int? = nil, startAt: Duration = .zero,
    policy: PlaybackPolicy = PlaybackPolicy(),
    seed: UInt64
  ) {
    recovery = Recovery(random: SplitMix64(state: seed))
    let queue = PlayQueue(queue, repeatMode: loops ? .all : .none, shuffle: shuffle)
    let policy = policy.bounded
    self.policy = policy
    sequence = PlaySequence(
      queue: queue, failures: FailureTracker(pause: policy.failedRoundPause),
      resumeAt: (beginning.flatMap { queue.select(index: $0) }, startAt.bounded))
  }

  /// Handles an event; returns the commands that follow from it, in order.
  public mutating func handle(_ event: PlaybackEvent, at now: Instant) -> [PlaybackAction] {
    if case .finished = stage { return [] }
    self.now = now
    said.actions = []
    if let fault = event.fault(in: self) { emit(.tell(.unexpected(fault, event.deck))) }
    react(to: event)
    updateTurn()
    reconcile()
    keepPredecessor()
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return said.actions
  }

  mutating func emit(_ action: PlaybackAction) { said.actions.append(action) }

  private mutating func react(to event: PlaybackEvent) {
    switch event {
    case .start:
      stage = .running
      beginIfPossible()
    case .clockSet: clockWasSet()
    case .outputReady:
      output.isReady = true
      if current == nil {
        recovery.beginAnew(with: sequence.resumeAt.item.flatMap { sequence.lists($0) ? $0 : nil }, at: now)
      }
      beginIfPossible()
    case .outputLost: loseOutput()
    case .outputChangeWanted(let isWanted):
      // A deck that would be armed now may have to wait for the item's end, or may no longer have to.
      if output.want(isWanted) { armIfDue() }
    case .queueReplaced(let items, let index): replaceQueue(items, startingAt: index)
    case .queueEdited(let edited): adoptQueue(edited)
    case .policyReplaced(let policy):
      self.policy = policy.bounded
      sequence.failures.pause = self.policy.failedRoundPause
    case .copiesChanged(let copies): adoptCopies(copies)
    case .versionChosen(let isSigned): chooseVersion(isSigned: isSigned)
    case .fileChecked(let id, let sum): fileChecked(id, sum)
    case .previousRequested: goBack()
    case .itemSelected(let item): select(item)
    case .deckReady(let id, let readiness): deckReady(id, readiness)
    case .deckFailed(let id, let error): deckFailed(id, error)
    case .streamEnded(let id, let stream, let end): streamEnded(id, stream, at: end)
    case .durationChanged(let id, let duration): update(id) { $0.readiness.duration = duration }
    case .kindFound(let id, let kind): kindFound(id, kind)
    case .listFound(let id, let items): listFound(id, items)
    case .listsKept(let lists): known.remember(lists)
    case .bufferingChanged(let id, let percent): bufferingChanged(id, percent)
    case .gapAhead(let id, let running):
      update(id) { $0.shown.waitsUntil = running }
      skipGap(id, until: running)
    case .frameShown(let id, let streamTime, let epoch): frameShown(id, streamTime, epoch)
    case .soundHeard(let id, let running, let streamTime, let epoch): soundHeard(id, running, streamTime, epoch)
    case .streamsFound(let id, let hasVideo, let hasSound):
      update(id) { deck in
        deck.readiness.hasVideo = hasVideo
        deck.readiness.hasSound = hasSound
      }
    case .deckGone(let id): deckGone(id)
    case .clockLost(let id): clockLost(id)
    case .unshown(let id): passOver(id)
    case .itemBlamed(let item, let error): if sequence.lists(item) { itemFailed(item, error) }
    case .playRequested: if !isAtEnd { intent.wantsToPlay = true }
    case .pauseRequested: intent.wantsToPlay = false
    case .nextRequested: skipToNext()
    case .seekRequested(let target, let tolerance): requestSeek(to: target, tolerance)
    case .rateRequested(let rate): requestRate(rate)
    case .stepRequested(let frames): requestStep(frames)
    case .endActionChanged(let action):
      sequence.endAction = action
      reconsiderNext()
    case .suppressed(let reason): intent.suppressions.insert(reason)
    case .unsuppressed(let reason): intent.suppressions.remove(reason)
    case .seekFinished(let id, let number, let readiness): seekFinished(id, number, readiness)
    case .rateChanged(let id, let rate, let running, let position): rateChanged(id, rate, at: running, position)
    case .timerFired(let timer): timerFired(timer)
    case .stopRequested: finish()
    }
  }

  private mutating func timerFired(_ timer: PlaybackTimer) {
    switch timer {
    case .preroll(let id): prerollTimedOut(id)
    case .arm(let id): if id == current?.id { armIfDue() }
    case .end(let id): if id == current?.id { currentEnded() }
    case .retire(let id): if id == retiring?.id { retire() }
    case .seekGuard(let number): seekTimedOut(number)
    case .reconnect(let id): reconnectDue(id)
    case .starved(let id): if let deck = current, deck.id == id { checkStarved(deck) }
    case .drained(let id): if let deck = current, deck.id == id { checkDrained(deck) }
    case .stuck(let id): if let deck = current, deck.id == id { checkStuck(deck) }
    case .silent(let id): if let deck = current, deck.id == id { checkSilent(deck) }
    // Each event checks the turn anyway.
    case .turn: break
    case .nextRound:
      sequence.failures.beginPass()
      beginIfPossible()
    }
  }

  // MARK: Reports of decks

  private mutating func deckReady(_ id: DeckID, _ readiness: DeckReadiness) {
    update(id) { deck in
      guard deck.isPreparing, deck.isBuilt else { return }
      deck.phase = .ready
      deck.applyReadiness(readiness)
    }
    emit(.cancelTimer(.preroll(id)))
    if let error = deck(id)?.emptiness { return deckFailed(id, error) }
    if id == next?.id { armIfDue() }
    if id == current?.id {
      dropEarlierNext()
      runPendingSeek()
    }
  }

  /// Drops a next deck that was made before the current one. Decks are shown and heard in the order in which they were
  /// made: once a deck that replaced a broken one shows a frame, the output accepts nothing of an older one. So the
  /// next deck is made again.
  private mutating func dropEarlierNext() {
    guard let next, let current, next.id < current.id else { return }
    dropNext()
  }

  private mutating func frameShown(_ id: DeckID, _ streamTime: Duration, _ epoch: FrameEpoch) {
    if let old = behind.predecessor, old.id == id, !old.isSoundOnly { updatePredecessor(at: streamTime, epoch) }
    guard let deck = current, deck.id == id else { return }
    current?.shown.frames += 1
    guard !deck.isSoundOnly else { return cardShown() }
    current?.shown.lastAt = now
    // A frame from before the last seek doesn't tell the position.
    guard epoch == deck.epoch else { return }
    current?.updatePosition(streamTime)
    recovery.recordProgress(of: deck, at: streamTime, policy.reconnect)
    if !deck.standing.hasProvedGood, abs((streamTime - deck.motion.origin).inSeconds) >= 1 { provedGood(deck) }
    scheduleOwnEnd(of: deck, at: streamTime)
    // The second frame proves that the first has replaced the old deck's last one. A picture has only one.
    if deck.shown.frames + 1 >= (deck.isPicture ? 1 : 2) { retire() }
    prepareNextIfNeeded()
  }

  /// Ends an item that has an end of its own but isn't seekable: such a pipeline can't be told where to end.
  mutating func scheduleOwnEnd(of deck: PlaybackDeck, at position: Duration) {
    guard let end = deck.media.end, !deck.readiness.isSeekable, !deck.isPicture, !deck.isPreparing,
      deck.leadingEnd == nil, !deck.buffering.isBrokenOff, position >= end - policy.armLead
    else { return }
    let running = end - deck.motion.origin
    current?.ends.video = running
    current?.ends.sound = running
    armIfDue()
  }

  /// The item plays well: failed items may be tried again.
  mutating func provedGood(_ deck: PlaybackDeck) {
    update(deck.id) { $0.standing.hasProvedGood = true }
    sequence.failures.recordSuccess(of: deck.item)
  }

  private mutating func deckGone(_ id: DeckID) {
    behind.leaving.remove(id)
    buildWaiting()
    guard case .past(let past, let planned) = beside, past.id == id else { return }
    beside = .room(planned: planned)
    prepareNextIfNeeded()
  }

  private mutating func streamEnded(_ id: DeckID, _ stream: StreamKind, at end: Duration) {
    update(id) { deck in
      if stream == .video { deck.ends.video = end } else { deck.ends.sound = end }
    }
    if id == current?.id {
      detectEarlyEnd()
      armIfDue()
    }
  }

  // MARK: From one deck to the next

  /// Arms the next deck if the end of the current one is known and near; else sets the timer for that.
  mutating func armIfDue() {
    guard let deck = current, let base = deck.base, let end = deck.end(soundTail: policy.soundTail) else { return }
    let endsAt = base + end
    guard !deck.buffering.isBrokenOff else { return emit(.startTimer(.end(deck.id), at: endsAt)) }
    guard let following = next, following.phase == .ready, !following.buffering.isDry else {
      // No item follows, or its deck isn't ready yet: its readiness calls this again.
      return emit(.startTimer(.end(deck.id), at: endsAt))
    }
    // An item that is to begin on another output waits until the last frame has had its time.
    let armsAt = output.change == .none ? endsAt - policy.armLead : endsAt
    guard now >= armsAt else { return emit(.startTimer(.arm(deck.id), at: armsAt)) }
    promoteNext(endingAt: endsAt, isAutomatic: true)
  }

  private mutating func currentEnded() {
    guard let deck = current else { return }
    if let error = deck.failure { return breakOff(deck, error) }
    if !deck.hasEnded { current?.ends.reach = .reached }
    if case .next = beside { return }  // the next deck is being prepared
    guard nextItem == nil else { return prepareNextIfNeeded() }
    if sequence.endAction == .advance, rate > 0, sequence.allFailed { return roundFailed(after: deck.item) }
    if let end = rate < 0 ? deck.media.start : deck.playedRange?.upperBound {
      current?.motion.landing = Landing(end: end, lastFrame: deck.position)
    }
    let isEndOfQueue = rate > 0 && (sequence.endAction == .advance || sequence.endAction == .stop)
    stayAtEnd(deck)
    emit(.tell(isEndOfQueue ? .queueEnded : .stoppedAtEnd(item: deck.item)))
  }

  /// Nothing follows: the last frame stays, and playback has to be asked for again, after a seek, an edit or another
  /// item.
  private mutating func stayAtEnd(_ deck: PlaybackDeck) {
    if let base = deck.base { hold(deck, base: base) }
    intent.wantsToPlay = false
    notifyItemEnded()
  }

  /// Leaves the playing item for the next one. Where none follows, the queue is at its end, with the frame still up.
  private mutating func skipToNext() {
    guard let deck = current else { return }
    if beginArmed(deck) { return }
    if let item = sequence.queue.nextOnRequest(after: deck.item) { return jump(to: item) }
    guard !isAtEnd else { return }
    dropNext()
    plan(nil)
    // Drops the queued seek: the item now counts as ended, and a later seek to the same place must not be elided.
    dropPendingSeek()
    stayAtEnd(deck)
    emit(.tell(.queueEnded))
  }

  /// Starts the armed item at once if it hasn't begun yet: a request for the next item means that one, because the item
  /// before is still on the screen.
  private mutating func beginArmed(_ deck: PlaybackDeck) -> Bool {
    guard case .playing(let base, _) = deck.phase, deck.standing.startsAutomatically, deck.shown.frames == 0,
      base + deck.readiness.firstRunningTime > now + policy.openingLead(of: deck)
    else { return false }
    hold(deck, base: base)
    // It goes on from there like an item that was asked for.
    current?.phase = .ready
    return true
  }

  /// Reports the end of the current item, once each time that it was played.
  private mutating func notifyItemEnded() {
    guard let deck = current, deck.ends.reach != .told else { return }
    current?.ends.reach = .told
    emit(.tell(.itemEnded(item: deck.item, deck.id)))
  }

  /// Makes the next deck the current one; its first frame is due at `end`, or as soon as it can be.
  private mutating func promoteNext(endingAt end: Instant, isAutomatic: Bool) {
    guard var following = next else { return }
    if isAutomatic, let deck = current, !deck.standing.hasProvedGood { provedGood(deck) }
    next = nil
    dismissCurrent()
    following.standing.startsAutomatically = isAutomatic
    current = following
    if turns.askedFor != following.item { turns.askedFor = nil }
    sequence.queue.markStarted(following.item)
    planNext(after: following.item)
    guard following.phase == .ready, mayPlay(following) else { return }
    // At a seam the picture has precedence: it doesn't wait for the beginning of the sound.
    let lead = isAutomatic ? policy.openingLead : policy.openingLead(of: following)
    play(base: max(end, now + lead) - following.readiness.firstRunningTime)
  }

  /// Dismisses the current deck; its last frame stays on the screen until the next one's first.
  mutating func dismissCurrent() {
    guard let deck = current else { return }
    if deck.hasShownFrames || behind.predecessor == nil { behind.predecessor = deck }
    cancelTimers(of: deck)
    endSeek()
    notifyItemEnded()
    current = nil
    recovery.reconnect = nil
    // A deck that waits to be built has no frame on the screen, and no pipeline to take down.
    guard deck.isBuilt else { return discard(deck) }
    retire()
    beside = .past(Beside.PastDeck(id: deck.id), planned: nextItem)
  }

  /// Tells the previous deck to go, once.
  mutating func retire() {
    guard case .past(let past, let planned) = beside, !past.isGoing else { return }
    beside = .past(Beside.PastDeck(id: past.id, isGoing: true), planned: planned)
    emit(.cancelTimer(.retire(past.id)))
    drop(past.id)
  }

  /// Leaves the current item for another one; the last frame stays until the other's first.
  mutating func jump(to item: ItemID) {
    guard current != nil || next != nil else { return }
    if next?.item == item { return promoteNext(endingAt: now, isAutomatic: false) }
    dropNext()
    dismissCurrent()
    build(item)
  }
}

extension PlaybackDeck {
  /// The fault of a deck that is ready and has nothing between its item's start and end.
  fileprivate var emptiness: VitrineError? {
    guard let range = playedRange, !isPicture, !readiness.isLive, range.isEmpty || media.start > range.lowerBound else {
      return nil
    }
    return PlaybackErrors.nothingBetween(uri: media.uri, start: media.start, end: range.upperBound)
  }
}

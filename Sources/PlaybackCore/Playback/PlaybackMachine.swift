/// Decides what every deck does: which is built, when it starts, when it is held, when it goes.
///
/// A value: `handle` takes a fact and the time and gives commands; it reads no clock and calls nobody. At most two decks
/// live at once, the current one and the next one; the deck before lives on as `retiring` until the current one's frames
/// have replaced its last frame, and only then the next one is built.
///
/// Intent (`wantsToPlay`), ability (a deck's phase and its buffer) and what holds playback back from outside (`suppressions`)
/// are kept apart, and a deck plays only where all three allow it. The intent is changed by who asks, and by an end that nothing
/// follows. After each event `reconcile` compares what the current deck does with what it should do, and acts on the
/// difference. What has an instant of its own starts or holds a deck before that: a seam, a seek, a buffer that is used up.
public struct PlaybackMachine: Sendable {
  public private(set) var policy: PlaybackPolicy
  public internal(set) var queue: PlayQueue
  /// What has failed, and when it may be tried again.
  public internal(set) var failures: FailureLedger
  public internal(set) var wantsToPlay = true
  /// How fast items run while they play; negative is backwards.
  public internal(set) var rate = 1.0
  public private(set) var endAction = EndAction.advance
  public internal(set) var current: PlaybackDeck?
  public internal(set) var next: PlaybackDeck?
  /// Why playback waits, as it was told last.
  var toldReason: WaitingReason?

  var hasStarted = false
  var hasOutput = false
  var outputChange = OutputChange.none
  /// The screen waits for an item from the network.
  var turn: Turn?
  /// Items that were passed over when it was their turn last.
  var passedOver: Set<ItemID> = []
  /// The item that somebody has asked for, until it shows; or that played when the output went.
  var askedFor: ItemID?
  /// When the next deck was begun with.
  var nextSince = Instant(nanoseconds: 0)
  /// Playback was stopped for good.
  var isFinished = false
  /// The queue came to its end and left no item that one could go back in.
  var endedWithoutItem = false
  /// Why playback is held back although it is wanted and could go on.
  public private(set) var suppressions: Set<Suppression> = []
  /// The deck whose last frame stays until the current one's frames come, and whether it has been told to go.
  var retiring: (id: DeckID, isGoing: Bool)?
  /// The deck of the item before, while its frame is what is seen and the current one follows it by itself.
  var predecessor: PlaybackDeck?
  var seek = SeekState()
  /// Decks that were told to go and aren't gone, where they are in the way of others (`PlaybackPolicy.decodesOneStream`).
  var leaving: Set<DeckID> = []
  /// The break that the current item is brought over.
  var reconnect: Reconnect?
  var random: SplitMix64
  /// Files on this machine, by the addresses that they are copies of.
  public internal(set) var copies: [String: MediaCopy] = [:]
  /// What servers give under addresses that told something else, or nothing; by address.
  var foundKinds: [String: MediaKind] = [:]
  /// What stands in lists that servers gave, by the lists' addresses.
  var foundLists: [String: [MediaItem]] = [:]
  /// The lists that an item of the queue stood in, the outermost first.
  var listOrigins: [ItemID: [String]] = [:]
  /// Of decks that play, whatever items they are of: it is the same board.
  var clockLosses = ClockLosses()
  /// When playback ran dry lately, whatever item it was: it is the same link.
  var dryRuns: [Instant] = []
  /// Where playback begins, or goes on after the output was lost; no item is the first.
  var resumeAt: (item: ItemID?, position: Duration)
  /// The item that the next deck is to play; nil where nothing follows.
  var nextItem: ItemID?
  /// The time of the event that is being handled.
  private(set) var now = Instant(nanoseconds: 0)
  /// Of the deck that was named last.
  var generation: UInt32 = 0
  var actions: [PlaybackAction] = []

  /// - Parameters:
  ///   - queue: what is played, in order.
  ///   - loops: whether the first item follows the last; the queue's `repeatMode` says more.
  ///   - shuffle: seed of the order of playing; nil plays in the order of the list.
  ///   - beginning: place in the queue of the item with which playback begins; nil is the first.
  ///   - startAt: position in that item.
  ///   - seed: of the random part of delays: another one in each process, or boards that lost the same network would ask for it
  ///     in step. There is no default, so that nobody forgets it.
  public init(
    queue: [MediaItem], loops: Bool, shuffle: UInt64? = nil, beginning: Int? = nil, startAt: Duration = .zero,
    policy: PlaybackPolicy = PlaybackPolicy(),
    seed: UInt64
  ) {
    random = SplitMix64(state: seed)
    let queue = PlayQueue(queue, repeatMode: loops ? .all : .none, shuffle: shuffle)
    self.queue = queue
    let policy = policy.bounded
    self.policy = policy
    failures = FailureLedger(pause: policy.failedRoundPause)
    resumeAt = (beginning.flatMap { queue.select(index: $0) }, startAt.bounded)
  }

  /// Takes a fact; gives the commands that follow from it, in order.
  public mutating func handle(_ event: PlaybackEvent, at now: Instant) -> [PlaybackAction] {
    guard !isFinished else { return [] }
    self.now = now
    actions = []
    if let fault = fault(in: event) { emit(.tell(.unexpected(fault, event.deck))) }
    react(to: event)
    noteTurn()
    reconcile()
    keepPredecessor()
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return actions
  }

  private mutating func react(to event: PlaybackEvent) {
    switch event {
    case .start:
      hasStarted = true
      beginIfPossible()
    case .clockSet: clockWasSet()
    case .outputReady:
      hasOutput = true
      beginReconnectAnew()
      beginIfPossible()
    case .outputLost: loseOutput()
    case .outputChangeWanted(let isWanted): noteOutputChange(isWanted)
    case .queueReplaced(let items, let index): replaceQueue(items, startingAt: index)
    case .queueEdited(let edited): adoptQueue(edited)
    case .policyReplaced(let policy):
      self.policy = policy.bounded
      failures.pause = self.policy.failedRoundPause
    case .copiesChanged(let copies): adoptCopies(copies)
    case .fileChecked(let id, let sum): fileChecked(id, sum)
    case .previousRequested: goBack()
    case .itemSelected(let item): select(item)
    case .deckReady(let id, let readiness): deckReady(id, readiness)
    case .deckFailed(let id, let error): deckFailed(id, error)
    case .streamEnded(let id, let stream, let end): streamEnded(id, stream, at: end)
    case .durationChanged(let id, let duration): update(id) { $0.readiness.duration = duration }
    case .kindFound(let id, let kind): kindFound(id, kind)
    case .listFound(let id, let items): listFound(id, items)
    case .listsKept(let lists): rememberLists(lists)
    case .bufferingChanged(let id, let percent): bufferingChanged(id, percent)
    case .gapAhead(let id, let running):
      update(id) { $0.frameWaitsUntil = running }
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
    case .itemBlamed(let item, let error): if queue.index(of: item) != nil { itemFailed(item, error) }
    case .playRequested: if !isAtEnd { wantsToPlay = true }
    case .pauseRequested: wantsToPlay = false
    case .nextRequested: skipToNext()
    case .seekRequested(let target, let tolerance): requestSeek(to: target, tolerance)
    case .rateRequested(let rate): requestRate(rate)
    case .stepRequested(let frames): requestStep(frames)
    case .endActionChanged(let action):
      endAction = action
      reconsiderNext()
    case .suppressed(let reason): suppressions.insert(reason)
    case .unsuppressed(let reason): suppressions.remove(reason)
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
    // Every event has it looked at.
    case .turn: break
    case .nextRound:
      failures.beginPass()
      beginIfPossible()
    }
  }

  // MARK: What decks tell

  private mutating func deckReady(_ id: DeckID, _ readiness: DeckReadiness) {
    update(id) { deck in
      guard deck.isPreparing, deck.isBuilt else { return }
      deck.phase = .ready
      deck.takeReadiness(readiness)
    }
    emit(.cancelTimer(.preroll(id)))
    if let deck = deck(id), let range = deck.playedRange, !deck.isPicture, !deck.readiness.isLive,
      range.isEmpty || deck.media.start > range.lowerBound
    {
      let end = range.upperBound
      return deckFailed(id, PlaybackErrors.nothingBetween(uri: deck.media.uri, start: deck.media.start, end: end))
    }
    if id == next?.id { armIfDue() }
    if id == current?.id {
      dropEarlierNext()
      runPendingSeek()
    }
  }

  /// Decks are seen and heard in the order in which they were made. Once one that took a broken one's place shows something, the
  /// output takes nothing of the next deck that was made before: that is made once more.
  private mutating func dropEarlierNext() {
    guard let next, let current, next.id < current.id else { return }
    dropNext()
  }

  private mutating func frameShown(_ id: DeckID, _ streamTime: Duration, _ epoch: FrameEpoch) {
    if let old = predecessor, old.id == id, !old.isSoundOnly { notePredecessor(at: streamTime, epoch) }
    guard let deck = current, deck.id == id else { return }
    current?.framesShown += 1
    guard !deck.isSoundOnly else { return cardShown() }
    current?.lastFrameAt = now
    // A frame from before the last seek doesn't say where playback is.
    guard epoch == deck.epoch else { return }
    current?.notePlace(streamTime)
    noteProgress(of: deck, at: streamTime)
    if !deck.hasProvedGood, abs((streamTime - deck.origin).inSeconds) >= 1 { provedGood(deck) }
    noteOwnEnd(of: deck, at: streamTime)
    // The second frame proves that the first has taken the place of the old deck's last one. A picture has only one.
    if deck.framesShown + 1 >= (deck.isPicture ? 1 : 2) { retire() }
    prepareNextIfNeeded()
  }

  /// Where one can't seek, a pipeline can't be told where to end: an item that has an end of its own is ended here.
  mutating func noteOwnEnd(of deck: PlaybackDeck, at position: Duration) {
    guard let end = deck.media.end, !deck.readiness.isSeekable, !deck.isPicture, !deck.isPreparing,
      deck.leadingEnd == nil, deck.failure == nil, position >= end - policy.armLead
    else { return }
    let running = end - deck.origin
    current?.videoEnd = running
    current?.soundEnd = running
    armIfDue()
  }

  /// The item plays: what failed may be tried again.
  mutating func provedGood(_ deck: PlaybackDeck) {
    update(deck.id) { $0.hasProvedGood = true }
    failures.noteSuccess(of: deck.item)
  }

  private mutating func deckGone(_ id: DeckID) {
    leaving.remove(id)
    buildWaiting()
    guard retiring?.id == id else { return }
    retiring = nil
    prepareNextIfNeeded()
  }

  private mutating func streamEnded(_ id: DeckID, _ stream: StreamKind, at end: Duration) {
    update(id) { deck in
      if stream == .video { deck.videoEnd = end } else { deck.soundEnd = end }
    }
    if id == current?.id {
      noteEarlyEnd()
      armIfDue()
    }
  }

  // MARK: From one deck to the next

  /// Arms the next deck if the end of the current one is known and near; else sets the timer for it.
  mutating func armIfDue() {
    guard let deck = current, let base = deck.base, let end = deck.end(soundTail: policy.soundTail) else { return }
    let endsAt = base + end
    guard deck.failure == nil else { return emit(.startTimer(.end(deck.id), at: endsAt)) }
    guard let following = next, following.phase == .ready, !following.buffering.isDry else {
      // Nothing follows, or it isn't there yet: its readiness comes back here.
      return emit(.startTimer(.end(deck.id), at: endsAt))
    }
    // What is to go on in another output gives way only when the last frame has had its time.
    let armsAt = outputChange == .none ? endsAt - policy.armLead : endsAt
    guard now >= armsAt else { return emit(.startTimer(.arm(deck.id), at: armsAt)) }
    promoteNext(endingAt: endsAt, isAutomatic: true)
  }

  private mutating func currentEnded() {
    guard let deck = current else { return }
    if let error = deck.failure { return breakOff(deck, error) }
    current?.hasEnded = true
    guard next == nil else { return }  // what follows is on its way
    guard nextItem == nil else { return prepareNextIfNeeded() }
    if endAction == .advance, rate > 0, failures.allFailed(in: queue) { return roundFailed(after: deck.item) }
    if let end = rate < 0 ? deck.media.start : deck.playedRange?.upperBound {
      current?.landing = Landing(end: end, lastFrame: deck.position)
    }
    let isEndOfQueue = rate > 0 && (endAction == .advance || endAction == .stop)
    stayAtEnd(deck)
    emit(.tell(isEndOfQueue ? .queueEnded : .stoppedAtEnd(item: deck.item)))
  }

  /// Nothing follows: the last frame stays, and playback has to be asked for again, after a seek, an edit, another item.
  private mutating func stayAtEnd(_ deck: PlaybackDeck) {
    if let base = deck.base { hold(deck, base: base) }
    wantsToPlay = false
    current?.hasEnded = true
    tellItemEnded()
  }

  /// The item that plays is left for the next one. Where none follows, the queue is at its end, with the frame still up.
  private mutating func skipToNext() {
    guard let deck = current else { return }
    if beginArmed(deck) { return }
    if let item = queue.nextOnRequest(after: deck.item) { return jump(to: item) }
    guard !isAtEnd else { return }
    dropNext()
    nextItem = nil
    // What the deck is at it comes to the end of, or the next seek would find it at that.
    dropPendingSeek()
    stayAtEnd(deck)
    emit(.tell(.queueEnded))
  }

  /// Whoever asks for the next item while the one before is still on the screen means the one that is armed: it begins now.
  private mutating func beginArmed(_ deck: PlaybackDeck) -> Bool {
    guard case .playing(let base) = deck.phase, deck.startsAutomatically, deck.framesShown == 0,
      base + deck.readiness.firstRunningTime > now + policy.openingLead(of: deck.readiness)
    else { return false }
    hold(deck, base: base)
    // And goes on from there like one that nobody has waited for.
    current?.phase = .ready
    return true
  }

  /// Tells the end of the current item, once each time that it was played.
  private mutating func tellItemEnded() {
    guard let deck = current, !deck.isEndTold else { return }
    current?.isEndTold = true
    emit(.tell(.itemEnded(item: deck.item, deck.id)))
  }

  /// The next deck takes over; its first frame is due at `end`, or as soon as it can be.
  private mutating func promoteNext(endingAt end: Instant, isAutomatic: Bool) {
    guard var following = next else { return }
    if isAutomatic, let deck = current, !deck.hasProvedGood { provedGood(deck) }
    dismissCurrent()
    following.startsAutomatically = isAutomatic
    next = nil
    current = following
    if askedFor != following.item { askedFor = nil }
    queue.noteStarted(following.item)
    planNext(after: following.item)
    guard following.phase == .ready, mayPlay(following) else { return }
    // At a seam the picture goes first: it doesn't wait for the beginning of the sound.
    let lead = isAutomatic ? policy.openingLead : policy.openingLead(of: following.readiness)
    play(base: max(end, now + lead) - following.readiness.firstRunningTime)
  }

  /// The current deck goes; its last frame stays on the screen until the next one's first.
  mutating func dismissCurrent() {
    guard let deck = current else { return }
    if deck.hasShownFrames || predecessor == nil { predecessor = deck }
    cancelTimers(of: deck)
    endSeek()
    tellItemEnded()
    current = nil
    reconnect = nil
    // One that waits to be built has no frame on the screen, and nothing to take down.
    guard deck.isBuilt else { return discard(deck) }
    retire()
    retiring = (deck.id, false)
  }

  /// Tells the deck of the past to go, once.
  mutating func retire() {
    guard let deck = retiring, !deck.isGoing else { return }
    retiring = (deck.id, true)
    emit(.cancelTimer(.retire(deck.id)))
    drop(deck.id)
  }

  /// The current item is given up for another one; the last frame stays until its first.
  mutating func jump(to item: ItemID) {
    guard current != nil || next != nil else { return }
    if next?.item == item { return promoteNext(endingAt: now, isAutomatic: false) }
    dropNext()
    dismissCurrent()
    build(item)
  }
}

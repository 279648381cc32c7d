internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The item on the output, as opposed to the next one that the machine has armed.
struct ShownItem {
  var item: Presentation.Item
  /// Index in the queue.
  var index: Int
  var size: PresentationSize?
  var facts = DeckFacts()
}

/// The facts that a deck has found out about its item.
struct DeckFacts: Hashable {
  var tracks: [MediaTrack] = []
  var metadata = MediaMetadata()
  var ranges = MediaRanges()
}

/// The state of what observers have been told.
struct Told {
  enum End {
    case ofItem
    case ofQueue
  }
  var isInitialised = false
  /// An end that observers haven't been told yet.
  var end: End?
  /// The machine's current deck after the last event.
  var current: DeckID?
  /// The deck that the machine has reported as started.
  var announced: DeckID?
  /// The started deck, if it follows its predecessor automatically: the predecessor is shown until its first frame.
  var seam: DeckID?
  var ready: DeckID?
  /// The deck whose item was reported to observers as started, and the item.
  var started: DeckID?
  var startedItem: ItemID?
  var hasStartedEnded = false
  /// The reason for that end.
  var startedEnd = ItemEnd.playedOut
  /// The deck whose item has come to its end and stays: when it plays again, the item starts again.
  var rested: DeckID?
  var itemStatuses: [ItemID: ItemStatus] = [:]
  /// Whether items were played and none is listed any more.
  var hasForgotten = false
  var problem: VitrineError?
}

/// Reports that came up while one event is handled; they are sent when that is done.
struct Turn {
  var events: [PlayerEvent] = []
  var times: [(id: Int, time: Duration)] = []
  var seekers: [(continuation: CheckedContinuation<SeekOutcome, Never>, outcome: SeekOutcome)] = []
  /// Whether a call is changing the queue or its order: an item that is left then wasn't played to its end.
  var isSkipping = false
  var hasJumped = false
  /// The error of the current item.
  var failure: VitrineError?
  /// Items that failed in this turn.
  var failedItems: [ItemID: VitrineError] = [:]
}

// Derives the observers' view from the machine, after each event. On the loop.

extension Player {
  func settle() {
    guard let engine else { return }
    let machine = engine.machine
    settleSeeks(machine)
    let presentation = machine.presentation(at: engine.now)
    followItem(engine, presentation)
    followTime(presentation)
    told.current = machine.current?.id
    // The statuses of items that are no longer listed are dropped.
    if told.itemStatuses.count > machine.queue.count {
      let item = shown?.item.item
      told.itemStatuses = told.itemStatuses.filter { $0.key == item || machine.queue.index(of: $0.key) != nil }
    }
    // Deck numbers increase: the decks before the one shown are gone or going.
    if let oldest = shown?.item.deck { facts = facts.filter { $0.key >= oldest } }
    endTurn()
  }

  /// Publishes the status, then sends the turn's reports.
  func endTurn() {
    let done = turn
    turn = Turn(isSkipping: done.isSkipping)
    publish(showsPosition: done.hasJumped || done.times.contains { $0.id == ObserverRegistry.ownTimes })
    for (id, time) in done.times { observers.publish(id, time: time) }
    for event in done.events { observers.publish(event) }
    for seeker in done.seekers { seeker.continuation.resume(returning: seeker.outcome) }
  }

  private func settleSeeks(_ machine: PlaybackMachine) {
    if life != .running { return end(seeks.endAll(.failed(SeekErrors.playerEnded))) }
    if machine.isAtEnd, machine.current == nil {
      return end(seeks.endAll(.failed(turn.failure ?? SeekErrors.nothingThere)))
    }
    let error = turn.failure ?? SeekErrors.notSeekable(uri: shown?.item.media.uri ?? "")
    end(
      seeks.settled(
        hasPending: machine.hasPendingSeek, inFlight: machine.seekInFlight, item: machine.current?.item, error: error))
  }

  // MARK: The item shown

  private func followItem(_ engine: PlayerEngine, _ presentation: Presentation) {
    let machine = engine.machine
    if let item = presentation.onScreen {
      let isNew = item.deck != shown?.item.deck
      if isNew { leaveShown(isNatural: told.seam == item.deck) }
      shown = ShownItem(
        item: item, index: machine.queue.index(of: item.item) ?? shown?.index ?? 0,
        size: engine.mediaSize(of: item.deck) ?? (isNew ? nil : shown?.size), facts: facts[item.deck] ?? DeckFacts())
      if presentation.predecessor == nil { publishProgress(item, isPlaying: presentation.activity == .playing) }
    }
    if let end = told.end {
      told.end = nil
      reached(end)
    } else if machine.current == nil {
      publishItemEnded()
      if machine.queue.count == 0, shown != nil { forgetItems() }
    }
  }

  /// Forgets the items: none is listed any more, so the frame on the output belongs to no item.
  private func forgetItems() {
    leaveShown(isNatural: false)
    shown = nil
    told.itemStatuses = [:]
    told.problem = nil
    told.hasForgotten = true
  }

  /// Handles an end: no item follows the one shown. Its last frame stays.
  private func reached(_ end: Told.End) {
    let isNatural = !turn.isSkipping && turn.failure == nil
    let isBackwards = (shown?.item.rate ?? 1) < 0
    let deck = shown?.item.deck
    leaveShown(isNatural: isNatural && !isBackwards)
    told.rested = deck
    if end == .ofQueue { turn.events.append(.endOfQueue) }
  }

  /// - Parameter isNatural: whether the item was played to its end.
  private func leaveShown(isNatural: Bool) {
    guard let old = shown else { return }
    if isNatural, !isTimeHeld { carryOut(.reachedEnd(old.item.playedRange?.upperBound ?? old.item.place)) }
    publishItemEnded()
    turn.hasJumped = true
  }

  private func publishItemEnded() {
    guard told.hasStartedEnded else { return }
    told.hasStartedEnded = false
    told.started = nil
    if let item = told.startedItem { turn.events.append(.itemEnded(item, told.startedEnd)) }
  }

  private func publishProgress(_ item: Presentation.Item, isPlaying: Bool) {
    guard !item.isPreparing else { return }
    if told.ready != item.deck {
      told.ready = item.deck
      told.itemStatuses[item.item] = .readyToPlay
      turn.events.append(.itemReady(item.item))
    }
    if told.rested == item.deck, isPlaying { told.announced = item.deck }
    guard told.announced == item.deck, item.isPresented else { return }
    if told.started != item.deck { turn.events.append(.itemStarted(item.item)) }
    told.announced = nil
    told.rested = nil
    told.started = item.deck
    told.startedItem = item.item
    told.problem = nil
  }

  // MARK: Media time

  private func followTime(_ presentation: Presentation) {
    guard let shown, seeks.target == nil else { return }
    // An item that is gone stays at its last position.
    let playhead =
      presentation.onScreen?.playhead ?? Playhead(position: shown.item.place, at: now, rate: 0)
    carryOut(turn.hasJumped || isTimeHeld ? .jumped(playhead) : .moved(playhead))
    isTimeHeld = false
  }

  // MARK: The status

  func publish(showsPosition: Bool) { observers.update(makeStatus(), showsPosition: showsPosition) }

  private func makeStatus() -> PlayerStatus {
    var status = PlayerStatus()
    let presentation = engine.map { $0.machine.presentation(at: $0.now) }
    status.isAtEnd = presentation?.isAtEnd ?? false || life == .stopping || life == .stopped
    status.problem = told.problem
    if let presentation {
      status.timeControlStatus = timeControlStatus(presentation)
      status.rate = presentation.rate
    }
    guard let shown else {
      status.position = seeks.target ?? (told.hasForgotten ? .zero : configuration.startAt)
      return status
    }
    // Between two turns of the loop the machine may show another item already; that is reported with the next turn.
    let known = [presentation?.current, presentation?.predecessor].compactMap(\.self)
    let item = known.first { $0.deck == shown.item.deck } ?? shown.item
    status.itemID = item.item
    status.itemIndex = shown.index
    status.item = item.media
    status.itemStatus = item.isPreparing ? .unknown : .readyToPlay
    if case .failed(let error) = told.itemStatuses[item.item] { status.itemStatus = .failed(error) }
    status.duration = item.duration
    status.presentationSize = shown.size
    status.isLive = item.isLive
    status.isReadyForDisplay = item.hasShownFrames
    status.canSeek = item.canSeek && life == .running
    status.canPlayReverse = item.canPlayReverse && life == .running
    status.canStep = item.canStep && life == .running
    status.tracks = shown.facts.tracks
    status.metadata = shown.facts.metadata
    status.ranges = shown.facts.ranges
    status.sourceKind = item.sourceKind
    status.position = seeks.target.map { target in status.duration.map { min($0, target) } ?? target } ?? item.place
    return status
  }

  private func timeControlStatus(_ presentation: Presentation) -> TimeControlStatus {
    guard life == .running else { return .paused }
    return switch presentation.activity {
    case .paused: .paused
    case .waiting(let reason): .waiting(reason)
    case .playing: .playing
    }
  }
}

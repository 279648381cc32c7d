internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The item on the output, apart from the one that the machine has armed to follow it.
struct ShownItem {
  var deck: PlaybackDeck
  var item: MediaItem?
  /// Place in the queue.
  var index: Int
  var size: PresentationSize?
  var facts = DeckFacts()
}

/// What a deck has found out about its item.
struct DeckFacts: Hashable {
  var tracks: [MediaTrack] = []
  var metadata = MediaMetadata()
  var ranges = MediaRanges()
}

/// Where a finished seek has led.
struct Landing {
  /// What counts as the position: the target of an exact seek, though the frame that covers it begins a little earlier.
  var position: Duration
  var isExact: Bool
  /// The newest frame then.
  var frame: RenderedFrame?
  /// Playback has left it.
  private var isOver = false

  init(target: Duration, isExact wantsExact: Bool, shownAt: Duration, frame: RenderedFrame?) {
    isExact = wantsExact && shownAt <= target && target - shownAt <= SeekTracker.exactReach
    position = isExact ? target : shownAt
    self.frame = frame
  }

  /// A frame from after the target has come, or playback goes back from there: from now on each frame has its own time.
  mutating func follow(_ frame: RenderedFrame, rate: Double) {
    if rate < 0 || frame.streamTime > position { isOver = true }
  }

  /// The position while `frame` is shown.
  func position(of frame: RenderedFrame) -> Duration {
    if frame == self.frame { return position }
    return isExact && !isOver && frame.streamTime < position && position - frame.streamTime <= SeekTracker.exactReach
      ? position : frame.streamTime
  }
}

/// What the player has told.
struct Told {
  enum End {
    case ofItem
    case ofQueue
  }
  var isInitialised = false
  /// The notice of an end that observers haven't been told yet.
  var end: End?
  /// The machine's current deck when it last came to rest.
  var current: DeckID?
  /// The deck that the machine has told as started.
  var announced: DeckID?
  /// The same, if it follows its predecessor by itself: that one is shown until its first frame.
  var seam: DeckID?
  var ready: DeckID?
  /// The deck whose item observers were told as started, and the item.
  var started: DeckID?
  var startedItem: ItemID?
  var hasStartedEnded = false
  /// Why, where it has.
  var startedEnd = ItemEnd.playedOut
  /// The deck whose item has come to its end and stays: played again, it starts again.
  var rested: DeckID?
  var itemStatuses: [ItemID: ItemStatus] = [:]
  /// Items were played, and none is listed any more.
  var hasForgotten = false
  var problem: VitrineError?
}

/// What came up while one fact is handled; told when it has been.
struct Turn {
  var events: [PlayerEvent] = []
  var times: [(id: Int, time: Duration)] = []
  var seekers: [(continuation: CheckedContinuation<SeekOutcome, Never>, outcome: SeekOutcome)] = []
  /// The queue or its order is changed by a call: an item that is left wasn't played to its end.
  var isSkipping = false
  var hasJumped = false
  /// The error of the current item.
  var failure: VitrineError?
  /// What failed in this turn.
  var failedItems: [ItemID: VitrineError] = [:]
}

// From what the machine is to what observers see, each time that a fact has been handled. On the loop.

extension Player {
  func settle() {
    guard let engine else { return }
    let machine = engine.machine
    settleSeeks(machine)
    followItem(engine)
    followTime(machine)
    told.current = machine.current?.id
    // What is told of an item goes with it.
    if told.itemStatuses.count > machine.queue.count {
      let item = shown?.deck.item
      told.itemStatuses = told.itemStatuses.filter { $0.key == item || machine.queue.index(of: $0.key) != nil }
    }
    // Decks are numbered upwards: those before the one shown are gone or going.
    if let oldest = shown?.deck.id { facts = facts.filter { $0.key >= oldest } }
    endTurn()
  }

  /// Publishes the status, then tells what came up.
  func endTurn() {
    let done = turn
    turn = Turn(isSkipping: done.isSkipping)
    publish(showsPosition: done.hasJumped || done.times.contains { $0.id == ObserverRegistry.ownTimes })
    for (id, time) in done.times { observers.tell(id, time: time) }
    for event in done.events { observers.tell(event) }
    for seeker in done.seekers { seeker.continuation.resume(returning: seeker.outcome) }
  }

  private func settleSeeks(_ machine: PlaybackMachine) {
    if life != .running { return end(seeks.endAll(.failed(SeekErrors.playerEnded))) }
    if machine.isAtEnd, machine.current == nil {
      return end(seeks.endAll(.failed(turn.failure ?? SeekErrors.nothingThere)))
    }
    let error = turn.failure ?? SeekErrors.notSeekable(uri: shown?.item?.uri ?? "")
    end(
      seeks.settled(
        hasPending: machine.hasPendingSeek, inFlight: machine.seekInFlight, item: machine.current?.item, error: error))
  }

  // MARK: The item shown

  private func followItem(_ engine: PlayerEngine) {
    let machine = engine.machine
    if let current = machine.current {
      let isNew = current.id != shown?.deck.id
      let showsSomething = current.readiness.hasVideo || current.readiness.hasCard == true
      let isSeam =
        isNew && shown != nil && told.seam == current.id && showsSomething && !current.hasShownFrames
      if !isSeam {
        if isNew { leaveShown(isNatural: told.seam == current.id) }
        shown = ShownItem(
          deck: current, item: current.media, index: machine.queue.index(of: current.item) ?? shown?.index ?? 0,
          size: engine.mediaSize(of: current.id), facts: facts[current.id] ?? DeckFacts())
        tellProgress(current, isPlaying: machine.isPlaying)
      }
    }
    if let end = told.end {
      told.end = nil
      reached(end)
    } else if machine.current == nil {
      tellEnded()
      if machine.queue.count == 0, shown != nil { forgetItems() }
    }
  }

  /// Nothing is listed any more: what is on the output is a frame of no item.
  private func forgetItems() {
    leaveShown(isNatural: false)
    shown = nil
    told.itemStatuses = [:]
    told.problem = nil
    told.hasForgotten = true
  }

  /// Nothing follows the item shown. Its last frame stays.
  private func reached(_ end: Told.End) {
    let isNatural = !turn.isSkipping && turn.failure == nil
    let isBackwards = (shown?.deck.rate ?? 1) < 0
    let deck = shown?.deck.id
    leaveShown(isNatural: isNatural && !isBackwards)
    told.rested = deck
    if isNatural, let end = isBackwards ? shown?.deck.media.start : shown?.deck.playedRange?.upperBound {
      landing = Landing(target: end, isExact: true, shownAt: end, frame: newestFrame)
    }
    if end == .ofQueue { turn.events.append(.endOfQueue) }
  }

  /// - Parameter isNatural: it was played to its end.
  private func leaveShown(isNatural: Bool) {
    guard let old = shown else { return }
    if isNatural, !isTimeHeld { carryOut(.reachedEnd(old.deck.playedRange?.upperBound ?? position(at: now))) }
    tellEnded()
    landing = nil
    turn.hasJumped = true
  }

  private func tellEnded() {
    guard told.hasStartedEnded else { return }
    told.hasStartedEnded = false
    told.started = nil
    if let item = told.startedItem { turn.events.append(.itemEnded(item, told.startedEnd)) }
  }

  private func tellProgress(_ deck: PlaybackDeck, isPlaying: Bool) {
    guard !deck.isPreparing else { return }
    if told.ready != deck.id {
      told.ready = deck.id
      told.itemStatuses[deck.item] = .readyToPlay
      turn.events.append(.itemReady(deck.item))
    }
    if told.rested == deck.id, isPlaying { told.announced = deck.id }
    guard told.announced == deck.id, deck.hasShownFrames || !deck.readiness.hasVideo else { return }
    if told.started != deck.id { turn.events.append(.itemStarted(deck.item)) }
    told.announced = nil
    told.rested = nil
    told.started = deck.id
    told.startedItem = deck.item
    told.problem = nil
  }

  // MARK: Media time

  private var now: Instant { Instant.monotonicNow }

  private var shownFrame: RenderedFrame? { newestFrame?.deck == shown?.deck.id ? newestFrame : nil }

  private func ownPlayhead(at now: Instant) -> Playhead? {
    guard let machine = engine?.machine, let current = machine.current, current.id == shown?.deck.id else { return nil }
    return machine.ownPlayhead(of: current, at: now)
  }

  private func position(at now: Instant) -> Duration {
    guard let shown else { return told.hasForgotten ? .zero : configuration.startAt }
    if let playhead = ownPlayhead(at: now) { return playhead.position(at: now) }
    guard let frame = shownFrame else { return landing?.position ?? shown.deck.position }
    return landing?.position(of: frame) ?? frame.streamTime
  }

  private func playhead(_ machine: PlaybackMachine, at now: Instant) -> Playhead {
    if let playhead = ownPlayhead(at: now) { return playhead }
    let position = position(at: now)
    guard machine.isPlaying, let frame = shownFrame else {
      timeRunsSince = nil
      return Playhead(position: position, at: now, rate: 0)
    }
    let start = timeRunsSince ?? now
    timeRunsSince = start
    return Playhead(
      position: position, at: max(frame.at, start), rate: machine.current?.rate ?? machine.rate,
      isValidFor: .milliseconds(250))
  }

  private func followTime(_ machine: PlaybackMachine) {
    guard shown != nil, seeks.target == nil else { return }
    // A frame that was shown during the seek doesn't say since when time runs again.
    if isTimeHeld { timeRunsSince = nil }
    let playhead = playhead(machine, at: now)
    carryOut(turn.hasJumped || isTimeHeld ? .jumped(playhead) : .moved(playhead))
    isTimeHeld = false
  }

  // MARK: The status

  func publish(showsPosition: Bool) { observers.update(makeStatus(), showsPosition: showsPosition) }

  private func makeStatus() -> PlayerStatus {
    var status = PlayerStatus()
    status.isAtEnd = engine?.machine.isAtEnd ?? false || life == .stopping || life == .stopped
    status.problem = told.problem
    status.position = position(at: now)
    if let machine = engine?.machine {
      status.timeControlStatus = timeControlStatus(machine)
      status.rate = machine.rate
    }
    guard let shown else {
      if let target = seeks.target { status.position = target }
      return status
    }
    let readiness = shown.deck.readiness
    let isReady = !shown.deck.isPreparing
    status.itemID = shown.deck.item
    status.itemIndex = shown.index
    status.item = shown.item
    status.itemStatus = isReady ? .readyToPlay : .unknown
    if case .failed(let error) = told.itemStatuses[shown.deck.item] {
      status.itemStatus = .failed(error)
    }
    status.duration = isReady && !readiness.isLive ? readiness.duration : nil
    status.presentationSize = shown.size
    status.isLive = readiness.isLive
    status.isReadyForDisplay = shown.deck.hasShownFrames
    status.canSeek = shown.deck.canSeek && life == .running
    status.canPlayReverse = isReady && readiness.canPlayReverse && life == .running
    status.canStep = status.canSeek && readiness.frameInterval != nil
    status.tracks = shown.facts.tracks
    status.metadata = shown.facts.metadata
    status.ranges = shown.facts.ranges
    status.sourceKind = shown.deck.sourceKind
    if let target = seeks.target { status.position = status.duration.map { min($0, target) } ?? target }
    return status
  }

  private func timeControlStatus(_ machine: PlaybackMachine) -> TimeControlStatus {
    guard machine.wantsToPlay, !machine.isAtEnd, life == .running else { return .paused }
    if let reason = machine.waitingReason { return .waiting(reason) }
    return machine.isPlaying ? .playing : .waiting(.preparing)
  }
}

extension PlaybackMachine {
  /// Whether the current deck's time runs.
  var isPlaying: Bool {
    if case .playing = current?.phase { return true }
    return false
  }
}

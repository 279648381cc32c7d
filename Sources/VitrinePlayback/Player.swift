public import MainLoop
public import MediaPipeline
public import PlaybackCore

/// Plays items, one after the other, on one output.
///
/// An actor on a GLib loop: its methods run on the loop's thread and return without waiting for the media, except
/// ``seek(to:tolerance:)``, ``captureFrame()`` and ``stop()``, which return when what they ask for is there. What can block
/// runs on other threads. Several players may share an executor, or have one each.
///
/// A player begins paused, and prepares its first item with the first call of ``prepare()``, ``play()``,
/// ``seek(to:tolerance:)`` or ``next()``. Call ``stop()`` before what the output names (a surface, a card) goes; a player that
/// is let go without it takes its pipelines down by itself, some time later.
public actor Player {
  /// The loop that the player lives on.
  public nonisolated let executor: GLibExecutor
  /// The player's methods run on ``executor``.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let configuration: PlayerConfiguration
  private let cards: CardPainter?
  private let clock: MediaClock
  nonisolated let observers = ObserverRegistry()

  enum Life {
    case new
    case running
    case stopping
    case stopped
  }

  var life = Life.new
  private let keeper: LoopKeeper
  var engine: PlayerEngine? {
    get { keeper.held.engine }
    set { keeper.held.engine = newValue }
  }
  /// The time of its engine; there is none before that.
  var now: Instant { engine?.now ?? Instant(nanoseconds: 0) }
  var scheduleTimer: (any EngineTimer)? {
    get { keeper.held.scheduleTimer }
    set { keeper.held.scheduleTimer = newValue }
  }
  var frameTimer: (any EngineTimer)? {
    get { keeper.held.frameTimer }
    set { keeper.held.frameTimer = newValue }
  }
  var shown: ShownItem?
  /// Of the decks that live.
  var facts: [DeckID: DeckFacts] = [:]
  /// A seek is under way, and where playback is isn't known.
  var isTimeHeld = false
  var seeks = SeekTracker()
  var schedule = TimeObserverSchedule()
  var told = Told()
  /// What came up while the fact at hand is handled.
  var turn = Turn()
  private var lastSeek = 0
  private var seekers: [Int: CheckedContinuation<SeekOutcome, Never>] = [:]
  private var stoppers: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - configuration: what to play, and where.
  ///   - executor: the loop to live on; nil makes one with a thread of its own.
  ///   - cards: draws what is to be seen while an item plays that has no picture; without it the last picture stays.
  /// - Throws: 7201 when GStreamer can't start, 7301 when the system has no thread to give.
  public init(
    configuration: PlayerConfiguration, executor: GLibExecutor? = nil, cards: CardPainter? = nil
  ) throws(VitrineError) {
    try self.init(configuration: configuration, executor: executor, cards: cards, clock: .system)
  }

  /// - Parameter clock: by which it plays.
  package init(
    configuration: PlayerConfiguration, executor: GLibExecutor? = nil, cards: CardPainter? = nil, clock: MediaClock
  ) throws(VitrineError) {
    try GStreamerLibrary.start()
    self.clock = clock
    self.configuration = configuration
    self.cards = cards
    if let executor {
      self.executor = executor
    } else {
      self.executor = try GLibExecutor.start(name: "vitrine-player")
    }
    keeper = LoopKeeper(self.executor)
  }

  deinit { observers.finish() }

  // MARK: Commands

  /// Opens the output and prepares the first item. Further calls do nothing.
  public func prepare() {
    guard life == .new else { return }
    life = .running
    let loop = EventLoop(executor: executor)
    let clock = LoopClock(loop, media: clock)
    let machine = PlaybackMachine(
      queue: configuration.items, loops: configuration.loops, startAt: configuration.startAt,
      policy: configuration.policy, seed: .random(in: .min ... .max))
    let ledger = PlaybackLedger(
      processStart: clock.now, queue: machine.queue)
    let engine = PlayerEngine(on: loop, machine: machine, ledger: ledger, clock: clock)
    engine.owner = self
    engine.trackPreferences = configuration.tracks
    engine.access = configuration.access
    engine.cardPainter = cards
    self.engine = engine
    // The player's own observer: a view is shown the position four times a second.
    carryOut(.added(ObserverRegistry.ownTimes, .every(.milliseconds(250))))
    engine.feed(.pauseRequested)
    engine.feed(.start)
    engine.attach(to: configuration.output, sound: configuration.sound, hdr: configuration.hdr)
  }

  /// Plays, as soon as there is something to play, at the rate set last. At the very end, of the queue or of an item that
  /// nothing follows, it does nothing: a seek, an edit of the queue or the choice of another item comes first.
  public func play() {
    prepare()
    engine?.feed(.playRequested)
  }

  /// Holds playback where it is; the frame stays.
  public func pause() {
    prepare()
    engine?.feed(.pauseRequested)
  }

  /// Leads the item shown to a position, and shows its frame there, in a pause too.
  ///
  /// A seek that can't be done yet is kept until it can. One is under way at a time, and of those that come up meanwhile
  /// only the newest is done. Cancelling the task that waits doesn't take the seek back.
  ///
  /// - Parameters:
  ///   - position: media time from the start of the item; taken into the item's length.
  ///   - tolerance: how far from it the frame may be; `SeekTolerance.nearestKeyframe` is there soonest.
  /// - Returns: what became of it, when that is known.
  public func seek(to position: Duration, tolerance: SeekTolerance = .exact) async -> SeekOutcome {
    prepare()
    guard let engine, life == .running else { return .failed(SeekErrors.playerEnded) }
    if engine.machine.current == nil, engine.machine.isAtEnd || engine.machine.queue.count == 0 {
      return .failed(SeekErrors.nothingThere)
    }
    return await withCheckedContinuation { continuation in
      lastSeek += 1
      seekers[lastSeek] = continuation
      end(seeks.requested(lastSeek, to: position.bounded, tolerance, item: engine.machine.current?.item))
      isTimeHeld = true
      carryOut(.held)
      engine.feed(.seekRequested(to: position.bounded, tolerance))
    }
  }

  /// Shows another frame of a paused item.
  ///
  /// - Parameter frames: how many frames after the one shown, or before it where negative. Zero does nothing.
  /// - Returns: what became of it, when that is known; nil where there are no steps: while playing, before the item is
  ///   ready, and in what has no steady frame rate (``PlayerStatus/canStep``).
  public func step(by frames: Int) async -> SeekOutcome? {
    guard let target = engine?.machine.stepTarget(frames) else { return nil }
    return await seek(to: target, tolerance: .exact)
  }

  /// Sets how fast items are played, now and from now on, and plays; sound keeps its pitch. Zero pauses, and ``play()``
  /// goes on at the rate before.
  ///
  /// - Parameter rate: 1 is normal, negative is backwards; taken into the speeds that the policy allows, 0.25 to 4. Not a
  ///   number counts as zero.
  /// - Returns: false, with nothing changed, where the item can't be played backwards, and forwards at the very end, where
  ///   ``play()`` does nothing either.
  @discardableResult
  public func setRate(_ rate: Double) -> Bool {
    prepare()
    guard let engine, life == .running else { return false }
    if rate > 0, engine.machine.isAtEnd { return false }
    engine.feed(.rateRequested(rate))
    guard rate != 0, !rate.isNaN else { return true }
    guard (engine.machine.rate < 0) == (rate < 0) else { return false }
    engine.feed(.playRequested)
    return true
  }

  /// What happens when an item has come to its end; until it is set, the next one follows.
  public func setEndAction(_ action: EndAction) {
    prepare()
    engine?.feed(.endActionChanged(action))
  }

  /// Holds playback back while a visitor drags the position, whatever is wanted; seeks show their frames meanwhile. With
  /// false, playback goes on if it is wanted.
  public func setScrubbing(_ isScrubbing: Bool) {
    prepare()
    engine?.feed(isScrubbing ? .suppressed(.scrubbing) : .unsuppressed(.scrubbing))
  }

  /// Switches a track of the item shown on or off, whatever the preferences say. Of sounds one is heard at a time.
  ///
  /// - Parameters:
  ///   - id: of a track in ``PlayerStatus/tracks``; any other is ignored.
  ///   - isEnabled: whether it is to be on. The status tells the result.
  public func setTrack(_ id: MediaTrack.ID, isEnabled: Bool) {
    guard let deck = shown?.item.deck else { return }
    engine?.setTrack(id, isEnabled: isEnabled, of: deck)
  }

  /// Stops playback and takes everything down. Returns when nothing of the player touches the output any more, or after
  /// 0.8 s with what doesn't answer given up. Every sequence ends, seeks that wait fail with 4104, and no other call has
  /// an effect any more. Stopping twice waits for the same end.
  public func stop() async {
    switch life {
    case .stopped: return
    case .new: finishStopping()
    case .running:
      life = .stopping
      await withCheckedContinuation { continuation in
        stoppers.append(continuation)
        end(seeks.endAll(.failed(SeekErrors.playerEnded)))
        engine?.end { [weak self] in self?.assumeIsolated { $0.finishStopping() } }
      }
    case .stopping: await withCheckedContinuation { stoppers.append($0) }
    }
  }

  private func finishStopping() {
    life = .stopped
    scheduleTimer = nil
    frameTimer = nil
    publish(showsPosition: true)
    lastReport = makeReport()
    lastQueue = engine?.machine.queue
    engine = nil
    observers.finish()
    for stopper in stoppers { stopper.resume() }
    stoppers = []
  }

  // MARK: What is

  /// A copy of the frame on the output, in its own size; nil without one, after ``stop()``, and for frames in memory that only
  /// the screen can read.
  public func captureFrame() async -> CapturedFrame? {
    guard let engine, life == .running else { return nil }
    return await withCheckedContinuation { continuation in
      engine.captureFrame { continuation.resume(returning: $0.frame) }
    }
  }

  /// All that a view shows, as it is now. Any thread, without waiting.
  public nonisolated var status: PlayerStatus { observers.status }

  /// Whether an item of the queue can be played.
  ///
  /// - Parameter index: an index of ``items``; any other is `unknown`.
  public func itemStatus(at index: Int) -> ItemStatus {
    guard items.indices.contains(index) else { return .unknown }
    return itemStatus(of: queue.entries[index].id)
  }

  /// Whether an entry of the queue can be played; `unknown` for one that isn't listed.
  public func itemStatus(of entry: ItemID) -> ItemStatus { told.itemStatuses[entry] ?? .unknown }

  /// What was counted so far: frames, stalls, gaps, seeks. Every number comes from frames that the output has shown.
  /// Nil before the first item is prepared.
  public func report() -> PlaybackReport? { lastReport ?? makeReport() }

  private var lastReport: PlaybackReport?
  /// What there was to play when the player was stopped.
  private(set) var lastQueue: PlayQueue?

  private func makeReport() -> PlaybackReport? {
    guard let engine else { return nil }
    let kind: OutputKind =
      switch configuration.output {
      case .drmPlane: .kms
      case .waylandSurface: .wayland
      case .memory: .headless
      }
    return engine.ledger.report(
      version: "", output: kind, screen: nil, exitCode: 0,
      at: engine.now)
  }

  // MARK: Seeks

  /// Tells those who wait what became of their seeks.
  func end(_ ended: [SeekTracker.Ended]) {
    for seek in ended {
      if case .finished = seek.outcome { turn.hasJumped = true }
      turn.events.append(.seekEnded(seek.item ?? engine?.machine.current?.item, target: seek.target, seek.outcome))
      if let seeker = seekers.removeValue(forKey: seek.id) { turn.seekers.append((seeker, seek.outcome)) }
    }
  }
}

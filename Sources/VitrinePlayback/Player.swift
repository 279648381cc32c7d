public import MainLoop
public import MediaPipeline
public import PlaybackCore

/// Plays items, one after the other, on one output.
///
/// An actor on a GLib loop: its methods run on the loop's thread and return without waiting for the media, except
/// ``seek(to:tolerance:)``, ``captureFrame()`` and ``stop()``, which return when they are done. Blocking work runs on
/// other threads. Several players may share an executor, or have one each.
///
/// A player begins paused, and prepares its first item with the first call of ``prepare()``, ``play()``,
/// ``seek(to:tolerance:)`` or ``next()``. Call ``stop()`` before the output's resources (a surface, a card) are
/// released; a player that is released without it takes its pipelines down by itself, some time later.
public actor Player {
  /// The loop that the player runs on.
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
  /// The engine's time; zero before there is an engine.
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
  /// Facts of the living decks.
  var facts: [DeckID: DeckFacts] = [:]
  /// Whether a seek is under way, so that the position is unknown.
  var isTimeHeld = false
  var seeks = SeekTracker()
  var schedule = TimeObserverSchedule()
  var told = Told()
  /// Reports that came up while the present event is handled.
  var turn = Turn()
  private var lastSeek = 0
  private var seekers: [Int: CheckedContinuation<SeekOutcome, Never>] = [:]
  private var stoppers: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - configuration: the items and the output.
  ///   - executor: the loop to run on; nil makes one with a thread of its own.
  ///   - cards: draws the picture for an item that has none; without it the last picture stays.
  /// - Throws: 7201 when GStreamer can't start, 7301 when the system can't start another thread.
  public init(
    configuration: PlayerConfiguration, executor: GLibExecutor? = nil, cards: CardPainter? = nil
  ) throws(VitrineError) {
    try self.init(configuration: configuration, executor: executor, cards: cards, clock: .system)
  }

  /// - Parameter clock: the clock of its pipelines.
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
    let ledger = PlaybackStatistics(
      processStart: clock.now, queue: machine.queue)
    let engine = PlayerEngine(on: loop, machine: machine, ledger: ledger, clock: clock)
    engine.owner = self
    engine.trackPreferences = configuration.tracks
    engine.access = configuration.access
    engine.cardPainter = cards
    self.engine = engine
    // The player's own observer: views get the position four times a second.
    carryOut(.added(ObserverRegistry.ownTimes, .every(.milliseconds(250))))
    engine.feed(.pauseRequested)
    engine.feed(.start)
    engine.attach(to: configuration.output, sound: configuration.sound, hdr: configuration.hdr)
  }

  /// Plays, as soon as there is an item to play, at the rate set last. It has no effect at the end of the queue, or of
  /// an item that no other follows: a seek, an edit of the queue or the choice of another item has to come first.
  public func play() {
    prepare()
    engine?.feed(.playRequested)
  }

  /// Holds playback at its position; the frame stays.
  public func pause() {
    prepare()
    engine?.feed(.pauseRequested)
  }

  /// Seeks in the item shown, and shows the frame at the target, during a pause too.
  ///
  /// A seek that can't be done yet is kept until it can. One is in flight at a time, and of those that come meanwhile
  /// only the newest is done. Cancelling the waiting task doesn't take the seek back.
  ///
  /// - Parameters:
  ///   - position: media time from the start of the item; clamped to the item's range.
  ///   - tolerance: greatest distance of the frame from it; `SeekTolerance.nearestKeyframe` is the fastest.
  /// - Returns: the outcome, when it is known.
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
  /// - Parameter frames: number of frames after the one shown, or before it where negative. Zero has no effect.
  /// - Returns: the outcome, when it is known; nil where steps are impossible: while playing, before the item is ready,
  ///   and without a steady frame rate (``PlayerStatus/canStep``).
  public func step(by frames: Int) async -> SeekOutcome? {
    guard let target = engine?.machine.stepTarget(frames) else { return nil }
    return await seek(to: target, tolerance: .exact)
  }

  /// Sets the rate of this and all later items, and plays; sound keeps its pitch. Zero pauses, and ``play()`` goes on
  /// at the previous rate.
  ///
  /// - Parameter rate: 1 is normal, negative is backwards; clamped to the rates of the policy, 0.25 to 4. NaN counts as
  ///   zero.
  /// - Returns: false, with nothing changed, where the item can't be played backwards, and forwards at the very end,
  ///   where ``play()`` does nothing either.
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

  /// Sets what playback does when an item has come to its end; the default is the next item.
  public func setEndAction(_ action: EndAction) {
    prepare()
    engine?.feed(.endActionChanged(action))
  }

  /// Holds playback back while a user drags the position; seeks show their frames meanwhile. With false, playback goes
  /// on if it is wanted.
  public func setScrubbing(_ isScrubbing: Bool) {
    prepare()
    engine?.feed(isScrubbing ? .suppressed(.scrubbing) : .unsuppressed(.scrubbing))
  }

  /// Switches a track of the item shown on or off, whatever the preferences say. One sound track plays at a time.
  ///
  /// - Parameters:
  ///   - id: id of a track in ``PlayerStatus/tracks``; any other is ignored.
  ///   - isEnabled: whether the track is to be on. The status shows the result.
  public func setTrack(_ id: MediaTrack.ID, isEnabled: Bool) {
    guard let deck = shown?.item.deck else { return }
    engine?.setTrack(id, isEnabled: isEnabled, of: deck)
  }

  /// Stops playback and takes everything down. Returns when the player no longer touches the output, or after 0.8 s,
  /// when anything that hangs is given up. Every sequence ends, waiting seeks fail with 4104, and later calls have no
  /// effect. A second call waits for the same end.
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

  // MARK: State

  /// A copy of the frame on the output, in its own size; nil without a frame, after ``stop()``, and for frames in
  /// memory that only the screen can read.
  public func captureFrame() async -> CapturedFrame? {
    guard let engine, life == .running else { return nil }
    return await withCheckedContinuation { continuation in
      engine.captureFrame { continuation.resume(returning: $0.frame) }
    }
  }

  /// The player's present state, for views. Any thread, without waiting.
  public nonisolated var status: PlayerStatus { observers.status }

  /// The status of an item of the queue: whether it can be played, as far as is known.
  ///
  /// - Parameter index: an index of ``items``; any other is `unknown`.
  public func itemStatus(at index: Int) -> ItemStatus {
    guard items.indices.contains(index) else { return .unknown }
    return itemStatus(of: queue.entries[index].id)
  }

  /// The status of an entry of the queue; `unknown` for an entry that isn't listed.
  public func itemStatus(of entry: ItemID) -> ItemStatus { told.itemStatuses[entry] ?? .unknown }

  /// The counts so far: frames, stalls, gaps, seeks. Every number comes from frames that the output has shown. Nil
  /// before the first item is prepared.
  public func report() -> PlaybackReport? { lastReport ?? makeReport() }

  private var lastReport: PlaybackReport?
  /// The queue at the time when the player was stopped.
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

  /// Reports the outcome of seeks to their callers.
  func end(_ ended: [SeekTracker.Ended]) {
    for seek in ended {
      if case .finished = seek.outcome { turn.hasJumped = true }
      turn.events.append(.seekEnded(seek.item ?? engine?.machine.current?.item, target: seek.target, seek.outcome))
      if let seeker = seekers.removeValue(forKey: seek.id) { turn.seekers.append((seeker, seek.outcome)) }
    }
  }
}

internal import ContentStore
internal import Displays
internal import Downloads
internal import Glibc
internal import InteractionCore
internal import KioskCore
public import Logging
public import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// Runs a playlist on a screen: feeds facts to the machines, carries out what they say, and owns every resource.
///
/// An actor on a GLib loop of its own: sources, Wayland, timers and signals all call it on that one thread.
public actor Kiosk {
  public nonisolated let executor: GLibExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  var options: KioskOptions
  let log: Logger
  var presenter: OverlayPresenter
  var renderer: OverlayRenderer

  var loop: EventLoop?
  var engine: PlayerEngine?
  var mailbox: Mailbox<KioskEvent>?
  var sources: [EventSource] = []
  var display: (any Display)?
  /// The last display, for the report, after it is gone.
  var lastScreen: (kind: OutputKind, summary: String)?
  var screenRetry: EventSource?
  var overlayTimer: EventSource?
  var stopTimer: EventSource?
  var snapshot = SnapshotState.none
  var card: ErrorCard?
  /// Those of the frame on the screen.
  var subtitles: [SubtitleCue] = []
  var overlayOnScreen: OverlayImage?
  /// Whether more is about to be known that belongs to the next picture.
  var holdsOverlay = false
  var input: KioskInput
  var cards: Screen.Cards?
  /// The model of what is above the picture, to be drawn anew on another screen.
  var overlayModel = OverlayModel.nothing
  var screen = ScreenMachine()
  var hasShownFrame = false
  var newestDeckShown: DeckID?
  var exitAfterSnapshot: Int32?
  var hasSnapshotFailed = false
  var ending: Int32?
  var session: ConfigurationSession?
  var store: StoreKeeper?
  /// Tells that the store before has ended; nil where there is none that has still something to write.
  var endingStore: Mailbox<Void>?
  /// After it nobody waits for that any more.
  var endingStoreTimer: EventSource?
  var clockWait = ClockWait()
  var clockWatch: ClockWatch?
  var storeTimer: EventSource?
  /// By the URI that playback was given, the name in the store.
  var storedNames: [String: String] = [:]
  var urisInUse: [String] = []
  var storeStatusNoted: StoreStatus?
  let storeWorker = BlockingWorker()
  /// A line for whoever stands before the screen.
  var message: String?
  /// Frames of the current deck since the configuration was last asked about.
  var framesSinceLook = 0
  /// The settings by which the screen was opened last.
  var optionsOfScreen: KioskOptions?
  /// Which refresh rate the next item wants, where the mode follows the films.
  var refresh: RefreshMatcher
  /// The beginning of the item that plays, for what is to change with it.
  var soundTimer: EventSource?
  var memory = KioskMemory()
  /// Of faults of ours that are told.
  var unexpectedLines = LineLimit<UnexpectedFact>()
  /// For the status card.
  var host = HostBook()
  private var done: CheckedContinuation<Int32, Never>?

  enum SnapshotState {
    case none
    case waiting(EventSource)
    case taking
    case done
  }

  /// - Throws: `VitrineError` 7201 when GStreamer can't start, 7301 when the system has no thread to give.
  public init(options: KioskOptions, log: Logger) throws {
    self.options = options
    self.log = log
    try GStreamerLibrary.start()
    GStreamerLibrary.configure(options.access)
    Self.avoidDecoders(options, log: log)
    executor = try GLibExecutor.start(name: "vitrine-loop")
    presenter = OverlayPresenter(mode: options.overlay)
    presenter.barStay = options.interaction.barStay
    renderer = OverlayRenderer(theme: Theme(options.look))
    refresh = RefreshMatcher(hold: options.matchHold)
    input = KioskInput(options.interactionNow, screen: options.headlessSize, sound: options.sound)
  }

  /// Plays until the playlist ends, the time is up or a signal comes. Returns the exit code; the report is written.
  public func run() async -> Int32 {
    await withCheckedContinuation { continuation in
      done = continuation
      start()
    }
  }

  // MARK: Start

  private func start() {
    let loop = EventLoop(executor: executor)
    self.loop = loop
    // A finger is answered before the next frame is decoded.
    if !ThreadPriority.answerAtOnce() { log.debug("the loop runs at the ordinary priority: RLIMIT_RTPRIO is 0") }
    let machine = options.makeMachine()
    let engine = PlayerEngine(
      on: loop, machine: machine, ledger: PlaybackLedger(processStart: options.processStart, queue: machine.queue))
    engine.owner = self
    engine.trackPreferences = options.tracks
    engine.decoders = options.decoders
    engine.readList = { [weak self] text, medium, item, reach in
      let redirects = self?.assumeIsolated { $0.options.access.redirects }
      return ServedList.items(of: text, medium, for: item, from: reach, redirects: redirects ?? RedirectPolicy())
    }
    engine.cardPainter = cardPainter
    self.engine = engine
    mailbox = Mailbox(executor: executor) { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    for number in [SIGTERM, SIGINT] {
      sources.append(loop.onSignal(number) { [weak self] in self?.assumeIsolated { $0.end(exitCode: KioskExit.done) } })
    }
    sources.append(loop.onSignal(SIGHUP) { [weak self] in self?.assumeIsolated { $0.reload() } })
    for (number, isOn) in [(SIGUSR1, false), (SIGUSR2, true)] {
      sources.append(loop.onSignal(number) { [weak self] in self?.assumeIsolated { $0.feed(.switched(on: isOn)) } })
    }
    for problem in options.earlierProblems { engine.ledger.outputFailed(problem) }
    // Counted from the first frame; where none comes, the run ends all the same.
    if let limit = options.stopAfter { startStopTimer(limit + RuntimeTiming.firstFrameGrace) }
    engine.feed(.rateRequested(options.rate))
    engine.feed(.start)
    startConfiguration()
    startStore()
    feed(.start)
  }

  func startStopTimer(_ limit: Duration) {
    stopTimer = loop?.after(limit) { [weak self] in self?.assumeIsolated { $0.timeIsUp() } }
  }

  private func timeIsUp() {
    stopTimer = nil
    end(exitCode: hasShownFrame ? KioskExit.done : KioskExit.nothingPlayed)
  }

  private func reload() {
    guard let session else { return log.notice("nothing to reload: no configuration file is in use") }
    session.reload()
  }

  private func receive(_ event: KioskEvent) {
    switch event {
    case .snapshotTaken(let problem): snapshotTaken(problem)
    case .lastPicture(let picture, let problem): keep(picture, problem)
    }
  }

  /// One line for people; what the library said for those who asked for more.
  func log(_ error: VitrineError) {
    log.error("\(error.line)")
    if !error.detail.isEmpty { log.debug("\(error.detail)") }
  }

  // MARK: The end

  /// Ends the run: decks first, then the output, then the display, each with a deadline.
  func end(exitCode: Int32) {
    guard ending == nil else { return }
    ending = exitCode
    feed(.end)
    screenRetry = nil
    overlayTimer = nil
    stopTimer = nil
    soundTimer = nil
    memory.timer = nil
    memory.worker.finish()
    closeInput()
    session?.stop()
    store?.stop()
    endingStore?.close()
    endingStoreTimer = nil
    storeTimer = nil
    storeWorker.finish()
    guard options.keepsLastFrame, !screen.isOff, let display, let engine, let mailbox else { return endEngine() }
    let target = display.target
    stopTimer = loop?.after(RuntimeTiming.lastFrameLimit) { [weak self] in self?.assumeIsolated { $0.keep(nil, nil) } }
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.lastPicture(nil, problem)) }
      let frame = captured.frame?.turned(target.rotation.inverse)
      mailbox.post(.lastPicture(frame.flatMap { SnapshotFile.pixels($0, screen: target.size) }, nil))
    }
  }

  private func keep(_ picture: [UInt32]?, _ problem: VitrineError?) {
    guard ending != nil, stopTimer != nil else { return }
    stopTimer = nil
    if let problem { log.warning("the last frame doesn't stay: \(problem.line)") }
    if let picture, let problem = display?.keep(picture) { log.warning("the last frame doesn't stay: \(problem)") }
    endEngine()
  }

  private func endEngine() {
    guard let exitCode = ending else { return }
    engine?.end { [weak self] in self?.assumeIsolated { $0.finish(exitCode: exitCode) } }
  }

  private func finish(exitCode wanted: Int32) {
    guard let continuation = done, let engine else { return }
    done = nil
    if let display { Screen.close(display, after: engine) }
    cards?.screens.close()
    sources = []
    mailbox?.close()
    var exitCode = wanted
    // All that was ever on the screen is what is wrong with the files.
    if let session, session.active == nil { exitCode = KioskExit.configuration }
    if exitCode == KioskExit.done, hasSnapshotFailed { exitCode = KioskExit.cannotCreate }
    if let path = options.reportPath {
      let report = engine.ledger.report(
        version: Version.text, output: lastScreen?.kind, screen: lastScreen?.summary, exitCode: exitCode,
        at: Instant.monotonicNow)
      do {
        try ReportFile.write(report, to: path)
      } catch {
        log.error("\(error.line)")
        if exitCode == KioskExit.done { exitCode = KioskExit.cannotCreate }
      }
    }
    continuation.resume(returning: exitCode)
  }
}

internal import Displays
internal import Glibc
internal import InteractionCore
public import Logging
public import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore

/// Runs a playlist on a screen: feeds facts to the machines, carries out what they say, and owns every resource.
///
/// An actor on a GLib loop of its own: sources, Wayland, timers and signals all call it on that one thread.
public actor Kiosk {
  public nonisolated let executor: GLibExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let options: KioskOptions
  let log: Logger
  var machine: PlaybackMachine
  var ledger: PlaybackLedger
  var presenter: OverlayPresenter
  let renderer = OverlayRenderer()

  var loop: EventLoop?
  var mailbox: Mailbox<KioskEvent>?
  var sources: [EventSource] = []
  var display: (any Display)?
  /// The last display, for the report, after it is gone.
  var lastScreen: (kind: OutputKind, summary: String)?
  var output: MediaOutput?
  var outputGeneration: UInt32 = 0
  var isOutputReady = false
  /// Outputs on their way out, by generation.
  var retiredOutputs: [UInt32: RetiredOutput] = [:]
  var decks: [DeckID: Deck] = [:]
  /// Decks on their way out, each with the timer that gives it up.
  var leaving: [DeckID: EventSource] = [:]
  var deckItems: [DeckID: Int] = [:]
  var timers: [PlaybackTimer: EventSource] = [:]
  var screenRetry: EventSource?
  var overlayTimer: EventSource?
  var soundRetry: EventSource?
  var stopTimer: EventSource?
  var snapshot = SnapshotState.none
  var card: ErrorCard?
  var overlayOnScreen: OverlayImage?
  var hasWaitedForScreen = false
  var exitAfterSnapshot: Int32?
  var hasSnapshotFailed = false

  private var pending: [PlaybackEvent] = []
  private var isFeeding = false
  var ending: Ending?
  private var done: CheckedContinuation<Int32, Never>?

  enum SnapshotState {
    case none
    case waiting(EventSource)
    case taking
    case done
  }

  struct RetiredOutput {
    var display: (any Display)?
    var output: MediaOutput
    var deadline: EventSource
  }

  /// The run is over; what is still to go down.
  struct Ending {
    var exitCode: Int32
    var deadline: EventSource?
    var isOutputClosing = false
  }

  /// - Throws: `VitrineError` 7201 when GStreamer can't start, 7301 when the system has no thread to give.
  public init(options: KioskOptions, log: Logger) throws {
    self.options = options
    self.log = log
    try GStreamerLibrary.start()
    do {
      executor = try GLibExecutor()
    } catch {
      throw VitrineError(
        7301, subject: "main loop", message: "the system has no thread to give", remedy: "check its limits",
        detail: "\(error)")
    }
    machine = PlaybackMachine(
      queue: options.queue, loops: options.loops, startAt: options.startAt, policy: options.policy)
    ledger = PlaybackLedger(processStart: options.processStart, queue: options.queue)
    presenter = OverlayPresenter(mode: options.overlay)
  }

  /// Plays until the playlist ends, the time is up or a signal comes. Returns the exit code; the report is written.
  public func run() async -> Int32 {
    await withCheckedContinuation { continuation in
      done = continuation
      start()
    }
  }

  var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }

  // MARK: Start

  private func start() {
    let loop = EventLoop(executor: executor)
    self.loop = loop
    mailbox = Mailbox(executor: executor) { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    for number in [SIGTERM, SIGINT] {
      sources.append(loop.onSignal(number) { [weak self] in self?.assumeIsolated { $0.end(exitCode: KioskExit.done) } })
    }
    sources.append(loop.onSignal(SIGHUP) { [weak self] in self?.assumeIsolated { $0.reload() } })
    for problem in options.earlierProblems { ledger.outputFailed(problem) }
    if let limit = options.stopAfter { startStopTimer(limit) }
    feed(.start)
    openScreen()
  }

  func startStopTimer(_ limit: Duration) {
    stopTimer = loop?.after(limit) { [weak self] in self?.assumeIsolated { $0.timeIsUp() } }
  }

  private func timeIsUp() {
    stopTimer = nil
    end(exitCode: ledger.framesRendered > 0 ? KioskExit.done : KioskExit.nothingPlayed)
  }

  private func reload() {
    guard let reload = options.reload else { return log.notice("nothing to reload: no configuration file is in use") }
    do {
      let queue = try reload()
      log.notice("configuration reloaded: \(queue.count) items")
      ledger.queueReplaced(queue)
      feed(.queueReplaced(queue))
    } catch {
      log.error("the old configuration stays in use: \(error.line)")
    }
  }

  // MARK: Facts in, commands out

  private func receive(_ event: KioskEvent) {
    switch event {
    case .deck(let id, let event): receive(event, from: id)
    case .output(let generation, let event):
      if generation == outputGeneration {
        receive(event)
      } else if case .closed = event {
        outputRetired(generation)
      }
    case .snapshotTaken(let problem): snapshotTaken(problem)
    }
  }

  /// Hands a fact to the machine and carries out what it says. Facts that come up meanwhile wait for their turn: effects
  /// never call the machine.
  func feed(_ event: PlaybackEvent) {
    pending.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    defer { isFeeding = false }
    while !pending.isEmpty {
      let actions = machine.handle(pending.removeFirst(), at: now)
      for action in actions { perform(action) }
    }
    refreshOverlay()
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
    ending = Ending(exitCode: exitCode)
    ledger.ended(at: now)
    screenRetry = nil
    overlayTimer = nil
    stopTimer = nil
    feed(.stopRequested)
    ending?.deadline = loop?.after(RuntimeTiming.finalTeardown) { [weak self] in
      self?.assumeIsolated { $0.closeOutput() }
    }
    endIfQuiet()
  }

  /// Goes on with the end as soon as the last deck is down.
  func endIfQuiet() {
    guard let ending, !ending.isOutputClosing, leaving.isEmpty else { return }
    closeOutput()
  }

  private func closeOutput() {
    guard ending?.isOutputClosing == false else { return }
    ending?.isOutputClosing = true
    guard let output else { return finish() }
    ending?.deadline = loop?.after(RuntimeTiming.finalTeardown) { [weak self] in self?.assumeIsolated { $0.finish() } }
    output.close()
  }

  func finish() {
    guard let ending, let continuation = done else { return }
    done = nil
    let report = ledger.report(
      version: Version.text, output: lastScreen?.kind, screen: lastScreen?.summary, exitCode: ending.exitCode, at: now)
    // Closed, but kept until the process ends: a sink that hangs may still hold objects of the display's connection.
    display?.close()
    output = nil
    timers = [:]
    leaving = [:]
    sources = []
    mailbox?.close()
    var exitCode = ending.exitCode
    if exitCode == KioskExit.done, hasSnapshotFailed { exitCode = KioskExit.cannotCreate }
    if let path = options.reportPath {
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

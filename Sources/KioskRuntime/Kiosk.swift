internal import Glibc
internal import InteractionCore
internal import KioskCore
public import Logging
public import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

/// A run of the player: makes its parts, connects them, and ends them. It decides nothing.
///
/// There is a `ScreenSession` for each screen; `ConfigurationSession` says what they play, `StoreSession` keeps copies
/// of it. An actor on a GLib loop of its own: sources, compositors, timers and signals all call it on that one thread,
/// which is also the thread of its parts.
public actor Kiosk {
  public nonisolated let executor: GLibExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let log: Logger
  var options: KioskOptions
  var screens: ScreenGroup?
  var configuration: ConfigurationSession?
  var store: StoreSession?
  var control: ControlServer?
  var clock: CertificateClock?
  var memory: MemoryTrimmer?
  var survival: SurvivalSession?
  var health: HealthReporter?
  /// Errors that belong to no item, for the report.
  var problems = ProblemLog()
  /// The web server for status, and the reports to other servers.
  var telemetry = TelemetrySession()
  var run = Run()

  /// The run's beginning and end.
  struct Run {
    var limit: RunLimit?
    /// Passes GStreamer's warnings on to the log.
    var libraryLog: LibraryLog?
    var signals: [EventSource] = []
    var done: CheckedContinuation<Int32, Never>?
    /// The exit code; nil while the run goes on.
    var ending: Int32?
  }

  /// - Throws: `VitrineError` 7201 when GStreamer can't start, 7301 when the system can't start another thread.
  public init(options: KioskOptions, log: Logger) throws {
    self.options = options
    self.log = log
    try GStreamerLibrary.start()
    GStreamerLibrary.leaveOutSinks()
    GStreamerLibrary.leaveOutSources()
    GStreamerLibrary.leaveOutDecoders()
    AvoidedDecoders.avoid(options, log: log)
    executor = try GLibExecutor.start(name: "vitrine-loop")
  }

  /// Plays until the playlist ends, the time is up or a signal comes. Returns the exit code; the report is written.
  public func run() async -> Int32 {
    await withCheckedContinuation { continuation in
      run.done = continuation
      start()
    }
  }

  /// Runs to the end and blocks this thread meanwhile.
  public nonisolated func runToEnd() -> Int32 { waitInThisThread(on: executor) { await self.run() } }

  // MARK: Start

  private func start() {
    let loop = EventLoop(executor: executor)
    // The loop's thread goes first, so that touches are answered before the next frame is decoded.
    if !ThreadPriority.answerAtOnce() { log.debug("the loop runs at the ordinary priority: RLIMIT_RTPRIO is 0") }
    for problem in options.earlierProblems {
      problems.append(problem)
      telemetry.reportProblem(problem)
    }
    onSignals(of: loop)
    run.libraryLog = LibraryLog(on: executor, to: log)
    memory = MemoryTrimmer(on: loop)
    let cards = ScreenCards(on: loop, options, log: log) { [log] error in
      log.report(error)
      problems.append(error)
    }
    let screens = ScreenGroup(on: loop, cards: cards, owner: self, log: log)
    self.screens = screens
    screens.serial.owner = self
    clock = CertificateClock(on: loop) { [weak self] in self?.assumeIsolated { $0.clockWasSet() } }
    run.limit = RunLimit(options.stopAfter, on: loop) { [weak self] in self?.assumeIsolated { $0.timeIsUp() } }
    let boot = options.configuration?.boot.active
    screens.follow(ScreenPlan.all(options, boot, boot?.decisionNow))
    startConfiguration(on: loop)
    survival = SurvivalSession(options, on: loop, log: log, rests: { [weak screens] in screens?.rests ?? true }) {
      [weak self] code in self?.assumeIsolated { $0.end(exitCode: code) }
    }
    if let card = survival?.card { screens.showCard(card) }
    followControl()
    followTelemetry()
    let runtime = options.configuration?.directories.runtime
    store = StoreSession(options.store, runtime: runtime, on: loop, owner: self, log: log)
    store?.start()
    screens.openDisplays()
    health = HealthReporter(options.manager, of: screens, on: loop, log: log)
  }

  private func onSignals(of loop: EventLoop) {
    let commands: [(Int32, Command)] = [
      (SIGTERM, .quit), (SIGINT, .quit), (SIGHUP, .reload), (SIGUSR1, .switchScreen(isOn: false)),
      (SIGUSR2, .switchScreen(isOn: true)),
    ]
    run.signals = commands.map { number, command in
      loop.onSignal(number) { [weak self] in self?.assumeIsolated { _ = $0.perform(command) } }
    }
  }

  private func startConfiguration(on loop: EventLoop) {
    guard let setup = options.configuration else { return }
    let session = ConfigurationSession(setup, on: loop, screens, owner: self, log: log)
    configuration = session
    if setup.boot.active == nil { screens?.showCard(.configurationErrors(setup.boot.refusal)) }
    session.start()
  }

  // MARK: Commands

  /// Carries out a command, wherever it comes from: touches, keys, signals, the socket, HTTP or MQTT.
  ///
  /// - Parameter name: the screen that is meant; nil means all of them.
  @discardableResult
  func perform(_ command: Command, on name: String? = nil) -> KioskReply {
    guard run.ending == nil else { return .refused(.isEnding) }
    switch command {
    case .quit: end(exitCode: KioskExit.done)
    case .reload: return reload()
    case .retry(let uri): return options.survival?.forgive(uri) == true ? .done : .refused(.notLeftOut)
    default: return screens?.perform(command, on: name) ?? .refused(.noSuchScreen)
    }
    return .done
  }

  // MARK: The end

  var isEnding: Bool { run.ending != nil }

  private func timeIsUp() { end(exitCode: screens?.hasShownFrame == true ? KioskExit.done : KioskExit.nothingPlayed) }

  /// Ends the run: first the screens, each with its deadlines, then the parts that they share.
  func end(exitCode: Int32) {
    guard run.ending == nil else { return }
    run.ending = exitCode
    run.limit = nil
    health?.stop()
    memory?.stop()
    clock?.stop()
    configuration?.stop()
    store?.stop()
    screens?.end(isReplaced: exitCode == KioskExit.temporaryFailure) { [weak self] in
      self?.assumeIsolated { $0.screensEnded() }
    }
  }

  private func screensEnded() {
    guard let ending = run.ending, let done = run.done else { return }
    run.done = nil
    let code = ReportFile.write(
      screens?.report(problems, exitCode: exitCode(ending)), options, exitCode: exitCode(ending), log: log)
    control?.stop()
    telemetry.stop()
    run.libraryLog = nil
    survival?.stop(exitCode: code)
    done.resume(returning: code)
  }

  private func exitCode(_ wanted: Int32) -> Int32 {
    // The screen showed only the configuration's errors.
    if let configuration, configuration.active == nil { return KioskExit.configuration }
    return wanted == KioskExit.done && screens?.hasSnapshotFailed == true ? KioskExit.cannotCreate : wanted
  }

  /// Tries servers again whose certificates were refused because the clock was wrong.
  private func clockWasSet() {
    log.info("the clock has been set: items refused because of the clock are tried again")
    GStreamerLibrary.forgetFailures()
    screens?.feed(.clockSet)
    store?.clockWasSet()
  }
}

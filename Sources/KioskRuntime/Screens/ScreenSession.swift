internal import ConfigurationFiles
internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The kiosk as a screen sees it: takes the screen's notices and answers its questions. Called on the loop.
protocol ScreenSessionOwner: AnyObject {
  func screen(_ name: String?, tells notice: ScreenNotice)
  /// Carries out a command that isn't for one screen alone.
  func screen(_ name: String?, asksFor command: Command) -> KioskReply
  /// Whether the settings in use may yet be rolled back.
  func screenAsksForRollBack() -> Bool
  /// The status of the whole player, for the status card.
  func screenAsksForStatus() -> KioskStatus
}

/// One screen and its playback: a display, an engine, the overlay above them, and the input devices that belong to
/// them.
///
/// It decides nothing. `ScreenMachine` decides on the display, `PlaybackMachine` on the items, `InteractionMachine` on
/// the meaning of touches and keys and on the overlay; the session brings them facts and carries out their actions.
/// Confined to the loop's thread.
final class ScreenSession {
  /// The screen's name in the configuration; empty where there is only one screen, without a name.
  var key: String { name ?? "" }
  /// The screen's name in the configuration; nil where there is only one screen, without a name.
  let name: String?
  let loop: EventLoop
  private let clock: any EngineClock
  let log: Logger
  let engine: PlayerEngine
  weak var owner: (any ScreenSessionOwner)?
  /// The options for this screen.
  var options: KioskOptions
  var output: ScreenOutput
  let inputs: ScreenInputs
  var interaction: InteractionMachine
  var overlay: OverlayLayer
  var snapshot = Snapshot()
  var frames = FrameWatch()
  var content = ScreenContent()
  /// Limits the log lines on the player's own faults.
  var unexpectedLines = LineLimit<UnexpectedFact>()
  private var turnDepth = 0
  private var timers: [Timer: any EngineTimer] = [:]
  private(set) var hasEnded = false
  /// Whether its playlist has ended.
  var isOver = false
  /// Called with the frame that is to stay on the screen, while the session waits for it.
  var lastFrameCaptured: (([UInt32]?, VitrineError?) -> Void)?

  /// Called when the last sink that was detached is down, or given up.
  var sinksAreDown: (() -> Void)?
  /// Records the decks' steps for the next process; nil where nothing is recorded.
  private(set) var steps: StepRecorder?
  /// Sends the messages of cues; nil for a screen outside a group.
  var cues: CueSession?
  /// Reports the plays; nil where proof of play is off.
  var plays: PlayTeller?

  /// The session's timers, one for each purpose.
  enum Timer: Hashable {
    case display, overlay, interaction, sound, snapshot, lastFrame, play
  }

  /// - Parameters:
  ///   - place: the screen's number among all screens that this run has had.
  ///   - clock: nil is the loop's.
  ///   - cards: opens the displays of all screens.
  ///   - inputs: the input devices of all screens that no compositor handles.
  init(
    _ plan: ScreenPlan, place: Int = 0, on loop: EventLoop, clock: (any EngineClock)? = nil, cards: any DisplayOpener,
    inputs: ScreenInputs, log: Logger
  ) {
    let clock = clock ?? LoopClock(loop)
    self.clock = clock
    let options = plan.options
    name = plan.name.isEmpty ? nil : plan.name
    self.loop = loop
    self.log = log
    var machine = options.resumed(options.makeMachine(for: plan.name), on: plan.name)
    machine.numberDecks(asScreen: place)
    engine = PlayerEngine(
      on: loop, machine: machine, ledger: PlaybackStatistics(processStart: options.processStart, queue: machine.queue),
      clock: clock, makeOutput: options.makeOutput)
    self.options = options
    output = ScreenOutput(cards: cards, hold: options.settings.display.matchHold)
    interaction = InteractionMachine(
      options.interactionNow, mode: options.settings.overlay.osd, screen: options.headlessSize,
      sound: options.settings.audio)
    interaction.drawsBeforeSeeking = options.interaction.scrubbing.pacing == .newestWins
    self.inputs = inputs
    overlay = OverlayLayer(options.settings.overlay.look, options.visitorTexts)
  }

  var now: Instant { clock.now }
  var machine: PlaybackMachine { engine.machine }

  // MARK: The run

  /// Begins the playlist, as far as it can without a display.
  func startPlayback() {
    engine.owner = self
    engine.trackPreferences = options.tracks
    engine.decoders = options.decoders
    engine.access = options.settings.network.access
    engine.readList = { [weak self] text, medium, item, reach in
      let redirects = self?.options.settings.network.access.redirects ?? RedirectPolicy()
      return ServedList.items(
        of: text, medium, for: item, from: reach, redirects: redirects, networks: SystemNetworks.current)
    }
    engine.cardPainter = overlay.cardPainter
    record()
    engine.watchOverlay { [weak self] in self?.output.display?.busySince }
    engine.feed(.rateRequested(options.rate))
    engine.feed(.start)
  }

  /// Records the decks' steps, so that the next process knows what crashed this one, and keeps items in quarantine from
  /// playing.
  private func record() {
    guard let book = options.survival else { return }
    let steps = StepRecorder(book, screen: key)
    self.steps = steps
    engine.trace = { [weak self] _, event, actions in if let self { steps.recordStep(event, actions, machine) } }
    engine.withholds = { [weak self] item in self.flatMap { book.withholds(RecordedItem(item, in: $0.machine)) } }
  }

  /// Ends playback: decks first, then the output, each with a deadline. The display is closed last.
  ///
  /// - Parameter waitsForSinks: waits for the sinks that were detached before, too. They hold their screen until then:
  ///   if the process goes on, another session may need it.
  func end(waitsForSinks: Bool = false, then done: @escaping () -> Void) {
    guard !hasEnded else { return }
    hasEnded = true
    playsAreStopping()
    cues?.closed(name)
    handleScreenEvent(.end)
    timers = [:]
    inputs.leave(key)
    keepLastFrame { [self] in
      engine.end { [self] in
        stopPlays()
        let display = output.display
        output.display = nil
        if let display { ScreenOutput.close(display, after: engine) { calling("the screen is released", $0) } }
        guard waitsForSinks, engine.isDetaching else { return leave(then: done) }
        sinksAreDown = { [self] in leave(then: done) }
      }
    }
  }

  private func leave(then done: () -> Void) {
    output.cards.leave(key)
    snapshot.mailbox?.close()
    done()
  }

  // MARK: Commands

  /// Carries out a command for this screen, wherever it comes from.
  func perform(_ command: Command) -> KioskReply {
    guard !hasEnded else { return .refused(.isEnding) }
    guard command.isOfScreen else { return owner?.screen(name, asksFor: command) ?? .refused(.isEnding) }
    if command.changesSound, !options.settings.audio.isEnabled { return .refused(.noSound) }
    switch command {
    case .switchScreen(let isOn): handleScreenEvent(.switched(on: isOn))
    case .playClip(let address): return insertClip(ItemResolver().resolve([address]).items.first, named: address)
    case .playOnce(let request):
      return insertClip(options.clip(request), named: request.words, at: request.start, isHeld: request.isHeldAtEnd)
    default:
      switch command.facts(for: machine) {
      case .success(let fact): engine.feed(fact)
      case .failure(let refusal): return .refused(refusal)
      case nil:
        if let refusal = interaction.refusal(of: command) { return .refused(refusal) }
        feedInteraction(.commanded(command))
      }
    }
    return .done
  }

  // MARK: Turns

  /// Runs `body` as one turn: the overlay is drawn once, at its end, with all that has changed. If drawing takes longer
  /// than the time between touch events, a drawing for each event would lag more and more.
  func turn(_ body: () -> Void) {
    turnDepth += 1
    body()
    turnDepth -= 1
    if turnDepth == 0, overlay.isStale { drawOverlay() }
  }

  /// Draws the overlay, now or at the end of the turn; to be called when it may have changed.
  func overlayChanged() {
    overlay.isStale = true
    if turnDepth == 0 { drawOverlay() }
  }

  // MARK: Timers

  func startTimer(_ timer: Timer, at due: Instant?, _ fire: @escaping () -> Void) {
    timers[timer] = due.map { due in
      clock.after(max(.milliseconds(1), due - now)) { [weak self] in
        self?.timers[timer] = nil
        fire()
      }
    }
  }

  func startTimer(_ timer: Timer, after wait: Duration, _ fire: @escaping () -> Void) {
    timers[timer] = clock.after(wait) { [weak self] in
      self?.timers[timer] = nil
      fire()
    }
  }

  func stopTimer(_ timer: Timer) { timers[timer] = nil }

  // MARK: Log, status and report

  func logProblem(_ error: VitrineError) { log.report(error) }

  func reportProblem(_ error: VitrineError) { owner?.screen(name, tells: .problem(error)) }

  /// The status of this screen alone.
  var status: KioskStatus.Screen {
    var status = KioskStatus.Screen(
      name: name, presence: presence, playback: KioskStatus.Playback(machine, at: now),
      counters: engine.ledger.counters)
    (status.output, status.summary) = (output.last?.kind, output.display?.summary)
    status.projector = output.projector?.status
    status.gaps = KioskStatus.Gaps(engine.ledger.gapSummary)
    status.silentSeconds = engine.ledger.lastShownAt.map { (now - $0).inSeconds }
    if case .frame(let due, _) = machine.owedProgress(stays: frames.stays, at: now) {
      status.overdueSeconds = max(0, (now - due).inSeconds)
    }
    if options.settings.audio.isEnabled { status.sound = KioskStatus.Sound(interaction.volume) }
    return status
  }

  /// The media that the decks have open.
  var openMedia: [MediaItem] { [machine.current, machine.next].compactMap { $0?.media } }

  /// The report on this screen so far.
  func report(_ problems: ProblemLog, exitCode: Int32) -> PlaybackReport {
    var report = engine.ledger.report(
      version: Version.text, output: output.last?.kind, screen: output.last?.summary, problems: problems,
      exitCode: exitCode, at: now)
    report.name = name
    return report
  }

  var presence: KioskStatus.Screen.Presence { output.presence }
}

/// The content of a screen that its machines don't keep.
struct ScreenContent {
  /// The loop's items while the visitors' list plays; nil otherwise.
  var attractLoop: [MediaItem]?
  /// The kept lists of servers, and in `toldLists` the version of each that playback has.
  var keptLists = KeptLists()
  var toldLists: [String: String] = [:]
  /// The engine's notices since it last settled. They are acted on when it settles: its queue may be edited then.
  var notices: [PlaybackNotice] = []
  /// The subtitles of the frame on the screen.
  var subtitles: [SubtitleCue] = []
  var card: ErrorCard?
  /// A line for whoever stands before the screen.
  var message: VisitorText?
  /// Sentences above all else, the newest first.
  var alerts: [ShownAlert] = []
  /// The list to go back to, while an alert's playlist plays.
  var takeover: AlertTakeover?
  /// The films that visitors choose from.
  var tiles = TileContent()
}

/// Counts the frames of a screen, for the judgement on a new configuration and on the screen's health.
struct FrameWatch {
  var hasShownFrame = false
  var newestDeck: DeckID?
  /// Frames since the last verdict on the configuration, of decks with items that it lists.
  var sinceLook = 0
  /// When the last of those frames was shown, or heard.
  private(set) var lastAt: Instant?
  /// The first deck whose frames count for the configuration; nil for all.
  private var firstDeck: DeckID?
  /// How long the last frame of the current deck says that it stays; nil where it doesn't.
  var stays: Duration?
  /// How often playback has acted on missing frames.
  var remedies = 0

  /// The longest gap on a slow board between the end of one item and the first frame of the next.
  static let seam = HealthPolicy().seam

  /// Counts a frame of a deck that was shown, or a sound that was heard.
  mutating func recordOutput(_ deck: DeckID, at: Instant) {
    if let firstDeck, deck < firstDeck { return }
    sinceLook += 1
    lastAt = at
  }

  /// Starts the count again with `deck`: other items are listed.
  mutating func listen(from deck: DeckID?) {
    firstDeck = deck ?? firstDeck
    sinceLook = 0
    lastAt = nil
  }
}

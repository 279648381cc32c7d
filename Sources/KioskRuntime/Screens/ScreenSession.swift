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

/// What a screen tells the kiosk, by its name. Called on the loop.
protocol ScreenSessionOwner: AnyObject {
  func screen(_ name: String?, tells notice: ScreenNotice)
  /// A command that isn't for one screen alone.
  func screen(_ name: String?, asksFor command: Command) -> KioskReply
  /// Whether the settings in use may yet be rolled back.
  func screenAsksForRollBack() -> Bool
  /// How everything fares, for the status card.
  func screenAsksForStatus() -> KioskStatus
}

/// What the kiosk is told of a screen, in the past tense.
enum ScreenNotice: Sendable {
  /// The settings in use have no screen: they are to be rolled back.
  case settingsFailed(VitrineError)
  /// There is no screen, and none is waited for.
  case failed(VitrineError)
  /// It was switched, has come or has gone.
  case presenceChanged
  /// An error that belongs to no item.
  case problem(VitrineError)
  case firstFrame
  case itemStarted(MediaItem)
  case itemFailed(MediaItem, VitrineError)
  case reconnecting(VitrineError)
  /// What plays may have other files open than before.
  case settled
  case decoderIsSilent(String)
  /// A pipeline doesn't answer and was given up; or its output shows nothing, and what could be done here hasn't helped.
  case pipelinesHang(isOutput: Bool)
  /// The status card has come up: what it shows of the machine is to be asked anew.
  case statusCardOpened
  /// The playlist has come to its end, and a snapshot that was due is written.
  case playlistEnded
}

/// One screen with what plays on it: a display, an engine, the overlay above them, and the input that belongs to them.
///
/// It decides nothing. `ScreenMachine` says what becomes of the display, `PlaybackMachine` what plays, `InteractionMachine` what
/// touches and keys mean and what is above the picture; this carries facts to them and effects from them. Confined to the loop's
/// thread.
final class ScreenSession {
  /// As the configuration has it; empty where there is only one screen, without a name.
  var key: String { name ?? "" }
  /// From the configuration; nil where there is only one screen, without a name.
  let name: String?
  let loop: EventLoop
  private let clock: any EngineClock
  let log: Logger
  let engine: PlayerEngine
  weak var owner: (any ScreenSessionOwner)?
  /// What holds of this screen.
  var options: KioskOptions
  var output: ScreenOutput
  let inputs: ScreenInputs
  var interaction: InteractionMachine
  var overlay: OverlayLayer
  var snapshot = Snapshot()
  var frames = FrameWatch()
  var content = ScreenContent()
  /// Of faults of ours that are told.
  var unexpectedLines = LineLimit<UnexpectedFact>()
  private var turnDepth = 0
  private var timers: [Timer: any EngineTimer] = [:]
  private(set) var hasEnded = false
  /// Its playlist has come to its end.
  var isOver = false
  /// Hears of the frame that is to stay on the screen, while that is waited for.
  var lastFrameCaptured: (([UInt32]?, VitrineError?) -> Void)?

  /// Called when the last sink that was let go of is down, or given up.
  var sinksAreDown: (() -> Void)?
  /// Writes down what decks do; nil where nothing is written down.
  private(set) var steps: StepRecorder?
  /// Tells what has been shown; nil where that isn't written down.
  var plays: PlayTeller?

  /// What is waited for.
  enum Timer: Hashable {
    case display, overlay, interaction, sound, snapshot, lastFrame, play
  }

  /// - Parameters:
  ///   - place: among all screens that this run has had.
  ///   - clock: nil is the loop's.
  ///   - cards: opens displays, of all screens.
  ///   - inputs: devices that no compositor hands on, of all screens.
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
      on: loop, machine: machine, ledger: PlaybackLedger(processStart: options.processStart, queue: machine.queue),
      clock: clock, makeOutput: options.makeOutput)
    self.options = options
    output = ScreenOutput(cards: cards, hold: options.matchHold)
    interaction = InteractionMachine(
      options.interactionNow, mode: options.overlay, screen: options.headlessSize, sound: options.sound)
    interaction.drawsBeforeSeeking = options.interaction.scrubbing.pacing == .newestWins
    self.inputs = inputs
    overlay = OverlayLayer(options.look)
  }

  var now: Instant { clock.now }
  var machine: PlaybackMachine { engine.machine }

  // MARK: The run

  /// The playlist begins, as far as it can without a screen.
  func startPlayback() {
    engine.owner = self
    engine.trackPreferences = options.tracks
    engine.decoders = options.decoders
    engine.access = options.access
    engine.readList = { [weak self] text, medium, item, reach in
      let redirects = self?.options.access.redirects ?? RedirectPolicy()
      return ServedList.items(
        of: text, medium, for: item, from: reach, redirects: redirects, networks: SystemNetworks.current)
    }
    engine.cardPainter = overlay.cardPainter
    record()
    engine.watchOverlay { [weak self] in self?.output.display?.busySince }
    engine.feed(.rateRequested(options.rate))
    engine.feed(.start)
  }

  /// What ends the process is known to the next one, and what has ended it isn't played.
  private func record() {
    guard let book = options.survival else { return }
    let steps = StepRecorder(book, screen: key)
    self.steps = steps
    engine.trace = { [weak self] _, event, actions in if let self { steps.recordStep(event, actions, machine) } }
    engine.withholds = { [weak self] item in self.flatMap { book.withholds(RecordedItem(item, in: $0.machine)) } }
  }

  /// Ends playback: decks first, then the output, each with a deadline. The display is closed last.
  ///
  /// - Parameter waitsForSinks: whether sinks that were let go of before are waited for too. Their screen is theirs until then: where
  ///   the process goes on, another may want it.
  func end(waitsForSinks: Bool = false, then done: @escaping () -> Void) {
    guard !hasEnded else { return }
    hasEnded = true
    playsAreStopping()
    tellScreen(.end)
    timers = [:]
    inputs.leave(key)
    keepLastFrame { [self] in
      engine.end { [self] in
        stopPlays()
        let display = output.display
        output.display = nil
        if let display { ScreenOutput.close(display, after: engine) { calling("the screen is let go", $0) } }
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

  /// One door for every way to steer this screen.
  func perform(_ command: Command) -> KioskReply {
    guard !hasEnded else { return .refused(.isEnding) }
    guard command.isOfScreen else { return owner?.screen(name, asksFor: command) ?? .refused(.isEnding) }
    if command.changesSound, !options.sound.isEnabled { return .refused(.noSound) }
    switch command {
    case .switchScreen(let isOn): tellScreen(.switched(on: isOn))
    case .playClip(let clip): return insertClip(clip)
    default:
      switch command.facts(for: machine) {
      case .success(let fact): engine.feed(fact)
      case .failure(let refusal): return .refused(refusal)
      case nil: tellInteraction(.commanded(command))
      }
    }
    return .done
  }

  // MARK: Turns

  /// What happens within counts as one turn of the loop: the overlay is drawn once, at its end, when all of it is known. Where
  /// drawing takes longer than fingers take to move, a picture for each event would come later and later.
  func turn(_ body: () -> Void) {
    turnDepth += 1
    body()
    turnDepth -= 1
    if turnDepth == 0, overlay.isStale { drawOverlay() }
  }

  /// To be called when what is above the picture may be another thing.
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

  // MARK: For people

  func tell(_ error: VitrineError) { log.tell(error) }

  func tellProblem(_ error: VitrineError) { owner?.screen(name, tells: .problem(error)) }

  /// Of this screen alone.
  var status: KioskStatus.Screen {
    var status = KioskStatus.Screen(
      name: name, presence: presence, playback: KioskStatus.Playback(machine, at: now),
      counters: engine.ledger.counters)
    status.output = output.last?.kind
    status.summary = output.display?.summary
    status.gaps = KioskStatus.Gaps(engine.ledger.gapSummary)
    status.silentSeconds = engine.ledger.lastShownAt.map { (now - $0).inSeconds }
    if case .frame(let due, _) = machine.owedProgress(stays: frames.stays, at: now) {
      status.overdueSeconds = max(0, (now - due).inSeconds)
    }
    if options.sound.isEnabled { status.sound = KioskStatus.Sound(interaction.volume) }
    return status
  }

  /// What decks have open.
  var openMedia: [MediaItem] { [machine.current, machine.next].compactMap { $0?.media } }

  /// What has become of it so far.
  func report(_ problems: ProblemLog, exitCode: Int32) -> PlaybackReport {
    var report = engine.ledger.report(
      version: Version.text, output: output.last?.kind, screen: output.last?.summary, problems: problems,
      exitCode: exitCode, at: now)
    report.name = name
    return report
  }

  var presence: KioskStatus.Screen.Presence {
    output.machine.isOff ? .asleep : output.display == nil ? .none : .on
  }
}

/// What a screen shows, and is to show, apart from what its machines know.
struct ScreenContent {
  /// While visitors have their own list.
  var attractLoop: [MediaItem]?
  /// Lists of servers, and the version of each that playback was told.
  var keptLists = KeptLists()
  var toldLists: [String: String] = [:]
  /// What the engine has told of items and is to be acted on when it has settled: its queue may be edited then.
  var notices: [PlaybackNotice] = []
  /// Those of the frame on the screen.
  var subtitles: [SubtitleCue] = []
  var card: ErrorCard?
  /// A line for whoever stands before the screen.
  var message: String?
}

/// What is counted of frames by whoever has to know that some have come.
struct FrameWatch {
  var hasShownFrame = false
  var newestDeck: DeckID?
  /// Frames since the configuration was last asked about, of decks of what it lists.
  var sinceLook = 0
  /// When the last of those was shown, or heard.
  private(set) var lastAt: Instant?
  /// The first deck of what the configuration lists; nil for all.
  private var firstDeck: DeckID?
  /// How long the last one of the current deck says that it stays; nil where it doesn't.
  var stays: Duration?
  /// How often something was done for frames that don't come.
  var remedies = 0

  /// From the end of one item to the first frame of the next it may take so long on a slow board.
  static let seam = HealthPolicy().seam

  /// Something of a deck was shown, or heard.
  mutating func note(_ deck: DeckID, at: Instant) {
    if let firstDeck, deck < firstDeck { return }
    sinceLook += 1
    lastAt = at
  }

  /// Other items are listed: what is counted begins anew, with this deck.
  mutating func listen(from deck: DeckID?) {
    firstDeck = deck ?? firstDeck
    sinceLook = 0
    lastAt = nil
  }
}

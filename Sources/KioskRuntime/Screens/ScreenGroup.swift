internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import Supervision
internal import VitrinePlayback

/// All screens of a run, and the parts and states that they share. Confined to the loop's thread.
final class ScreenGroup {
  private(set) var all: [ScreenSession] = []
  /// Whether no screen owes a frame: each shows a picture that stays, sleeps, or waits for its display.
  var rests: Bool { all.allSatisfy(\.health.owesNothing) }
  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ScreenSessionOwner)?
  private let clock: (any EngineClock)?
  private let cards: any DisplayOpener
  private let inputs: ScreenInputs
  /// The number of screens that are closing; `ended` is called when the last one has closed.
  private var leaving = 0
  private var ended: (() -> Void)?
  /// The copies and lists in use; a screen that comes later needs them, too.
  private var copies: [String: MediaCopy] = [:]
  private var lists = KeptLists()
  /// Sentences above all else; nil until the first plans are followed.
  private(set) var alerts: AlertSession?
  /// Messages to other machines; nil until the first plans are followed.
  private(set) var cues: CueSession?
  /// Pictures of the films that visitors choose from; nil until some are wanted.
  private var posters: PosterSession?
  private var isAwake = (bySchedule: true, byHand: true)
  private var opensDisplays = false
  /// The screens whose displays haven't been opened yet.
  private var waiting: [ScreenSession] = []
  /// Keeps the screens' places over a loss of power; nil where they aren't kept.
  private var keeper: ResumeStore?
  /// The number of screens made so far.
  private var made = 0
  /// The folder for proof of play; nil where it is off.
  private var playFolder: PlayFolder?
  /// Writes the proof of play; nil until it is first needed.
  private var plays: PlayLogWriter?
  /// The number of the set of plans in use.
  private var generation = 0

  /// - Parameter clock: nil is the loop's.
  init(
    on loop: EventLoop, clock: (any EngineClock)? = nil, cards: any DisplayOpener, owner: any ScreenSessionOwner,
    log: Logger
  ) {
    self.loop = loop
    self.clock = clock
    self.cards = cards
    self.owner = owner
    self.log = log
    inputs = ScreenInputs(on: loop, clock: clock, log: log) { [weak owner] error in
      owner?.screen(nil, tells: .problem(error))
    }
  }

  /// The serial lines, for commands and for cues.
  var serial: SerialSession { inputs.serial }

  // MARK: The set of screens

  /// Follows new plans: new screens begin to play, as far as they can without a display; screens without a plan close;
  /// the others apply their new options.
  func follow(_ plans: [ScreenPlan]) {
    guard ended == nil else { return }
    generation += 1
    let mine = generation
    let gone = all.filter { screen in !plans.contains { $0.name == screen.key } }
    let before = all
    let plans = generation == 1 ? resumed(plans) : plans
    if let options = plans.first?.options {
      serial.follow(options)
      // Before the alerts: those of the previous run are shown, and told, at once.
      followCues(options)
      followAlerts(options)
    }
    cards.setScreens(plans)
    inputs.setScreens(plans)
    followPlays(plans)
    all = plans.map { plan in before.first { $0.key == plan.name } ?? make(plan) }
    for screen in gone { close(screen, waitsForSinks: true) }
    for (screen, plan) in zip(all, plans) {
      observePlays(of: screen)
      // One screen may have caused a rollback of the configuration: the others have followed that already.
      guard generation == mine else { return }
      if before.contains(where: { $0 === screen }) {
        apply(plan.options, on: screen)
      } else {
        screen.startPlayback()
        waiting.append(screen)
      }
    }
    // The new lists may have an alert's playlist, or lack it.
    for screen in all { showAlerts(on: screen) }
    followPosters()
    openWaiting()
  }

  /// The run's first plans, with the places that were saved before the power loss.
  private func resumed(_ plans: [ScreenPlan]) -> [ScreenPlan] {
    guard let path = plans.first?.options.placesPath else { return plans }
    let saved = PlacesFile.read(path)
    keeper = ResumeStore(path, written: saved, on: loop, clock: clock ?? LoopClock(loop), log: log) { [weak self] in
      Dictionary((self?.all ?? []).map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
    }
    return plans.map { plan in
      var plan = plan
      plan.options.resumePoints.merge(saved ?? [:]) { own, _ in own }
      return plan
    }
  }

  private func followAlerts(_ options: KioskOptions) {
    if alerts == nil {
      alerts = AlertSession(options, on: loop, clock: clock ?? LoopClock(loop), owner: owner, log: log) {
        [weak self] in
        for screen in self?.all ?? [] { self?.showAlerts(on: screen) }
      }
    }
    alerts?.follow(options)
  }

  private func followCues(_ options: KioskOptions) {
    // Also without any cue: those of a later configuration have to know what plays.
    let cues =
      cues ?? CueSession(on: loop, clock: clock ?? LoopClock(loop), owner: owner, serial: serial, log: log)
    self.cues = cues
    cues.follow(options)
  }

  /// Makes pictures of the films that visitors choose from, on whichever screen.
  private func followPosters() {
    let films = all.flatMap { $0.options.interactionNow.attract.hasTiles ? $0.options.visitorsQueue : [] }
    guard let options = all.first?.options, posters != nil || !films.isEmpty else { return }
    let session =
      posters
      ?? PosterSession(
        folder: options.configuration?.directories.posters, on: loop, clock: clock ?? LoopClock(loop),
        prober: PosterSession.prober(options), log: log)
    posters = session
    session.onChange = { [weak self] in for screen in self?.all ?? [] { screen.filmsChanged() } }
    session.follow(films, copies: copies)
    for screen in all { screen.content.tiles.posters = session }
  }

  /// Writes proof of play to the folder that the options name now, or stops writing.
  private func followPlays(_ plans: [ScreenPlan]) {
    let folder = plans.first?.options.playFolder
    guard folder != playFolder else { return }
    for screen in all { screen.observePlays(nil) }
    playFolder = folder
    guard let folder else { return }
    if let plays { return plays.follow(folder) }
    plays = PlayLogWriter(
      folder, earlier: generation == 1 ? plans.first?.options.earlierPlays ?? [] : [], on: loop,
      clock: clock ?? LoopClock(loop), log: log)
  }

  private func observePlays(of screen: ScreenSession) {
    guard playFolder != nil else { return screen.observePlays(nil) }
    screen.observePlays { [weak plays] in plays?.recordPlays($0) }
  }

  /// Opens the displays, from now on also those of later screens.
  func openDisplays() {
    opensDisplays = true
    openWaiting()
  }

  /// Waits until closing screens are down: they may hold the same connector.
  private func openWaiting() {
    guard opensDisplays, leaving == 0, ended == nil else { return }
    let screens = waiting
    waiting = []
    for screen in screens where all.contains(where: { $0 === screen }) { screen.handleScreenEvent(.start) }
  }

  private func make(_ plan: ScreenPlan) -> ScreenSession {
    let screen = ScreenSession(plan, place: made, on: loop, clock: clock, cards: cards, inputs: inputs, log: log)
    made += 1
    screen.owner = owner
    screen.cues = cues
    let projector = ProjectorSession(
      of: screen.name, on: loop, clock: clock ?? LoopClock(loop), owner: owner, log: log)
    projector.follow(plan.options.settings.display)
    screen.output.projector = projector
    if !copies.isEmpty { screen.engine.feed(.copiesChanged(copies)) }
    screen.keep(lists)
    if !isAwake.bySchedule { screen.handleScreenEvent(.scheduleWants(on: false)) }
    if !isAwake.byHand { screen.handleScreenEvent(.switched(on: false)) }
    showAlerts(on: screen)
    return screen
  }

  private func close(_ screen: ScreenSession, waitsForSinks: Bool = false) {
    leaving += 1
    screen.end(waitsForSinks: waitsForSinks) { [self] in screenIsDown() }
  }

  private func screenIsDown() {
    leaving -= 1
    guard leaving == 0 else { return }
    guard let ended else { return openWaiting() }
    cues?.stop()
    serial.stop()
    cards.close()
    // Each screen has reported its last play when it was down.
    guard let plays else { return ended() }
    plays.end(then: ended)
  }

  /// Closes all screens, each with its deadlines; calls `done` when the last one is down.
  ///
  /// - Parameter isReplaced: another process takes over, and the picture stays for it if possible.
  func end(isReplaced: Bool = false, then done: @escaping () -> Void) {
    // A kill because this takes too long must not count against the media that play.
    CrashRecorder.ends(.asked)
    alerts?.stop()
    posters?.stop()
    if isReplaced, cards.outlives {
      // Like a killed process: whatever is closed would take its picture along.
      _ = Unmanaged.passRetained(self)
      for screen in all { screen.observePlays(nil) }
      guard let plays else { return done() }
      return plays.end(then: done)
    }
    ended = done
    generation += 1
    // Keeps the count above zero while the loop below closes screens: some are down at once.
    leaving += 1
    // Saves the places before the screens close their decks.
    if let keeper {
      leaving += 1
      keeper.end { [self] in screenIsDown() }
    }
    for screen in all { close(screen) }
    screenIsDown()
  }

  // MARK: Events for all screens

  func handle(_ event: ScreenMachine.Event) {
    if case .scheduleWants(let isOn) = event {
      // A switch by hand holds until the schedule's next change.
      if isOn != isAwake.bySchedule { isAwake.byHand = true }
      isAwake.bySchedule = isOn
    }
    for screen in all { screen.handleScreenEvent(event) }
  }

  func feed(_ event: PlaybackEvent) { for screen in all { screen.engine.feed(event) } }

  /// Plays items from these copies from now on, and the entries of these lists in place of the lists.
  func play(from copies: [String: MediaCopy], _ lists: KeptLists) {
    self.copies = copies
    self.lists = lists
    for screen in all {
      screen.engine.feed(.copiesChanged(copies))
      screen.keep(lists)
    }
    posters?.copiesChanged(copies)
  }

  /// A line for whoever stands before any of them; nil takes it away.
  func say(_ message: VisitorText?) { for screen in all { screen.say(message) } }

  func showCard(_ card: ErrorCard) { for screen in all { screen.showCard(card) } }

  /// - Parameter name: the screen that is meant; nil means all of them.
  func perform(_ command: Command, on name: String?) -> KioskReply {
    if case .switchScreen(let isOn) = command, name == nil { isAwake.byHand = isOn }
    let wanted = all.filter { name == nil || $0.name == name }
    guard !wanted.isEmpty else { return .refused(.noSuchScreen) }
    switch command {
    case .alert(let request): return alerts?.show(request, on: name) ?? .refused(.isEnding)
    case .endAlert(let id): return alerts?.end(id) ?? .refused(.isEnding)
    default: break
    }
    let replies = wanted.map { $0.perform(command) }
    return replies.first { $0 != .done } ?? .done
  }

  // MARK: States of all screens

  var status: [KioskStatus.Screen] { all.map(\.status) }

  /// The media that decks have open.
  var openMedia: [MediaItem] { all.flatMap(\.openMedia) }

  var hasShownFrame: Bool { all.contains { $0.frames.hasShownFrame } }

  var hasSnapshotFailed: Bool { all.contains { $0.snapshot.hasFailed } }

  /// The number of pipelines that hang at this moment.
  var hungPipelines: Int { all.reduce(0) { $0 + $1.engine.hungDecks.count } }

  /// The items in hanging pipelines, if they are recorded.
  var hungItems: [HungItem] { all.flatMap { $0.steps?.items(of: $0.engine.hungDecks) ?? [] } }

  /// The exit code when all playlists have ended; nil while one goes on.
  var exitCodeAtEnd: Int32? {
    guard all.allSatisfy(\.isOver) else { return nil }
    return all.contains { $0.engine.ledger.hasPlayedSomething } ? KioskExit.done : KioskExit.nothingPlayed
  }

  /// The best presence of any screen: on, else asleep, else none.
  var presence: KioskStatus.Screen.Presence {
    let presences = all.map(\.presence)
    return presences.contains(.on) ? .on : presences.contains(.asleep) ? .asleep : .none
  }

  /// The report of the first screen; where there are several, it contains the reports of all.
  func report(_ problems: ProblemLog, exitCode: Int32) -> PlaybackReport? {
    var report = all.first?.report(problems, exitCode: exitCode)
    if all.count > 1 { report?.screens = all.map { $0.report(ProblemLog(), exitCode: exitCode) } }
    return report
  }
}

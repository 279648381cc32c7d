internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import Supervision
internal import VitrinePlayback

/// All screens of a run: which there are, what they share, and what holds of them together. Confined to the loop's thread.
final class ScreenGroup {
  private(set) var all: [ScreenSession] = []
  /// Whether none of them owes anything: each shows a picture that stays, sleeps, or waits for its screen.
  var rests: Bool { all.allSatisfy(\.health.owesNothing) }
  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ScreenSessionOwner)?
  private let clock: (any EngineClock)?
  private let cards: any DisplayOpener
  private let inputs: ScreenInputs
  /// Screens that are going down, and what follows when the last is down.
  private var leaving = 0
  private var ended: (() -> Void)?
  /// What a screen that comes later has to know too.
  private var copies: [String: MediaCopy] = [:]
  private var lists = KeptLists()
  private var isOnBySchedule = true
  private var isSwitchedOn = true
  private var opensDisplays = false
  /// Those whose displays haven't been opened yet.
  private var waiting: [ScreenSession] = []
  /// Where its screens are is kept over a loss of power; nil where that is nowhere.
  private var keeper: PlaceKeeper?
  /// How many there have been.
  private var made = 0
  /// Where what its screens have shown is written down; nil where that isn't wanted.
  private var playFolder: PlayFolder?
  /// Who does that; nil until it is wanted.
  private var plays: PlayKeeper?
  /// Which set of plans is followed.
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
    inputs = ScreenInputs(on: loop, log: log)
  }

  // MARK: Which there are

  /// Screens that are new begin to play, as far as they can without a display; those that are gone go down; those that stay play
  /// by what holds of them now.
  func follow(_ plans: [ScreenPlan]) {
    guard ended == nil else { return }
    generation += 1
    let mine = generation
    let gone = all.filter { screen in !plans.contains { $0.name == screen.key } }
    let before = all
    let plans = generation == 1 ? resumed(plans) : plans
    cards.setScreens(plans)
    inputs.setScreens(plans)
    followPlays(plans)
    all = plans.map { plan in before.first { $0.key == plan.name } ?? make(plan) }
    for screen in gone { close(screen, waitsForSinks: true) }
    for (screen, plan) in zip(all, plans) {
      tellPlays(of: screen)
      // What was done for one may have taken the configuration back: then the others follow that already.
      guard generation == mine else { return }
      if before.contains(where: { $0 === screen }) {
        screen.apply(plan.options)
      } else {
        screen.startPlayback()
        waiting.append(screen)
      }
    }
    openWaiting()
  }

  /// The first ones go on where they were when the power went.
  private func resumed(_ plans: [ScreenPlan]) -> [ScreenPlan] {
    guard let path = plans.first?.options.placesPath else { return plans }
    let saved = PlacesFile.read(path)
    keeper = PlaceKeeper(path, written: saved, on: loop, clock: clock ?? LoopClock(loop), log: log) { [weak self] in
      Dictionary((self?.all ?? []).map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
    }
    return plans.map { plan in
      var plan = plan
      plan.options.resumePoints.merge(saved ?? [:]) { own, _ in own }
      return plan
    }
  }

  /// Writes down what is shown from now on, in the folder that is wanted now, or no longer.
  private func followPlays(_ plans: [ScreenPlan]) {
    let folder = plans.first?.options.playFolder
    guard folder != playFolder else { return }
    for screen in all { screen.tellPlays(nil) }
    playFolder = folder
    guard let folder else { return }
    if let plays { return plays.follow(folder) }
    plays = PlayKeeper(
      folder, earlier: generation == 1 ? plans.first?.options.earlierPlays ?? [] : [], on: loop,
      clock: clock ?? LoopClock(loop), log: log)
  }

  private func tellPlays(of screen: ScreenSession) {
    guard playFolder != nil else { return screen.tellPlays(nil) }
    screen.tellPlays { [weak plays] in plays?.takePlays($0) }
  }

  /// Opens the displays; of screens that come later too.
  func openDisplays() {
    opensDisplays = true
    openWaiting()
  }

  /// Not before those that have gone are down: they may hold the same connector.
  private func openWaiting() {
    guard opensDisplays, leaving == 0, ended == nil else { return }
    let screens = waiting
    waiting = []
    for screen in screens where all.contains(where: { $0 === screen }) { screen.tellScreen(.start) }
  }

  private func make(_ plan: ScreenPlan) -> ScreenSession {
    let screen = ScreenSession(plan, place: made, on: loop, clock: clock, cards: cards, inputs: inputs, log: log)
    made += 1
    screen.owner = owner
    if !copies.isEmpty { screen.engine.feed(.copiesChanged(copies)) }
    screen.keep(lists)
    if !isOnBySchedule { screen.tellScreen(.scheduleWants(on: false)) }
    if !isSwitchedOn { screen.tellScreen(.switched(on: false)) }
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
    cards.close()
    // Each screen has told its last play when it was down.
    guard let plays else { return ended() }
    plays.end(then: ended)
  }

  /// All go down, each with its deadlines; `done` is called when the last is down.
  ///
  /// - Parameter isReplaced: another process takes over, and what is shown stays for it where that can be.
  func end(isReplaced: Bool = false, then done: @escaping () -> Void) {
    // Who takes too long for it is killed, and hasn't died of what plays.
    RunMemory.ends(.asked)
    if isReplaced, cards.outlives {
      // As when it is killed: whatever is closed takes its picture along.
      _ = Unmanaged.passRetained(self)
      for screen in all { screen.tellPlays(nil) }
      guard let plays else { return done() }
      return plays.end(then: done)
    }
    ended = done
    generation += 1
    // Some are down at once, while others haven't been told yet.
    leaving += 1
    // Before they let go of what plays.
    if let keeper {
      leaving += 1
      keeper.end { [self] in screenIsDown() }
    }
    for screen in all { close(screen) }
    screenIsDown()
  }

  // MARK: All of them

  func tell(_ event: ScreenMachine.Event) {
    if case .scheduleWants(let isOn) = event {
      // What was switched by hand stays until the schedule says something else.
      if isOn != isOnBySchedule { isSwitchedOn = true }
      isOnBySchedule = isOn
    }
    for screen in all { screen.tellScreen(event) }
  }

  func feed(_ event: PlaybackEvent) { for screen in all { screen.engine.feed(event) } }

  /// Items play from these copies from now on, and entries of these lists in the place of the lists.
  func play(from copies: [String: MediaCopy], _ lists: KeptLists) {
    self.copies = copies
    self.lists = lists
    for screen in all {
      screen.engine.feed(.copiesChanged(copies))
      screen.keep(lists)
    }
  }

  /// A line for whoever stands before any of them; nil takes it away.
  func say(_ message: String?) { for screen in all { screen.say(message) } }

  func showCard(_ card: ErrorCard) { for screen in all { screen.showCard(card) } }

  /// - Parameter name: of the one that is meant; nil means all of them.
  func perform(_ command: Command, on name: String?) -> KioskReply {
    if case .switchScreen(let isOn) = command, name == nil { isSwitchedOn = isOn }
    let wanted = all.filter { name == nil || $0.name == name }
    guard !wanted.isEmpty else { return .refused(.noSuchScreen) }
    let replies = wanted.map { $0.perform(command) }
    return replies.first { $0 != .done } ?? .done
  }

  // MARK: What holds of them together

  var status: [KioskStatus.Screen] { all.map(\.status) }

  /// What decks have open.
  var openMedia: [MediaItem] { all.flatMap(\.openMedia) }

  var hasShownFrame: Bool { all.contains { $0.frames.hasShownFrame } }

  var hasSnapshotFailed: Bool { all.contains { $0.snapshot.hasFailed } }

  /// How many pipelines hang at this moment.
  var hungPipelines: Int { all.reduce(0) { $0 + $1.engine.hungDecks.count } }

  /// What they play, as far as that is written down.
  var hungItems: [HungItem] { all.flatMap { $0.steps?.items(of: $0.engine.hungDecks.keys) ?? [] } }

  /// With what the run ends when all playlists have come to their end; nil while one goes on.
  var exitCodeAtEnd: Int32? {
    guard all.allSatisfy(\.isOver) else { return nil }
    return all.contains { $0.engine.ledger.hasPlayedSomething } ? KioskExit.done : KioskExit.nothingPlayed
  }

  /// One that shows nothing is enough to doubt the settings, and one that sleeps says nothing of them.
  func framesVerdict() -> Bool? {
    let verdicts = all.compactMap { $0.framesVerdict() }
    return verdicts.isEmpty ? nil : !verdicts.contains(false)
  }

  /// Whether somebody could see what plays, on any of them.
  var presence: KioskStatus.Screen.Presence {
    let presences = all.map(\.presence)
    return presences.contains(.on) ? .on : presences.contains(.asleep) ? .asleep : .none
  }

  /// Of the first screen; where there are several, of each by its name in it.
  func report(_ problems: ProblemLog, exitCode: Int32) -> PlaybackReport? {
    var report = all.first?.report(problems, exitCode: exitCode)
    if all.count > 1 { report?.screens = all.map { $0.report(ProblemLog(), exitCode: exitCode) } }
    return report
  }
}

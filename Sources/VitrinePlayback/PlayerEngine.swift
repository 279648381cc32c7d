package import MainLoop
package import MediaPipeline
package import PlaybackCore

/// Runs the playback machine: feeds it events, carries out its actions, and owns decks, timers and output.
///
/// Confined to the loop's thread. `PlaybackMachine` decides what plays when. The choice of decoder is made below the
/// machine, by the decoders' past failures (decision 0109).
package final class PlayerEngine {
  package private(set) var machine: PlaybackMachine
  package var ledger: PlaybackStatistics
  package weak var owner: (any PlayerEngineOwner)?
  /// Whether the screen is dark: missing frames are no stall then.
  package var isUnseen = false { didSet { if isUnseen != oldValue { updateLedger() } } }
  /// Preferred sound and subtitles, for decks that are built from now on.
  package var trackPreferences = TrackPreferences(subtitles: .off)
  /// A visitor's choice of tracks, over those preferences: for all decks, at once.
  package var trackWish = TrackWish() {
    didSet {
      guard trackWish != oldValue else { return }
      for deck in decks.values { deck.setTracks(tracks(for: deck.ownRecipe.item)) }
      feed(.versionChosen(isSigned: trackWish.isSigned))
    }
  }
  /// Draws the picture for items without one, in decks that are built from now on.
  package var cardPainter: CardPainter?
  /// Rules for the board's decoders, for decks that are built from now on.
  package var decoders = DecoderPolicy()
  /// How servers are reached and how the player authenticates to them, for decks that are built from now on. Setting it
  /// reads a file of certificates.
  package var access: ServerAccess {
    get { servers.access }
    set { if newValue != access { servers = ServerSetup(source: machine.policy.source, access: newValue) } }
  }
  private(set) var servers: ServerSetup

  /// The server settings for a deck that is about to be built, by the present policy.
  func currentServers() -> ServerSetup {
    if servers.source != machine.policy.source {
      servers = ServerSetup(source: machine.policy.source, access: servers.access)
    }
    return servers
  }

  /// Parses a list of addresses that a server sent in place of an item; the last argument is the reach of that server,
  /// where known. Without a parser such items fail.
  package var readList: (([UInt8], ServedMedium, MediaItem, NetworkReach?) -> [MediaItem])?

  /// Returns the reason why an item must not be played; nil lets it be built.
  package var withholds: ((MediaItem) -> VitrineError?)?

  /// Receives every event of the machine with its actions: for recordings of real runs.
  package var trace: ((Instant, PlaybackEvent, [PlaybackAction]) -> Void)?

  var mailbox: Mailbox<EngineEvent>?
  let clock: any EngineClock
  let makeOutput: OutputFactory
  var outputs = EngineOutputs()
  /// The volume and mute set during playback; the next output begins with them.
  package internal(set) var volume: Double?
  package internal(set) var isMuted: Bool?
  /// The overlay to draw into frames, and the wait for a frame to draw it into.
  var overlay: OverlayPixels?
  var overlayTimer: (any EngineTimer)?
  var watch = Watch()
  var decks: [DeckID: any EngineDeck] = [:]
  var ladder = DecoderFallback()
  var decoderWaits: [DeckID: DecoderWait] = [:]
  /// Decks that are being rebuilt under the same number.
  var rebuilds: [DeckID: Rebuild] = [:]
  var book = DeckBook()
  var leaving = LeavingDecks()
  var timers: [PlaybackTimer: any EngineTimer] = [:]
  private var pending: [PlaybackEvent] = []
  private var isFeeding = false
  var ending: Ending?
  /// Whether playback is over, and everything of the last output is down or given up.
  var hasEnded = false
  var subtitles = SubtitleFollower()
  private let checksums = FileChecksums()
  /// Checks in progress: a file with a checksum is read whole before it is opened.
  private var checks: [DeckID: FileCheck] = [:]
  var newestFrame: RenderedFrame?
  var subtitleTimer: (any EngineTimer)?
  var rangesTimer: (any EngineTimer)?

  /// The end of the engine, in progress.
  struct Ending {
    var done: () -> Void
    var deadline: (any EngineTimer)?
    var isOutputClosing = false
  }

  /// - Parameters:
  ///   - loop: the loop whose thread the engine is confined to.
  ///   - machine: the machine in its first state.
  ///   - ledger: counts the shown frames.
  ///   - clock: the engine's and its pipelines' time; nil takes the loop's.
  ///   - makeOutput: makes an output, each time that the engine is attached to a screen.
  package init(
    on loop: EventLoop, machine: PlaybackMachine, ledger: PlaybackStatistics, clock: (any EngineClock)? = nil,
    makeOutput: @escaping OutputFactory = MediaOutput.make
  ) {
    self.clock = clock ?? LoopClock(loop)
    self.makeOutput = makeOutput
    self.machine = machine
    self.ledger = ledger
    servers = ServerSetup(source: machine.policy.source)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { event in reference.value?.receiveEngineEvent(event) }
  }

  /// The time of this engine.
  package var now: Instant { clock.now }

  var output: (any EngineOutput)? { outputs.current }

  /// Whether a sink failed to go down in time: it may hold its screen for as long as the process lives.
  package var hasAbandonedOutput: Bool { outputs.hasAbandoned }

  /// Decks that were given up and haven't come down since. Each keeps a thread and its memory.
  package var hungDecks: Set<DeckID> { Set(leaving.hung.keys) }

  // MARK: Facts of decks

  /// Decoded size of a deck's picture.
  package func mediaSize(of deck: DeckID) -> PresentationSize? { book[deck]?.size }

  /// A deck's item's own description of itself, as far as it is known yet.
  package func metadata(of deck: DeckID) -> MediaMetadata? { book[deck]?.metadata }
  /// The tracks of a deck's item, and which of them are on; empty while unknown.
  package func tracks(of deck: DeckID) -> [MediaTrack] { book[deck]?.tracks ?? [] }

  /// Loaded and seekable parts of a deck's item.
  package func ranges(of deck: DeckID) -> MediaRanges? { book[deck]?.ranges }

  // MARK: Events in, actions out

  /// Feeds an event to the machine and carries out its actions. Events that come up meanwhile are queued: an action
  /// never calls the machine.
  package func feed(_ event: PlaybackEvent) {
    pending.append(event)
    guard !isFeeding else { return }
    isFeeding = true
    var isOnlyFrame = true
    while !pending.isEmpty {
      let before = machine.queue.entries
      let (event, now) = (pending.removeFirst(), now)
      let actions = machine.handle(event, at: now)
      trace?(now, event, actions)
      if !actions.isEmpty || !isFurtherFrame(event) { isOnlyFrame = false }
      if machine.queue.entries != before { ledger.queueChanged(machine.queue) }
      for action in actions { perform(action) }
      updateLedger()
    }
    isFeeding = false
    followSubtitles()
    tell(.settled(isOnlyFrame: isOnlyFrame))
  }

  /// While playback waits for data, frames stay due: a late one counts as a stall.
  private func updateLedger() {
    ledger.held(isUnseen || !machine.wantsToPlay || !machine.suppressions.isEmpty, at: now)
    if let deck = machine.current { ledger.follows(deck.id, rate: deck.rate, waitsUntil: deck.waitsUntil) }
  }

  /// Whether an event is a frame of the current film, after the first ones with which it takes over the screen.
  private func isFurtherFrame(_ event: PlaybackEvent) -> Bool {
    guard case .frameShown(let id, _, let epoch) = event, let deck = machine.current, deck.id == id else {
      return false
    }
    return deck.epoch == epoch && deck.framesShown > Self.framesOfSeam && !deck.isSoundOnly
  }

  /// The first frame replaces the previous film's, the second proves it.
  private static let framesOfSeam = 2

  private func receiveEngineEvent(_ event: EngineEvent) {
    switch event {
    case .deck(let id, let incarnation, let event):
      // The deck has come down after all; its other state went when it was given up.
      if case .gone = event, leaving.cameDown(id, incarnation: incarnation) { return }
      guard incarnation == book[id]?.incarnation ?? 0 else {
        if case .gone = event { rebuild(id) }
        return
      }
      if !followDecoder(event, of: id) { receiveDeckEvent(event, from: id) }
    case .checked(let id, let sum):
      // A cancelled check isn't reported.
      if checks.removeValue(forKey: id) != nil { feed(.fileChecked(id, sha256: sum)) }
    case .output(let generation, let event):
      if generation == outputs.generation {
        receiveOutputEvent(event)
      } else {
        receiveLast(event, of: generation)
      }
    }
  }

  private func perform(_ action: PlaybackAction) {
    switch action {
    case .buildDeck(let id, let media, let item, let position, let rate):
      build(id, media, item: item, from: position, rate: rate)
    case .checkFile(let id, let uri):
      checks[id] = FileCheck(of: uri, in: checksums) { [mailbox] sum in mailbox?.post(.checked(id, sum)) }
    case .cancelCheck(let id): checks.removeValue(forKey: id)?.cancel()
    case .playDeck(let id, let base):
      decks[id]?.play(base: base, showsFirst: newestFrame == nil)
      watchOutput()
    case .previewDeck(let id):
      decks[id]?.preview()
      watchOutput()
    case .pauseDeck(let id): decks[id]?.pause()
    case .seekDeck(let id, let target, let mode, let rate, let seek, let preview):
      decks[id]?.seek(to: target, mode, rate: rate, seek: seek, preview: preview)
    case .retimeDeck(let id, let rate): decks[id]?.retime(rate)
    case .dropDeck(let id): drop(id)
    case .abandonDeck(let id):
      ledger.count(.decksAbandoned)
      decoderWaits[id] = nil
      rebuilds[id] = nil
      if let deck = decks.removeValue(forKey: id) {
        leaving.giveUp(id, incarnation: book[id]?.incarnation ?? 0)
        deck.drop()
      }
      tell(.deckGivenUp(id))
      forget(id)
    case .startTimer(let timer, let due):
      timers[timer] = clock.after(max(.zero, due - now)) { [weak self] in self?.fire(timer) }
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let notice):
      countNotice(notice)
      tell(.playback(notice))
    }
  }

  func fire(_ timer: PlaybackTimer) {
    timers[timer] = nil
    feed(.timerFired(timer))
  }

  func tell(_ notice: EngineNotice) { owner?.engine(self, tells: notice) }

  /// Counts a report in the ledger, before the owner gets it.
  private func countNotice(_ notice: PlaybackNotice) {
    switch notice {
    case .itemStarted(let item, let id, _, let isAutomatic):
      ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
    case .itemEnded(let item, _): ledger.itemEnded(item)
    case .itemFailed(let item, let error): ledger.itemFailed(item, error)
    case .waitingChanged(let reason): ledger.waiting(reason)
    case .seekStarted(let number, let target, let mode):
      if let id = machine.current?.id { ledger.seekStarted(SeekFlight(number, in: id), to: target, mode, at: now) }
    case .seekEnded(let number, let end): ledger.seekEnded(number, end)
    case .reconnecting(let item, _, _, _, _): ledger.reconnected(item)
    case .unexpected: ledger.count(.unexpectedEvents)
    case .itemPreparing, .itemPassed, .versionChanged, .seekDropped, .outputMayChange, .roundFailed, .stoppedAtEnd,
      .queueEnded, .finished:
      break
    }
  }

  // MARK: Subtitles

  /// Reports the subtitles for the frame on the screen. For an item without frames they follow its clock, and a timer
  /// is set for the next change.
  func followSubtitles() {
    subtitleTimer = nil
    guard !subtitles.isIdle else { return }
    var place = newestFrame.map { (deck: $0.deck, position: $0.streamTime) }
    let presentation = machine.presentation(at: now)
    if let item = presentation.onScreen, !item.isToldByFrames {
      place = (item.deck, item.place)
      if item.playhead.rate > 0, let wait = subtitles.nextChange(of: item.deck, after: item.place) {
        subtitleTimer = clock.after(wait) { [weak self] in self?.followSubtitles() }
      }
    }
    // Without an output or at the end no subtitle is shown.
    if output == nil || ending != nil { place = nil }
    if subtitles.follow(place) { tell(.subtitlesChanged(subtitles.shown)) }
  }
}

/// Events that come to the engine from other threads, through one queue.
enum EngineEvent: Sendable {
  /// `incarnation` tells a deck from earlier ones with its number.
  case deck(DeckID, incarnation: UInt32, DeckEvent)
  /// `generation` tells an output from earlier ones.
  case output(generation: UInt32, OutputEvent)
  /// The SHA-256 of a deck's file; nil when it can't be read.
  case checked(DeckID, String?)
}

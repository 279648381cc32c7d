package import MainLoop
package import MediaPipeline
package import PlaybackCore

extension PlayerEngineOwner {
  package func engineShowedFrame(_ engine: PlayerEngine) { engineDidSettle(engine) }
  package func engine(_ engine: PlayerEngine, avoids decoder: String) {}
}

/// What the engine tells its owner. Called on the loop.
package protocol PlayerEngineOwner: AnyObject {
  /// The machine has come to something that people may want to know of.
  func engine(_ engine: PlayerEngine, tells notice: PlaybackNotice)
  /// The output has told something; frames have been counted already.
  func engine(_ engine: PlayerEngine, output event: OutputEvent)
  /// What a deck has found out about its item: tracks, metadata, warnings; and that it is ready, before it begins.
  func engine(_ engine: PlayerEngine, deck: DeckID, tells event: DeckEvent)
  /// Other subtitles are to be seen than before; none is an empty list.
  func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue])
  /// A decoder isn't used any more, because it gives no picture: name of the element.
  func engine(_ engine: PlayerEngine, avoids decoder: String)
  /// A deck doesn't answer and was given up.
  func engine(_ engine: PlayerEngine, gaveUp deck: DeckID)
  /// Frames come to the output and none is shown: this is to be done about it. Another item is tried without the owner.
  func engine(_ engine: PlayerEngine, outputIsStuck step: OutputHealth.Step, _ error: VitrineError)
  /// Frames have been shown for long enough again, after this was done last.
  func engine(_ engine: PlayerEngine, outputRecoveredBy step: OutputHealth.Step)
  /// A fact has been handled: what is shown may be another thing now.
  func engineDidSettle(_ engine: PlayerEngine)
  /// The same where another frame of a film that has already been seen was shown, and nothing but its position is another.
  func engineShowedFrame(_ engine: PlayerEngine)
}

/// The shell around the playback machine: feeds it facts, carries out what it says, and owns decks, timers and output.
///
/// Confined to the loop's thread. What plays when is decided by `PlaybackMachine`; with which decoder, below the machine, by what
/// decoders have done (docs/decisions/0109-silent-decoders.md).
package final class PlayerEngine {
  package private(set) var machine: PlaybackMachine
  package var ledger: PlaybackLedger
  package weak var owner: (any PlayerEngineOwner)?
  /// The screen is to be dark: what doesn't come to it is no stall.
  package var isUnseen = false { didSet { if isUnseen != oldValue { tellLedgerWhatHolds() } } }
  /// Which sound and which subtitles decks choose; of those that are built from now on.
  package var trackPreferences = TrackPreferences(subtitles: .off)
  /// Draws what is to be seen of items without a picture; of decks that are built from now on.
  package var cardPainter: CardPainter?
  /// What the board's decoders need; of decks that are built from now on.
  package var decoders = DecoderPolicy()
  /// How servers are reached, and who we are for them; by decks that are built from now on. Setting it reads a file of certificates.
  package var access: ServerAccess {
    get { servers.access }
    set { if newValue != access { servers = ServerSetup(source: machine.policy.source, access: newValue) } }
  }
  private(set) var servers: ServerSetup

  /// For a deck that is about to be built: the policy may be another one since.
  func currentServers() -> ServerSetup {
    if servers.source != machine.policy.source {
      servers = ServerSetup(source: machine.policy.source, access: servers.access)
    }
    return servers
  }

  /// Reads a list of addresses that a server gave in place of an item; the last is the reach of that server, where it is known.
  /// Without one such items fail.
  package var readList: (([UInt8], ServedMedium, MediaItem, NetworkReach?) -> [MediaItem])?

  /// Why an item isn't to be played; nil lets it be built.
  package var withholds: ((MediaItem) -> VitrineError?)?

  /// Sees every fact that the machine is handed and what it says: for recordings of real runs.
  package var trace: ((Instant, PlaybackEvent, [PlaybackAction]) -> Void)?

  var mailbox: Mailbox<EngineEvent>?
  let clock: any EngineClock
  let makeOutput: OutputFactory
  var output: (any EngineOutput)?
  var outputGeneration: UInt32 = 0
  /// What was set while it plays; the next output begins with it.
  package internal(set) var volume: Double?
  package internal(set) var isMuted: Bool?
  /// What is to be drawn into the frames, and the wait for a frame to draw it into.
  var overlay: OverlayPixels?
  var overlayTimer: (any EngineTimer)?
  /// Whether there is a sink that didn't go down in time: it may hold its screen for as long as the process lives.
  package internal(set) var hasAbandonedOutput = false
  /// Outputs on their way out, by generation.
  var retiredOutputs: [UInt32: RetiredOutput] = [:]
  var watch = Watch()
  var decks: [DeckID: any EngineDeck] = [:]
  var ladder = DecoderLadder()
  var decoderWaits: [DeckID: DecoderWait] = [:]
  /// Decks that are built once more under the same name.
  var rebuilds: [DeckID: Rebuild] = [:]
  var book = DeckBook()
  /// Decks that were given up and haven't come down since, each with its incarnation: each keeps a thread and its memory.
  package internal(set) var hungDecks: [DeckID: UInt32] = [:]
  /// Decks on their way out, each with the timer that gives it up.
  var leaving: [DeckID: any EngineTimer] = [:]
  var timers: [PlaybackTimer: any EngineTimer] = [:]
  private var pending: [PlaybackEvent] = []
  private var isFeeding = false
  var ending: Ending?
  /// Playback is over, and all that belonged to the last output is down or given up.
  var hasEnded = false
  var subtitles = SubtitleFollower()
  private let checksums = FileChecksums()
  /// Files with a checksum are read whole before they are opened.
  private var checks: [DeckID: FileCheck] = [:]
  var newestFrame: RenderedFrame?
  var subtitleTimer: (any EngineTimer)?
  var rangesTimer: (any EngineTimer)?

  struct RetiredOutput {
    var output: any EngineOutput
    var deadline: any EngineTimer
    var done: () -> Void
  }

  /// Playback is over; what is still to go down.
  struct Ending {
    var done: () -> Void
    var deadline: (any EngineTimer)?
    var isOutputClosing = false
  }

  /// - Parameters:
  ///   - loop: the engine belongs to its thread.
  ///   - machine: as it is to begin.
  ///   - ledger: counts what is shown.
  ///   - clock: its time, and that of its pipelines; nil is the loop's.
  ///   - makeOutput: makes what it plays on, each time that it is attached to a screen.
  package init(
    on loop: EventLoop, machine: PlaybackMachine, ledger: PlaybackLedger, clock: (any EngineClock)? = nil,
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

  // MARK: What decks have told

  /// Size of the picture of a deck, as decoded.
  package func mediaSize(of deck: DeckID) -> PresentationSize? { book[deck]?.size }

  /// What a deck's item says of itself, as far as it is known yet.
  package func metadata(of deck: DeckID) -> MediaMetadata? { book[deck]?.metadata }

  /// What a deck has loaded, and where one can seek in it.
  package func ranges(of deck: DeckID) -> MediaRanges? { book[deck]?.ranges }

  // MARK: Facts in, commands out

  /// Hands a fact to the machine and carries out what it says. Facts that come up meanwhile wait for their turn: effects
  /// never call the machine.
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
      tellLedgerWhatHolds()
    }
    isFeeding = false
    followSubtitles()
    if isOnlyFrame { owner?.engineShowedFrame(self) } else { owner?.engineDidSettle(self) }
  }

  /// Held back for data, frames stay due: what comes late is a stall.
  private func tellLedgerWhatHolds() {
    ledger.held(isUnseen || !machine.wantsToPlay || !machine.suppressions.isEmpty, at: now)
    if let deck = machine.current { ledger.follows(deck.id, rate: deck.rate, waitsUntil: deck.waitsUntil) }
  }

  /// Whether a fact is a frame of the current film after those with which it takes the screen.
  private func isFurtherFrame(_ event: PlaybackEvent) -> Bool {
    guard case .frameShown(let id, _, let epoch) = event, let deck = machine.current, deck.id == id else {
      return false
    }
    return deck.epoch == epoch && deck.framesShown > Self.framesOfSeam && !deck.isSoundOnly
  }

  /// The first takes the place of the film before, the second proves it.
  private static let framesOfSeam = 2

  private func receiveEngineEvent(_ event: EngineEvent) {
    switch event {
    case .deck(let id, let incarnation, let event):
      // It is down after all; everything else about it went when it was given up.
      if case .gone = event, hungDecks[id] == incarnation { return hungDecks[id] = nil }
      guard incarnation == book[id]?.incarnation ?? 0 else {
        if case .gone = event { rebuild(id) }
        return
      }
      if !followDecoder(event, of: id) { receiveDeckEvent(event, from: id) }
    case .checked(let id, let sum):
      // One that was called off has nothing to tell.
      if checks.removeValue(forKey: id) != nil { feed(.fileChecked(id, sha256: sum)) }
    case .output(let generation, let event):
      if generation == outputGeneration {
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
      ledger.deckAbandoned()
      decoderWaits[id] = nil
      rebuilds[id] = nil
      if let deck = decks.removeValue(forKey: id) {
        hungDecks[id] = book[id]?.incarnation ?? 0
        deck.drop()
      }
      owner?.engine(self, gaveUp: id)
      forget(id)
    case .startTimer(let timer, let due):
      timers[timer] = clock.after(max(.zero, due - now)) { [weak self] in self?.fire(timer) }
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let notice):
      countNotice(notice)
      owner?.engine(self, tells: notice)
    }
  }

  func fire(_ timer: PlaybackTimer) {
    timers[timer] = nil
    feed(.timerFired(timer))
  }

  /// Keeps the counts: the ledger hears everything before the owner does.
  private func countNotice(_ notice: PlaybackNotice) {
    switch notice {
    case .itemStarted(let item, let id, _, let isAutomatic):
      ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
    case .itemEnded(let item, _): ledger.itemEnded(item)
    case .itemFailed(let item, let error): ledger.itemFailed(item, error)
    case .waitingChanged(let reason): ledger.waiting(reason)
    case .seekStarted(let number, let target, let mode):
      guard let deck = machine.current?.id else { break }
      ledger.seekStarted(SeekFlight(number, in: deck), to: target, mode, at: now)
    case .seekEnded(let number, let end): ledger.seekEnded(number, end)
    case .reconnecting(let item, _, _, _, _): ledger.reconnected(item)
    case .unexpected: ledger.unexpectedEvent()
    case .itemPreparing, .itemPassed, .seekDropped, .outputMayChange, .roundFailed, .stoppedAtEnd, .queueEnded,
      .finished:
      break
    }
  }

  // MARK: Subtitles

  /// Tells which are to be seen with the frame on the screen. Without frames the item's clock says where it is, and a timer
  /// when to look again.
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
    // What went with the output, or with the whole of playback, isn't seen any more.
    if output == nil || ending != nil { place = nil }
    if subtitles.follow(place) { owner?.engine(self, shows: subtitles.shown) }
  }
}

/// Everything that comes to the engine from other threads, through one queue.
enum EngineEvent: Sendable {
  /// `incarnation` tells a deck from the ones before it that had its name.
  case deck(DeckID, incarnation: UInt32, DeckEvent)
  /// `generation` tells an output from the ones before it.
  case output(generation: UInt32, OutputEvent)
  /// The SHA-256 of a deck's file; nil when it can't be read.
  case checked(DeckID, String?)
}

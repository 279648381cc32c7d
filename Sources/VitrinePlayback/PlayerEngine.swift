package import MainLoop
package import MediaPipeline
package import PlaybackCore

extension PlayerEngineOwner {
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
  /// A fact has been handled: what is shown may be another thing now.
  func engineDidSettle(_ engine: PlayerEngine)
}

/// The shell around the playback machine: feeds it facts, carries out what it says, and owns decks, timers and output.
///
/// Confined to the loop's thread. What plays when is decided by `PlaybackMachine`; with which decoder, below the machine, by what
/// decoders have done (docs/decisions/0109-silent-decoders.md).
package final class PlayerEngine {
  package private(set) var machine: PlaybackMachine
  package var ledger: PlaybackLedger
  package weak var owner: (any PlayerEngineOwner)?
  /// Which sound and which subtitles decks choose; of those that are built from now on.
  package var trackPreferences = TrackPreferences(subtitles: .off)
  /// Draws what is to be seen of items without a picture; of decks that are built from now on.
  package var cardPainter: CardPainter?
  /// What the board's decoders need; of decks that are built from now on.
  package var decoders = DecoderPolicy()

  /// Reads a list of addresses that a server gave in place of an item; the last is the reach of that server, where it is known.
  /// Without one such items fail.
  package var readList: (([UInt8], ServedMedium, MediaItem, NetworkReach?) -> [MediaItem])?

  /// Sees every fact that the machine is handed and what it says: for recordings of real runs.
  package var trace: ((Instant, PlaybackEvent, [PlaybackAction]) -> Void)?

  let loop: EventLoop
  var mailbox: Mailbox<EngineEvent>?
  var output: MediaOutput?
  var outputGeneration: UInt32 = 0
  /// What was set while it plays; the next output begins with it.
  package internal(set) var volume: Double?
  package internal(set) var isMuted: Bool?
  /// What is to be drawn into the frames, and the wait for a frame to draw it into.
  var overlay: OverlayPixels?
  var overlayTimer: EventSource?
  /// Whether there is a sink that didn't go down in time: it may hold its screen for as long as the process lives.
  package internal(set) var hasAbandonedOutput = false
  /// Outputs on their way out, by generation.
  var retiredOutputs: [UInt32: RetiredOutput] = [:]
  var decks: [DeckID: Deck] = [:]
  var ladder = DecoderLadder()
  var decoderWaits: [DeckID: DecoderWait] = [:]
  /// Decks that are built once more under the same name.
  var rebuilds: [DeckID: Rebuild] = [:]
  var book = DeckBook()
  /// Decks that were given up and haven't come down since, each with its incarnation: each keeps a thread and its memory.
  package private(set) var hungDecks: [DeckID: UInt32] = [:]
  /// Decks on their way out, each with the timer that gives it up.
  var leaving: [DeckID: EventSource] = [:]
  var timers: [PlaybackTimer: EventSource] = [:]
  private var pending: [PlaybackEvent] = []
  private var isFeeding = false
  var ending: Ending?
  private var subtitles = SubtitleFollower()
  private let checksums = FileChecksums()
  /// Files with a checksum are read whole before they are opened.
  private var checks: [DeckID: FileCheck] = [:]
  var newestFrame: RenderedFrame?
  var subtitleTimer: EventSource?
  var rangesTimer: EventSource?

  struct RetiredOutput {
    var output: MediaOutput
    var deadline: EventSource
    var done: () -> Void
  }

  /// Playback is over; what is still to go down.
  struct Ending {
    var done: () -> Void
    var deadline: EventSource?
    var isOutputClosing = false
  }

  /// - Parameters:
  ///   - loop: the engine belongs to its thread.
  ///   - machine: as it is to begin.
  ///   - ledger: counts what is shown.
  package init(on loop: EventLoop, machine: PlaybackMachine, ledger: PlaybackLedger) {
    self.loop = loop
    self.machine = machine
    self.ledger = ledger
    GStreamerLibrary.configure(machine.policy.source)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { event in reference.value?.receive(event) }
  }

  var now: Instant { Instant.monotonicNow }

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
    while !pending.isEmpty {
      let before = machine.queue.entries
      let (event, now) = (pending.removeFirst(), now)
      let actions = machine.handle(event, at: now)
      trace?(now, event, actions)
      if machine.queue.entries != before { ledger.queueChanged(machine.queue) }
      for action in actions { perform(action) }
    }
    isFeeding = false
    followSubtitles()
    owner?.engineDidSettle(self)
  }

  private func receive(_ event: EngineEvent) {
    switch event {
    case .deck(let id, let incarnation, let event):
      // It is down after all; everything else about it went when it was given up.
      if case .gone = event, hungDecks[id] == incarnation { return hungDecks[id] = nil }
      guard incarnation == book[id]?.incarnation ?? 0 else {
        if case .gone = event { rebuild(id) }
        return
      }
      if !followDecoder(event, of: id) { receive(event, from: id) }
    case .checked(let id, let sum):
      // One that was called off has nothing to tell.
      if checks.removeValue(forKey: id) != nil { feed(.fileChecked(id, sha256: sum)) }
    case .output(let generation, let event):
      if generation == outputGeneration {
        receive(event)
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
    case .playDeck(let id, let base): decks[id]?.play(base: base)
    case .previewDeck(let id): decks[id]?.preview()
    case .pauseDeck(let id):
      decks[id]?.pause()
      // Held back for data, frames stay due: what comes late is a stall.
      if !machine.wantsToPlay { ledger.paused() }
    case .seekDeck(let id, let target, let mode, let rate, let seek, let preview):
      decks[id]?.seek(
        to: target, mode, rate: rate, seek: seek, preview: preview, blocks: machine.policy.seeksBlock)
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
      timers[timer] = loop.after(max(.zero, due - now)) { [weak self] in self?.fire(timer) }
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let notice):
      note(notice)
      owner?.engine(self, tells: notice)
    }
  }

  func fire(_ timer: PlaybackTimer) {
    timers[timer] = nil
    feed(.timerFired(timer))
  }

  /// Keeps the counts: the ledger hears everything before the owner does.
  private func note(_ notice: PlaybackNotice) {
    switch notice {
    case .itemStarted(let item, let id, _, let isAutomatic):
      ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
    case .itemEnded(let item, _): ledger.itemEnded(item)
    case .itemFailed(let item, let error): ledger.itemFailed(item, error)
    case .waitingChanged(let reason): ledger.waiting(reason)
    case .seekStarted(let number, let target, let mode): ledger.seekStarted(number, to: target, mode, at: now)
    case .seekEnded(let number, let end): ledger.seekEnded(number, end)
    case .stoppedAtEnd, .queueEnded: ledger.paused()
    case .reconnecting(let item, _, _, _, _): ledger.reconnected(item)
    case .unexpected: ledger.unexpectedEvent()
    case .itemPreparing, .seekDropped, .outputMayChange, .roundFailed, .finished: break
    }
  }

  // MARK: Decks

  private func build(_ id: DeckID, _ media: MediaItem, item: ItemID, from position: Duration, rate: Double) {
    let buffer = machine.policy.buffer(for: media)
    let recipe = DeckRecipe(
      id: id, item: media, from: position, rate: rate,
      pictureDuration: media.pictureDuration ?? media.usualPictureDuration ?? machine.policy.pictureDuration,
      tracks: media.tracks ?? trackPreferences,
      decoders: decoders, buffer: buffer, bufferBytes: machine.policy.buffering.bytes(in: buffer),
      keepsSeconds: machine.policy.keepsSeconds(of: media), rtsp: machine.policy.rtsp(for: media),
      source: machine.policy.source)
    book.open(id, of: item)
    ledger.deckBuilt(id, of: item)
    build(recipe)
  }

  func build(_ recipe: DeckRecipe) {
    let (id, media) = (recipe.id, recipe.item)
    guard let output else { return wasNeverThere(id) }
    let incarnation = book[id]?.incarnation ?? 0
    do {
      let deck = try output.makeDeck(recipe, cards: cardPainter) { [weak mailbox] event in
        mailbox?.post(.deck(id, incarnation: incarnation, event))
      }
      decks[id] = deck
      deck.prepare()
      if media.isRemote { watchRanges() }
    } catch {
      feed(.deckFailed(id, error))
    }
  }

  /// Switches a track of a deck on or off; of a deck that is gone it does nothing.
  package func setTrack(_ id: MediaTrack.ID, isEnabled: Bool, of deck: DeckID) {
    decks[deck]?.setTrack(id, isEnabled: isEnabled)
  }

  /// For tests that speak in a deck's name.
  func deck(_ id: DeckID) -> Deck? { decks[id] }

  private func drop(_ id: DeckID) {
    decoderWaits[id] = nil
    book.note(id) { $0.silentDecoder = nil }
    rebuilds[id] = nil
    guard let deck = decks.removeValue(forKey: id) else { return wasNeverThere(id) }
    leaving[id] = loop.after(EngineTiming.deckTeardown) { [weak self] in self?.giveUp(id) }
    deck.drop()
  }

  private func giveUp(_ id: DeckID) {
    guard leaving.removeValue(forKey: id) != nil else { return }
    hungDecks[id] = book[id]?.incarnation ?? 0
    owner?.engine(self, gaveUp: id)
    ledger.deckAbandoned()
    deckIsGone(id)
  }

  private func deckIsGone(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
    endIfQuiet()
  }

  /// There is nothing to take down: it couldn't be made, or is down already to be made anew.
  private func wasNeverThere(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
  }

  /// What is known of a deck goes with it. A frame of it may still be on the screen; what the ledger needs of that it keeps.
  private func forget(_ id: DeckID) {
    ledger.deckGone(id)
    book.close(id)
    subtitles.forget(id)
  }

  private func receive(_ event: DeckEvent, from id: DeckID) {
    if case .gone = event {
      guard leaving.removeValue(forKey: id) != nil else { return }
      return deckIsGone(id)
    }
    // Also of a deck that is on its way out, which tells it last.
    if case .framesCopied(let count) = event, let item = book[id]?.item {
      return ledger.framesCopied(count, item: item)
    }
    guard decks[id] != nil, let item = book[id]?.item else { return }
    switch event {
    case .ready(let readiness):
      ledger.duration(readiness.duration, item: item)
      if !readiness.hasVideo { ledger.isSoundOnly(id, item: item) }
      // Before the machine has it begin: what it turned out to be may need another output first.
      owner?.engine(self, deck: id, tells: event)
      feed(.deckReady(id, readiness))
    case .failed(let error): feed(.deckFailed(id, error))
    case .decoderIsWorn(let decoder):
      let uri = decks[id]?.ownRecipe.item.uri ?? ""
      feed(.deckFailed(id, PlaybackErrors.decoderIsWorn(decoder, uri: uri)))
    case .streamEnded(let kind, let end, let buffers, let lastDuration):
      switch kind {
      case .video: ledger.videoEnded(deck: id, frames: buffers, lastFrameDuration: lastDuration)
      case .sound: ledger.soundEnded(deck: id, at: end)
      }
      feed(.streamEnded(id, kind, at: end))
    case .durationChanged(let duration):
      ledger.duration(duration, item: item)
      feed(.durationChanged(id, duration))
    case .kindFound(let kind): feed(.kindFound(id, kind))
    case .listFound(let medium, let text, let reach):
      let entry = machine.queue.entry(item)?.item
      feed(.listFound(id, entry.flatMap { readList?(text, medium, $0, reach) } ?? []))
    case .buffering(let percent): feed(.bufferingChanged(id, percent: percent))
    case .gapAhead(let running): feed(.gapAhead(id, until: running))
    case .mediaSize(let size, let interval):
      ledger.mediaSize(size, item: item)
      if let interval { ledger.frameInterval(interval, deck: id, item: item) }
      book.note(id) { $0.size = size }
      owner?.engineDidSettle(self)
    case .seekFinished(let seek, let readiness): feed(.seekFinished(id, seek: seek, readiness))
    case .rateChanged(let rate, let running, let position):
      feed(.rateChanged(id, rate, at: running, position: position))
    case .streamsFound(let hasVideo, let hasSound): feed(.streamsFound(id, hasVideo: hasVideo, hasSound: hasSound))
    case .framesSkipped(let count): ledger.framesSkippedByDecoder(count)
    case .cue, .subtitles:
      subtitles.take(event, from: id)
      followSubtitles()
    case .tracks:
      subtitles.take(event, from: id)
      owner?.engine(self, deck: id, tells: event)
      followSubtitles()
    case .ranges(let new):
      book.note(id) { $0.ranges = new }
      watchRanges()
      owner?.engine(self, deck: id, tells: event)
    case .metadata(let new):
      book.note(id) { $0.metadata = new }
      owner?.engine(self, deck: id, tells: event)
    case .framePath(let path):
      ledger.framePath(path, item: item)
      owner?.engine(self, deck: id, tells: event)
    case .warning: owner?.engine(self, deck: id, tells: event)
    case .clockLost, .gone, .decoding, .framesCopied: break  // the output keeps its own clock
    }
  }

  // MARK: Ranges

  /// Has every deck that loads from a network look how far it is, now and then while there is any.
  private func watchRanges() {
    guard rangesTimer == nil else { return }
    rangesTimer = loop.after(EngineTiming.rangesInterval) { [weak self] in
      guard let self else { return }
      rangesTimer = nil
      let loading = [machine.current, machine.next].compactMap(\.self).filter { deck in
        deck.media.isRemote && !(book[deck.id]?.ranges?.reachEnd(of: deck.readiness.duration) ?? false)
      }
      for deck in loading { decks[deck.id]?.refreshRanges() }
      if !loading.isEmpty { watchRanges() }
    }
  }

  // MARK: Subtitles

  /// Tells which are to be seen with the frame on the screen. Without frames the item's clock says where it is, and a timer
  /// when to look again.
  func followSubtitles() {
    subtitleTimer = nil
    var place = newestFrame.map { (deck: $0.deck, position: $0.streamTime) }
    if let deck = machine.current, let head = machine.ownPlayhead(of: deck, at: now) {
      place = (deck.id, head.position)
      if head.rate > 0, let wait = subtitles.nextChange(of: deck.id, after: head.position) {
        subtitleTimer = loop.after(wait) { [weak self] in self?.followSubtitles() }
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

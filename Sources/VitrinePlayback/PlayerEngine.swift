public import MainLoop
public import MediaPipeline
public import PlaybackCore

/// What the engine tells its owner. Called on the loop.
public protocol PlayerEngineOwner: AnyObject {
  /// The machine has come to something that people may want to know of.
  func engine(_ engine: PlayerEngine, tells notice: PlaybackNotice)
  /// The output has told something; frames have been counted already.
  func engine(_ engine: PlayerEngine, output event: OutputEvent)
  /// What a deck has found out about its item: tracks, metadata, warnings.
  func engine(_ engine: PlayerEngine, deck: DeckID, tells event: DeckEvent)
  /// Other subtitles are to be seen than before; none is an empty list.
  func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue])
  /// A deck doesn't answer and was given up.
  func engine(_ engine: PlayerEngine, gaveUp deck: DeckID)
  /// A fact has been handled: what is shown may be another thing now.
  func engineDidSettle(_ engine: PlayerEngine)
}

/// The shell around the playback machine: feeds it facts, carries out what it says, and owns decks, timers and output.
///
/// Confined to the loop's thread. It decides nothing: see `PlaybackMachine`.
public final class PlayerEngine {
  public private(set) var machine: PlaybackMachine
  public var ledger: PlaybackLedger
  public weak var owner: (any PlayerEngineOwner)?
  /// Size of the picture of each deck that lives, as decoded.
  public private(set) var mediaSizes: [DeckID: PresentationSize] = [:]
  /// What each deck that lives has loaded, and where one can seek in it.
  public private(set) var ranges: [DeckID: MediaRanges] = [:]
  /// Which sound and which subtitles decks choose; of those that are built from now on.
  public var trackPreferences = TrackPreferences(subtitles: .off)
  /// What the board's decoders need; of decks that are built from now on.
  public var decoders = DecoderPolicy()

  /// Sees every fact that the machine is handed and what it says: for recordings of real runs.
  public var trace: ((Instant, PlaybackEvent, [PlaybackAction]) -> Void)?

  private let loop: EventLoop
  private var mailbox: Mailbox<EngineEvent>?
  private var output: MediaOutput?
  private var outputGeneration: UInt32 = 0
  /// What was set while it plays; the next output begins with it.
  public private(set) var volume: Double?
  public private(set) var isMuted: Bool?
  /// What is to be drawn into the frames, and the wait for a frame to draw it into.
  private var overlay: OverlayPixels?
  private var overlayTimer: EventSource?
  /// Outputs on their way out, by generation.
  private var retiredOutputs: [UInt32: RetiredOutput] = [:]
  private var decks: [DeckID: Deck] = [:]
  /// Decks that were given up and haven't come down since: each keeps a thread and its memory.
  public private(set) var hungDecks: Set<DeckID> = []
  /// Decks on their way out, each with the timer that gives it up.
  private var leaving: [DeckID: EventSource] = [:]
  private var deckItems: [DeckID: ItemID] = [:]
  private var timers: [PlaybackTimer: EventSource] = [:]
  private var pending: [PlaybackEvent] = []
  private var isFeeding = false
  private var ending: Ending?
  private var subtitles = SubtitleFollower()
  private var newestFrame: RenderedFrame?
  private var subtitleTimer: EventSource?
  private var rangesTimer: EventSource?

  private struct RetiredOutput {
    var output: MediaOutput
    var deadline: EventSource
    var done: () -> Void
  }

  /// Playback is over; what is still to go down.
  private struct Ending {
    var done: () -> Void
    var deadline: EventSource?
    var isOutputClosing = false
  }

  /// - Parameters:
  ///   - loop: the engine belongs to its thread.
  ///   - machine: as it is to begin.
  ///   - ledger: counts what is shown.
  public init(on loop: EventLoop, machine: PlaybackMachine, ledger: PlaybackLedger) {
    self.loop = loop
    self.machine = machine
    self.ledger = ledger
    GStreamerLibrary.configure(machine.policy.source)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { event in reference.value?.receive(event) }
  }

  private var now: Instant { Instant.monotonicNow }

  // MARK: Facts in, commands out

  /// Hands a fact to the machine and carries out what it says. Facts that come up meanwhile wait for their turn: effects
  /// never call the machine.
  public func feed(_ event: PlaybackEvent) {
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
    case .deck(let id, let event): receive(event, from: id)
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
    case .playDeck(let id, let base): decks[id]?.play(base: base)
    case .previewDeck(let id): decks[id]?.preview()
    case .pauseDeck(let id):
      decks[id]?.pause()
      // Held back for data, frames stay due: what comes late is a stall.
      if !machine.wantsToPlay { ledger.paused() }
    case .seekDeck(let id, let target, let mode, let rate, let seek, let preview):
      decks[id]?.seek(to: target, mode, rate: rate, seek: seek, preview: preview)
    case .dropDeck(let id): drop(id)
    case .abandonDeck(let id):
      ledger.deckAbandoned()
      if let deck = decks.removeValue(forKey: id) {
        hungDecks.insert(id)
        deck.drop()
      }
      owner?.engine(self, gaveUp: id)
    case .startTimer(let timer, let due):
      timers[timer] = loop.after(max(.zero, due - now)) { [weak self] in self?.fire(timer) }
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let notice):
      note(notice)
      owner?.engine(self, tells: notice)
    }
  }

  private func fire(_ timer: PlaybackTimer) {
    timers[timer] = nil
    feed(.timerFired(timer))
  }

  /// Keeps the counts: the ledger hears everything before the owner does.
  private func note(_ notice: PlaybackNotice) {
    switch notice {
    case .itemStarted(let item, let id, _, let isAutomatic):
      deckItems[id] = item
      ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
    case .itemEnded(let item, _): ledger.itemEnded(item)
    case .itemFailed(let item, let error): ledger.itemFailed(item, error)
    case .waitingChanged(let reason): ledger.waiting(reason)
    case .seekStarted(let number, let target, let mode): ledger.seekStarted(number, to: target, mode, at: now)
    case .seekEnded(let number, let end): ledger.seekEnded(number, end)
    case .stoppedAtEnd, .queueEnded: ledger.paused()
    case .reconnecting(let item, let id, _, _, _):
      deckItems[id] = item
      ledger.reconnected(item)
    case .itemPreparing, .outputMayChange, .roundFailed, .finished: break
    }
  }

  // MARK: Decks

  private func build(_ id: DeckID, _ media: MediaItem, item: ItemID, from position: Duration, rate: Double) {
    guard let output else { return feed(.deckGone(id)) }
    let recipe = DeckRecipe(
      id: id, item: media, from: position, rate: rate,
      pictureDuration: media.pictureDuration ?? machine.policy.pictureDuration,
      tracks: media.tracks ?? trackPreferences,
      decoders: decoders, buffer: machine.policy.buffer(for: media), rtsp: machine.policy.rtsp(for: media))
    deckItems[id] = item
    do {
      let deck = try output.makeDeck(recipe) { [weak mailbox] event in mailbox?.post(.deck(id, event)) }
      decks[id] = deck
      deck.prepare()
      if media.isRemote { watchRanges() }
    } catch {
      feed(.deckFailed(id, error))
    }
  }

  /// Switches a track of a deck on or off; of a deck that is gone it does nothing.
  public func setTrack(_ id: MediaTrack.ID, isEnabled: Bool, of deck: DeckID) {
    decks[deck]?.setTrack(id, isEnabled: isEnabled)
  }

  /// For tests that speak in a deck's name.
  func deck(_ id: DeckID) -> Deck? { decks[id] }

  private func drop(_ id: DeckID) {
    guard let deck = decks.removeValue(forKey: id) else { return feed(.deckGone(id)) }
    leaving[id] = loop.after(EngineTiming.deckTeardown) { [weak self] in self?.giveUp(id) }
    deck.drop()
  }

  private func giveUp(_ id: DeckID) {
    guard leaving.removeValue(forKey: id) != nil else { return }
    hungDecks.insert(id)
    owner?.engine(self, gaveUp: id)
    ledger.deckAbandoned()
    deckIsGone(id)
  }

  private func deckIsGone(_ id: DeckID) {
    ledger.deckGone(id)
    deckItems[id] = nil
    mediaSizes[id] = nil
    ranges[id] = nil
    subtitles.forget(id)
    feed(.deckGone(id))
    endIfQuiet()
  }

  private func receive(_ event: DeckEvent, from id: DeckID) {
    if case .gone = event {
      hungDecks.remove(id)
      guard leaving.removeValue(forKey: id) != nil else { return }
      return deckIsGone(id)
    }
    guard decks[id] != nil, let item = deckItems[id] else { return }
    switch event {
    case .ready(let readiness):
      ledger.duration(readiness.duration, item: item)
      feed(.deckReady(id, readiness))
    case .failed(let error): feed(.deckFailed(id, error))
    case .streamEnded(let kind, let end, let buffers, let lastDuration):
      if kind == .video { ledger.videoEnded(deck: id, frames: buffers, lastFrameDuration: lastDuration) }
      feed(.streamEnded(id, kind, at: end))
    case .durationChanged(let duration):
      ledger.duration(duration, item: item)
      feed(.durationChanged(id, duration))
    case .buffering(let percent): feed(.bufferingChanged(id, percent: percent))
    case .mediaSize(let size, let interval):
      ledger.mediaSize(size, item: item)
      if let interval { ledger.frameInterval(interval, deck: id, item: item) }
      mediaSizes[id] = size
      owner?.engineDidSettle(self)
    case .seekFinished(let seek, let readiness): feed(.seekFinished(id, seek: seek, readiness))
    case .framesSkipped(let count): ledger.framesSkippedByDecoder(count)
    case .cue, .subtitles:
      subtitles.take(event, from: id)
      followSubtitles()
    case .tracks:
      subtitles.take(event, from: id)
      owner?.engine(self, deck: id, tells: event)
      followSubtitles()
    case .ranges(let new):
      ranges[id] = new
      watchRanges()
      owner?.engine(self, deck: id, tells: event)
    case .metadata, .warning: owner?.engine(self, deck: id, tells: event)
    case .clockLost, .gone: break  // the output keeps its own clock
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
        deck.media.isRemote && !(ranges[deck.id]?.reachEnd(of: deck.readiness.duration) ?? false)
      }
      for deck in loading { decks[deck.id]?.refreshRanges() }
      if !loading.isEmpty { watchRanges() }
    }
  }

  // MARK: Subtitles

  /// Tells which are to be seen with the frame on the screen. Without frames the item's clock says where it is, and a timer
  /// when to look again.
  private func followSubtitles() {
    subtitleTimer = nil
    var place = newestFrame.map { (deck: $0.deck, position: $0.streamTime) }
    if let deck = machine.current, let head = machine.clockPlayhead(of: deck, at: now) {
      place = (deck.id, head.position)
      if head.rate > 0, let wait = subtitles.nextChange(of: deck.id, after: head.position) {
        subtitleTimer = loop.after(wait) { [weak self] in self?.followSubtitles() }
      }
    }
    // What went with the output, or with the whole of playback, isn't seen any more.
    if output == nil || ending != nil { place = nil }
    if subtitles.follow(place) { owner?.engine(self, shows: subtitles.shown) }
  }

  // MARK: Output

  /// Opens an output on a screen; playback begins, or goes on, when it is ready.
  ///
  /// - Parameters:
  ///   - target: the screen; it must outlive the output.
  ///   - sound: how it sounds; the volume set since the start counts more.
  ///   - prepareColour: called on a streaming thread before the first frame of other colours.
  public func attach(
    to target: VideoTarget, sound: SoundSettings, prepareColour: (@Sendable (VideoColour) -> Void)? = nil
  ) {
    guard ending == nil else { return }
    var sound = sound
    if let volume { sound.volume = volume }
    if let isMuted { sound.isMuted = isMuted }
    outputGeneration += 1
    let generation = outputGeneration
    let output = MediaOutput(target: target, sound: sound, prepareColour: prepareColour) {
      [weak mailbox] event in
      mailbox?.post(.output(generation: generation, event))
    }
    self.output = output
    _ = output.drawOverlay(overlay)
    output.open()
  }

  /// What is drawn into the frames, on a target that wants that; nil draws nothing.
  public func drawOverlay(_ overlay: OverlayPixels?) {
    self.overlay = overlay
    guard let output, let mark = output.drawOverlay(overlay) else { return }
    overlayTimer = loop.after(EngineTiming.frameWait) { output.repeatFrame(ifStillAt: mark) }
  }

  /// The screen is gone: decks go, the position is kept, and the output is taken down. `done` is called when no sink
  /// holds anything of the screen any more, or the deadline for that has passed.
  ///
  /// - Parameter showsLast: whether frames on their way to the screen are shown before; on a screen that isn't there they
  ///   would hang.
  public func detach(showsLast: Bool = false, then done: @escaping () -> Void = {}) {
    feed(.outputLost)
    overlayTimer = nil
    guard let output else { return done() }
    let generation = outputGeneration
    outputGeneration += 1  // from here on its events are stale, but for `closed`
    self.output = nil
    newestFrame = nil
    followSubtitles()
    let deadline = loop.after(EngineTiming.outputTeardown) { [weak self] in
      self?.hasAbandonedOutput = true
      self?.outputRetired(generation)
    }
    retiredOutputs[generation] = RetiredOutput(output: output, deadline: deadline, done: done)
    output.close(showsLast: showsLast)
  }

  /// Whether there is a sink that didn't go down in time: it may hold its screen for as long as the process lives.
  public private(set) var hasAbandonedOutput = false

  /// Whether a sink of the past may still hold a screen.
  public var isDetaching: Bool { !retiredOutputs.isEmpty }

  /// What an output on its way out still tells.
  private func receiveLast(_ event: OutputEvent, of generation: UInt32) {
    switch event {
    case .frame(let frame): ledger.record(frame)
    case .closed: outputRetired(generation)
    case .ready, .failed, .sound: break
    }
  }

  private func outputRetired(_ generation: UInt32) {
    retiredOutputs.removeValue(forKey: generation)?.done()
  }

  /// Turns everything up or down, on this output and those after it: see `MediaOutput.setVolume(_:over:)`.
  public func setVolume(_ volume: Double, over fade: Duration? = nil) {
    self.volume = min(1, max(0, volume))
    output?.setVolume(volume, over: fade)
  }

  /// Silences everything, or lets it sound again, on this output and those after it.
  public func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    self.isMuted = isMuted
    output?.setMuted(isMuted, over: fade)
  }

  /// Goes over to another sound device; the picture goes on.
  public func useSoundDevice(_ device: SoundDevice) { output?.useSoundDevice(device) }

  /// A copy of the frame on the screen; `done` is called on a worker.
  public func captureFrame(_ done: @escaping @Sendable (CapturedFrame?) -> Void) {
    guard let output else { return done(nil) }
    output.captureFrame(done)
  }

  private func receive(_ event: OutputEvent) {
    switch event {
    case .ready:
      guard ending == nil else { return }
      owner?.engine(self, output: event)
      feed(.outputReady)
    case .frame(let frame):
      ledger.record(frame)
      if frame.wasRendered { newestFrame = frame }
      owner?.engine(self, output: event)
      if frame.wasRendered { feed(.frameShown(frame.deck, streamTime: frame.streamTime, epoch: frame.epoch)) }
    case .closed: finishEnding()
    case .failed, .sound: owner?.engine(self, output: event)
    }
  }

  // MARK: The end

  /// Stops playback and takes everything down: decks first, then the output, each with a deadline. `done` is called once,
  /// after at most twice `EngineTiming.finalTeardown`.
  public func end(then done: @escaping () -> Void) {
    guard ending == nil else { return }
    ledger.ended(at: now)
    ending = Ending(done: done)
    feed(.stopRequested)
    ending?.deadline = loop.after(EngineTiming.finalTeardown) { [weak self] in self?.closeOutput() }
    endIfQuiet()
  }

  /// Goes on with the end as soon as the last deck is down.
  private func endIfQuiet() {
    guard let ending, !ending.isOutputClosing, leaving.isEmpty else { return }
    closeOutput()
  }

  private func closeOutput() {
    guard ending?.isOutputClosing == false else { return }
    ending?.isOutputClosing = true
    guard let output else { return finishEnding() }
    ending?.deadline = loop.after(EngineTiming.finalTeardown) { [weak self] in
      self?.hasAbandonedOutput = true
      self?.finishEnding()
    }
    output.close()
  }

  private func finishEnding() {
    guard let ending else { return }
    self.ending = nil
    overlayTimer = nil
    output = nil
    timers = [:]
    subtitleTimer = nil
    rangesTimer = nil
    leaving = [:]
    mailbox?.close()
    ending.done()
  }
}

/// Everything that comes to the engine from other threads, through one queue.
private enum EngineEvent: Sendable {
  case deck(DeckID, DeckEvent)
  /// `generation` tells an output from the ones before it.
  case output(generation: UInt32, OutputEvent)
}

/// Deadlines of the shell, each with its reason.
public enum EngineTiming {
  /// A deck that isn't down after this is given up: teardown takes milliseconds, unless a network source hangs for ever.
  public static let deckTeardown: Duration = .seconds(2)
  /// How often items from a network are asked how far they have loaded: as often as a bar that shows it can be seen to move.
  public static let rangesInterval: Duration = .milliseconds(500)
  /// At the end, decks get this long and the output as long again: together below the second that SIGTERM may take.
  public static let finalTeardown: Duration = .milliseconds(400)
  /// The next frame brings a new overlay with it. When none has come by then, the last is shown anew: longer than a frame
  /// lasts at 12 frames a second, and short enough for a finger that waits for its answer.
  public static let frameWait: Duration = .milliseconds(90)
  /// A sink that isn't down after this no longer keeps the screen from being opened again.
  public static let outputTeardown: Duration = .seconds(3)
}

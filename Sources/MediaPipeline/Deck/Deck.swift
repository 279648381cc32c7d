internal import CCrash
internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// One item's pipeline: it decodes into the output's bridge and shows nothing by itself.
///
/// Commands come from the loop and return at once; what can block runs on the deck's own worker, in order. A deck that
/// hangs holds nothing but itself. Everything that it has to say goes to `post`, from whatever thread it happens on.
public final class Deck: Sendable {
  public let id: DeckID
  let recipe: DeckRecipe
  let parts: DeckPipeline
  let video: DeckGate
  let sound: DeckGate?
  let soundOutput: (any SoundDestination)?
  let longestLead: Duration
  let cards: DeckCards?
  let sidecars: Sidecars
  let gauge: QueueGauge
  let retimer: Retimer
  let start = MediaStart()
  let worker = BlockingWorker()
  let post: @Sendable (DeckEvent) -> Void
  let state = Locked(State())

  /// starting -> (seeking to its first position ->) idle <-> seeking; gone from any of them.
  enum Phase: Hashable, Sendable {
    case starting
    case seekingToStart
    case idle
    case seeking(UInt32)
    case gone
  }
  /// Where no sound is wanted, an item that turns out to have nothing else is opened once more with it. first ->
  /// reopening -> again; no way back.
  enum Opening: Sendable { case first, reopening, again }
  struct State: Sendable {
    var phase = Phase.starting
    var opening = Opening.first
    var hasFailed = false
    var isLive = false
    /// The state that was asked for, apart from the one that the pipeline has come to.
    var target = GST_STATE_NULL
    var current = GST_STATE_NULL
    /// Where the newest seek was to lead.
    var sought: Duration?
    /// Flushes that there had been when the seek that is on began.
    var flushesBefore = 0
    var skipped: [String: UInt64] = [:]
    var metadata = MediaMetadata()
    var chapters: [Duration]?
    /// As they were told last.
    var ranges = MediaRanges()
    var areRangesDue = false
    /// As they were told last; empty before.
    var tracks: [MediaTrack] = []
    /// Streams have changed, and a look at them is on its way.
    var areTracksDue = false
    /// What a live source turned out to have.
    var streams: Set<MediaTrack.Kind>?
    /// Tracks that were switched on or off by hand.
    var overrides: [String: Bool] = [:]
  }

  /// Builds the pipeline; nothing runs yet.
  ///
  /// - Throws: 7202 or 7203 where an element is missing.
  init(
    _ recipe: DeckRecipe, format: DeckFormat, video: any SampleDestination, sound: (any SoundDestination)?,
    cards: CardPainter? = nil, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) {
    id = recipe.id
    self.recipe = recipe
    self.post = post
    longestLead = format.longestLead
    self.cards = cards.map { DeckCards(of: recipe, format: format, destination: video, paint: $0) }
    sidecars = Sidecars(of: recipe.item, servers: recipe.servers, post: post)
    parts = try DeckPipeline.make(recipe, format: format) { news in
      switch news {
      case .begins(let decoder): post(.decoding(decoder))
      case .isWorn(let decoder): post(.decoderIsWorn(decoder))
      }
    }
    gauge = QueueGauge(scale: recipe.buffer) { post(.buffering(percent: $0)) }
    if recipe.item.isRemote { gauge.attach(to: parts.pipeline) }
    let start = start
    retimer = Retimer { rate, running, stream in
      post(.rateChanged(rate, running: running, position: start.inItem(stream)))
    }
    let videoGate = DeckGate(
      deck: recipe.id, start: start, fit: format.video.shape.isPlaced ? recipe.item.fit ?? .contain : .contain,
      copies: recipe.decoders.copiesFrames, clock: format.clock, destination: video)
    self.video = videoGate
    videoGate.attach(to: parts.videoSink)
    if let sink = parts.soundSink, let sound {
      let gate = DeckGate(deck: recipe.id, start: start, clock: format.clock, destination: sound)
      self.sound = gate
      soundOutput = sound
      gate.setReversed(recipe.rate < 0)
      gate.attach(to: sink)
      sound.begin(recipe.id, volume: recipe.item.volume ?? 1)
    } else {
      self.sound = nil
      soundOutput = nil
    }
    // Before all else that looks at these pads, and before what they feed.
    if recipe.item.isRemote {
      for (pad, isPicture) in parts.speedPads { retimer.attach(to: pad, isPicture: isPicture) }
    }
    parts.pipeline.useClock(format.clock)
    Bus.receiveMessages(from: parts.pipeline, computes: true, deck: recipe.id) { [weak self] message in
      self?.receiveMessage(message)
    }
    observe(videoGate, sink: parts.videoSink, .video)
    if let sink = parts.soundSink, let gate = self.sound { observe(gate, sink: sink, .sound) }
    if let sink = parts.textSink { TextGate(start: start) { post(.cue($0)) }.attach(to: sink) }
    sidecars.observe { [weak self] in self?.tracksChanged() }
    parts.tracks?.observe { [weak self] in self?.streamsChanged() }
    observeDecodedVideo()
    if recipe.item.kind != .picture {
      parts.videoSink.staticPad("sink")?.observeArrivals { running in
        if videoGate.isGap(before: running, longerThan: DeckTiming.longestGap) { post(.gapAhead(until: running)) }
      }
    }
    parts.videoSink.staticPad("sink")?.answerAllocation()
  }

  /// What it was built of, to be built once more.
  public var ownRecipe: DeckRecipe { recipe }

  // MARK: Commands, from the loop

  /// Goes to the first frame. Answered by `ready` or `failed`.
  public func prepare() {
    setTarget(GST_STATE_PAUSED)
    worker.submit { [self] in
      // What is opened is opened by this thread, before the pipeline has any of its own.
      vit_crash_thread_serves(id.generation)
      let file = FilmFile.read(recipe.item)
      parts.videoChain.assume(file.orientation)
      start.measured(file.length)
      parts.isJoined.withLock { $0 = file.isJoined }
      switch parts.pipeline.setState(GST_STATE_PAUSED) {
      case GST_STATE_CHANGE_NO_PREROLL:
        state.withLock { state in
          state.isLive = true
          state.phase = .idle
        }
        post(.ready(readiness()))
      case GST_STATE_CHANGE_FAILURE:
        // Most often the bus has told more already; this is for those that say nothing.
        fail(MediaFault(domain: .other, code: 0, message: "the pipeline refused to start"))
      default: break
      }
      // While the pipeline works on its first frame; what it tells of that waits behind this.
      sidecars.find()
    }
  }

  /// Plays so that running time zero is at `base`.
  ///
  /// - Parameter showsFirst: nothing is on the screen yet: the first frame comes as soon as it can, and the second when it is due. Only of
  ///   films without sound, where nobody can tell.
  public func play(base: Instant, showsFirst: Bool = false) {
    let showsFirst = showsFirst && sound?.facts.exists != true && parts.picture == nil
    video.setMode(.open(base: base))
    sound?.setMode(.open(base: base))
    soundOutput?.run(id, base: base)
    setTarget(GST_STATE_PLAYING)
    worker.submit { [parts, longestLead, cards, video] in
      if showsFirst { video.showFirst() }
      parts.pipeline.setBaseTime(base - longestLead)
      _ = parts.pipeline.setState(GST_STATE_PLAYING)
      cards?.play(base: base)
    }
  }

  /// Shows the first frame, or the card, of a deck that is ready and hasn't played.
  public func preview() {
    worker.submit { [video, cards] in
      video.preview()
      cards?.preview()
    }
  }

  /// Holds the deck; its sound is silent at once.
  public func pause() {
    soundOutput?.hold(id)
    setTarget(GST_STATE_PAUSED)
    worker.submit { [parts, cards] in
      _ = parts.pipeline.setState(GST_STATE_PAUSED)
      cards?.pause()
    }
  }

  /// Flush-seeks a held deck. Answered by `seekFinished`.
  public func seek(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    worker.submit { [self] in seekHere(to: position, mode, rate: rate, seek: number, preview: preview) }
  }

  /// The same on the thread of who calls, until the flush is through.
  package func seekHere(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    let flushes = flushes
    state.withLock { state in
      state.phase = .seeking(number)
      state.flushesBefore = flushes
    }
    if let sound {
      soundOutput?.flush(id, epoch: sound.beginEpoch())
      sound.setReversed(rate < 0)
    }
    video.setMode(preview ? .preview : .closed)
    if preview { cards?.preview() }
    for gate in [video, sound].compactMap(\.self) { gate.setNextEpoch(FrameEpoch(seek: number)) }
    guard !runSeek(to: position, mode, rate: rate) else { return }
    state.withLock { $0.phase = .idle }
    post(.seekFinished(seek: number, readiness()))
  }

  /// Goes over to another speed without a seek. Answered by `rateChanged`, once what the deck has already handed on is through;
  /// not at all where a seek comes first, or the end.
  ///
  /// - Parameter rate: above 0.
  public func retime(_ rate: Double) {
    worker.submit { [self] in _ = retimer.change(to: rate) }
  }

  /// Switches one track on or off. Answered by `tracks` where that changes anything.
  public func setTrack(_ id: String, isEnabled: Bool) {
    worker.submit { [self] in
      state.withLock { $0.overrides[id] = isEnabled }
      chooseTracks()
    }
  }

  /// Looks how much has been loaded. Answered by `ranges` where that has changed.
  public func refreshRanges() {
    let mustLook = state.withLock { state in
      guard state.phase != .starting, state.phase != .gone, !state.areRangesDue else { return false }
      state.areRangesDue = true
      return true
    }
    if mustLook { worker.submit { [weak self] in self?.lookAtRanges() } }
  }

  /// Nothing passes any more; the pipeline goes down on the worker. Answered by `gone`, unless it hangs.
  public func drop() {
    tellCopies()
    video.setMode(.closed)
    sound?.setMode(.closed)
    soundOutput?.end(id)
    state.withLock { $0.phase = .gone }
    sidecars.close()
    setTarget(GST_STATE_NULL)
    cards?.close()
    worker.submit { [self] in
      Bus.release(parts.pipeline)
      _ = parts.pipeline.setState(GST_STATE_NULL)
      cards?.stop()
      post(.gone)
    }
    worker.finish()
  }

  /// A deck that is let go without `drop` goes down all the same: a pipeline must not be freed while it runs.
  deinit {
    soundOutput?.end(id)
    sidecars.close()
    worker.submit { [parts, cards] in
      Bus.release(parts.pipeline)
      _ = parts.pipeline.setState(GST_STATE_NULL)
      cards?.stop()
    }
    worker.finish()
  }

  var flushes: Int { video.facts.flushes + (sound?.facts.flushes ?? 0) }

  func setTarget(_ target: GstState) { state.withLock { $0.target = target } }
}

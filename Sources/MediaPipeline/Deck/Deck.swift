internal import CCrash
internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// One item's pipeline: it decodes into the output's bridge and shows nothing by itself.
///
/// Commands come from the loop and return at once; work that can block runs on the deck's own worker, in order, so that
/// a deck that hangs holds up nothing else. Events go to `post`, from the thread on which they happen.
public final class Deck: Sendable {
  public let id: DeckID
  let recipe: DeckRecipe
  let parts: DeckPipeline
  let video: DeckGate
  let sound: DeckGate?
  let soundOutput: SoundLanes?
  let longestLead: Duration
  let cards: DeckCards?
  let sidecars: Sidecars
  let gauge: QueueGauge
  let retimer: Retimer
  let start = MediaStart()
  let worker = BlockingWorker()
  /// Asks the pipeline for its duration and its ranges. A source on the network may answer late: one that updates a live
  /// playlist answers after the update, which takes as long as its server is away. On `worker`, a pause that is due
  /// meanwhile would come too late: with the data, which then count as late.
  let inquirer: BlockingWorker
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
  /// An item that has nothing but sound, where no sound is wanted, is opened a second time with its sound. first ->
  /// reopening -> again; no way back.
  enum Opening: Sendable { case first, reopening, again }
  struct State: Sendable {
    var phase = Phase.starting
    var isOpen: Bool { phase != .starting && phase != .gone }
    var opening = Opening.first
    var hasFailed = false
    var isLive = false
    /// The state that the deck has asked for; `current` is the one that the pipeline has reached.
    var target = GST_STATE_NULL
    var current = GST_STATE_NULL
    /// The newest seek.
    var sought: DeckSeek?
    /// Number of flushes when the current seek began.
    var flushesBefore = 0
    var skipped: [String: UInt64] = [:]
    var metadata = MediaMetadata()
    var chapters: [Duration]?
    /// The ranges that were last reported.
    var ranges = MediaRanges()
    /// The tracks that were last reported; empty before the first report.
    var tracks: [MediaTrack] = []
    /// The kinds of stream that a live source was found to have; nil before.
    var streams: Set<MediaTrack.Kind>?
    /// Tracks that were switched on or off by hand.
    var overrides: [String: Bool] = [:]
    /// The preferences for tracks that came after the recipe's; nil for those.
    var preferences: TrackPreferences?
  }

  /// Builds the pipeline; nothing runs yet.
  ///
  /// - Throws: 7202 or 7203 where an element is missing.
  init(
    _ recipe: DeckRecipe, format: DeckFormat, video: any SampleDestination, sound: (any SoundDestination)?,
    headset: (any SoundDestination)? = nil, cards: CardPainter? = nil, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) {
    id = recipe.id
    self.recipe = recipe
    inquirer = recipe.item.isRemote ? BlockingWorker() : worker
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
      let lanes = SoundLanes(of: recipe, format: format, into: sound, headset: headset, sidecars: sidecars, post: post)
      let gate = DeckGate(deck: recipe.id, start: start, clock: format.clock, destination: lanes)
      self.sound = gate
      soundOutput = lanes
      gate.setReversed(recipe.rate < 0)
      gate.attach(to: sink)
      lanes.begin(recipe.id, volume: recipe.item.volume ?? 1)
    } else {
      self.sound = nil
      soundOutput = nil
    }
    // Attached before the other probes on these pads, and before the elements behind them get data.
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

  /// The recipe that the deck was built from, to build it again.
  public var ownRecipe: DeckRecipe { recipe }

  // MARK: Commands, from the loop

  /// Goes to the first frame. Answered by `ready` or `failed`.
  public func prepare() {
    setTarget(GST_STATE_PAUSED)
    worker.submit { [self] in
      // Files are opened on this thread, before the pipeline has threads of its own.
      vit_crash_thread_serves(id.generation)
      let file = FilmFile.read(recipe.item)
      parts.videoChain.assume(file.orientation)
      // With the sound left out, a film begins with its first picture and may be shorter.
      start.measured(file.length, isExact: file.mended != nil && !parts.isSilent)
      parts.film.withLock { $0 = file }
      switch parts.pipeline.setState(GST_STATE_PAUSED) {
      case GST_STATE_CHANGE_NO_PREROLL:
        state.withLock { state in
          state.isLive = true
          state.phase = .idle
        }
        post(.ready(readiness()))
      case GST_STATE_CHANGE_FAILURE:
        // The bus has mostly reported a more exact error already; this one is for elements that post none.
        fail(MediaFault(domain: .other, code: 0, message: "the pipeline refused to start"))
      default: break
      }
      // Runs while the pipeline prerolls; what the pipeline reports meanwhile waits behind it on the worker.
      sidecars.find()
    }
  }

  /// Plays so that running time zero is at `base`.
  ///
  /// - Parameter showsFirst: nothing is on the screen yet: the first frame is shown as soon as possible, and the second
  ///   when it is due. Ignored for films with sound, where the longer first frame would be noticed.
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

  /// Seeks like `seek`, but on the caller's thread; returns when the flush is done.
  package func seekHere(to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool) {
    let flushes = flushes
    state.withLock { state in
      state.phase = .seeking(number)
      state.flushesBefore = flushes
    }
    if let sound {
      soundOutput?.flush(id, epoch: sound.beginEpoch())
      soundOutput?.aim(rate: rate, FrameEpoch(seek: number))
      sound.setReversed(rate < 0)
    }
    video.setMode(preview ? .preview : .closed)
    if preview { cards?.preview() }
    for gate in [video, sound].compactMap(\.self) { gate.setNextEpoch(FrameEpoch(seek: number)) }
    guard !runSeek(DeckSeek(position: position, mode: mode, rate: rate)) else { return }
    state.withLock { $0.phase = .idle }
    placeSideSounds()
    post(.seekFinished(seek: number, readiness()))
  }

  /// Changes the speed without a seek. Answered by `rateChanged`, once what the deck has already handed on has been
  /// shown; not answered where a seek or the end comes first.
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

  /// Chooses the tracks by these preferences from now on, in place of the recipe's. The deck posts `tracks` when that
  /// changes one.
  public func setTracks(_ preferences: TrackPreferences) {
    worker.submit { [self] in
      let hasStarted = state.withLock { state in
        state.preferences = preferences
        return state.isOpen
      }
      if hasStarted { chooseTracks() }
    }
  }

  /// Measures how much has been loaded. Answered by `ranges` where that has changed.
  public func refreshRanges() {
    guard state.withLock({ $0.isOpen }) else { return }
    inquirer.submitOnce("ranges") { [weak self] in self?.updateRanges() }
  }

  /// Closes the gates at once; the pipeline is shut down on the worker. Answered by `gone`, unless it hangs.
  public func drop() {
    postCopiedFrames()
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
    inquirer.finish()
  }

  /// Shuts down a deck that was released without `drop`: a pipeline must not be freed while it runs.
  deinit {
    soundOutput?.end(id)
    sidecars.close()
    worker.submit { [parts, cards] in
      Bus.release(parts.pipeline)
      _ = parts.pipeline.setState(GST_STATE_NULL)
      cards?.stop()
    }
    worker.finish()
    inquirer.finish()
  }

  var flushes: Int { video.facts.flushes + (sound?.facts.flushes ?? 0) }

  func setTarget(_ target: GstState) { state.withLock { $0.target = target } }
}

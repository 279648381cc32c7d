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
  private let recipe: DeckRecipe
  let parts: DeckPipeline
  private let video: DeckGate
  private let sound: DeckGate?
  private let soundOutput: (any SoundDestination)?
  private let longestLead: Duration
  private let cards: DeckCards?
  private let sidecars: Sidecars
  private let gauge: QueueGauge
  private let start = MediaStart()
  private let worker = BlockingWorker()
  private let post: @Sendable (DeckEvent) -> Void
  private let state = Locked(State())

  /// starting -> (seeking to its first position ->) idle <-> seeking; gone from any of them.
  private enum Phase: Hashable, Sendable {
    case starting
    case seekingToStart
    case idle
    case seeking(UInt32)
    case gone
  }
  /// Where no sound is wanted, an item that turns out to have nothing else is opened once more with it. first ->
  /// reopening -> again; no way back.
  private enum Opening: Sendable { case first, reopening, again }
  private struct State: Sendable {
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
    sidecars = Sidecars(of: recipe.item, post: post)
    parts = try DeckPipeline.make(recipe, format: format)
    gauge = QueueGauge(scale: recipe.buffer) { post(.buffering(percent: $0)) }
    if recipe.item.isRemote { gauge.attach(to: parts.pipeline) }
    let videoGate = DeckGate(deck: recipe.id, start: start, destination: video)
    self.video = videoGate
    videoGate.attach(to: parts.videoSink)
    if let sink = parts.soundSink, let sound {
      let gate = DeckGate(deck: recipe.id, start: start, destination: sound)
      self.sound = gate
      soundOutput = sound
      gate.setReversed(recipe.rate < 0)
      gate.attach(to: sink)
      sound.begin(recipe.id, volume: recipe.item.volume ?? 1)
    } else {
      self.sound = nil
      soundOutput = nil
    }
    parts.pipeline.useSystemClock()
    Bus.receive(from: parts.pipeline, computes: true) { [weak self] message in self?.receive(message) }
    observe(videoGate, sink: parts.videoSink, .video)
    if let sink = parts.soundSink, let gate = self.sound { observe(gate, sink: sink, .sound) }
    if let sink = parts.textSink { TextGate(start: start) { post(.cue($0)) }.attach(to: sink) }
    sidecars.observe { [weak self] in self?.tracksChanged() }
    parts.tracks?.observe { [weak self] in self?.streamsChanged() }
    observeDecodedVideo()
    if recipe.item.kind == .adaptive {
      parts.videoSink.staticPad("sink")?.observeArrivals { running in
        if videoGate.isGap(before: running, longerThan: DeckTiming.longestGap) { post(.gapAhead(until: running)) }
      }
    }
    parts.videoSink.staticPad("sink")?.answerAllocation()
  }

  // MARK: Commands, from the loop

  /// Goes to the first frame. Answered by `ready` or `failed`.
  public func prepare() {
    setTarget(GST_STATE_PAUSED)
    worker.submit { [self] in
      parts.videoChain.assume(FileOrientation.read(recipe.item))
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
  public func play(base: Instant) {
    video.setMode(.open(base: base))
    sound?.setMode(.open(base: base))
    soundOutput?.run(id, base: base)
    setTarget(GST_STATE_PLAYING)
    worker.submit { [parts, longestLead, cards] in
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
  ///
  /// - Parameter blocks: the caller waits until the flush is through, and not the worker; only for measuring what that costs.
  public func seek(
    to position: Duration, _ mode: SeekMode, rate: Double, seek number: UInt32, preview: Bool, blocks: Bool = false
  ) {
    let work: @Sendable () -> Void = { [self] in
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
    if blocks { work() } else { worker.submit(work) }
  }

  /// Switches one track on or off. Answered by `tracks` where that changes anything.
  public func setTrack(_ id: String, isEnabled: Bool) {
    worker.submit { [self] in
      state.withLock { $0.overrides[id] = isEnabled }
      chooseTracks()
    }
  }

  /// Makes the item louder or quieter than recorded.
  ///
  /// - Parameter volume: a factor; 0 is silent, 1 as recorded.
  public func setVolume(_ volume: Double) { soundOutput?.setVolume(volume, of: id) }

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

  private var flushes: Int { video.facts.flushes + (sound?.facts.flushes ?? 0) }

  private func setTarget(_ target: GstState) { state.withLock { $0.target = target } }

  // MARK: Worker

  private func runSeek(to position: Duration, _ mode: SeekMode, rate: Double) -> Bool {
    state.withLock { $0.sought = position }
    let mode = recipe.decoders.mode(mode, decoders: parts.pipeline.childFactories)
    let keyframe = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue
    let flags =
      switch mode {
      case .exact: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue
      case .keyframe: keyframe | GST_SEEK_FLAG_SNAP_NEAREST.rawValue
      case .keyframeBefore: keyframe | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
      case .keyframeAfter: keyframe | GST_SEEK_FLAG_SNAP_AFTER.rawValue
      }
    func inMedium(_ time: Duration) -> gint64 { gint64(self.start.inMedium(time).wholeNanoseconds) }
    let isTrimmed = mode == .exact && rate > 0
    let begin = isTrimmed ? self.start.runUp(to: position) : self.start.entry(position)
    let wanted = self.start.inMedium(position)
    let gates = [video, sound].compactMap(\.self)
    for gate in gates { gate.trimmer.arm(isTrimmed && begin < wanted ? wanted : nil) }
    let target = gint64(begin.wholeNanoseconds)
    // Backwards, a segment runs from its stop to its start.
    let start = rate < 0 ? inMedium(recipe.item.start) : target
    let stop = rate < 0 ? target : recipe.item.end.map { max(target, inMedium($0)) }
    let isOn =
      gst_element_seek(
        parts.pipeline.pointer, rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), GST_SEEK_TYPE_SET, start,
        // Set in any case: what is left alone stays as the last seek had it, such as one backwards.
        GST_SEEK_TYPE_SET, stop ?? -1) != 0
    // The next flush isn't that of a seek that was refused.
    if !isOn { for gate in gates { gate.trimmer.arm(nil) } }
    return isOn
  }

  /// - Parameters:
  ///   - flushes: how many there had been when the pipeline said that it is ready.
  ///   - opening: which one it was that is ready.
  private func prerolled(flushes: Int, of opening: Opening) {
    let (phase, flushesBefore, isStale) = state.withLock { ($0.phase, $0.flushesBefore, $0.opening != opening) }
    if isStale { return }
    switch phase {
    case .starting:
      chooseTracks()
      if hasNothing {
        if !reopensWithSound() { fail(.nothingInside) }
        return
      }
      start.find(firstSamples, elements: parts.pipeline.childFactories())
      if isSoundOnly { beginAsSound() }
      if recipe.from > .zero || recipe.rate != 1 || recipe.item.end != nil, parts.pipeline.queryIsSeekable() {
        state.withLock { $0.phase = .seekingToStart }
        if runSeek(to: recipe.from, .exact, rate: recipe.rate) { return }
      }
      state.withLock { $0.phase = .idle }
      post(.ready(readiness()))
      refreshRanges()
    case .seekingToStart:
      state.withLock { $0.phase = .idle }
      post(.ready(readiness()))
      refreshRanges()
    case .seeking(let number):
      // A deck that was paused right before is ready for that first, and then once more for the seek.
      guard flushes > flushesBefore else { return }
      state.withLock { $0.phase = .idle }
      post(.seekFinished(seek: number, readiness()))
      refreshRanges()
    case .idle, .gone: break
    }
  }

  /// Of each stream that there is.
  private var firstSamples: [Duration] { [video.facts.firstPosition, sound?.facts.firstPosition].compactMap(\.self) }

  /// Neither picture nor sound has come.
  private var hasNothing: Bool { !video.facts.exists && !(sound?.facts.exists ?? false) }

  private var isSoundOnly: Bool {
    let streams = state.withLock { $0.streams }
    if let streams { return !streams.contains(.video) && streams.contains(.audio) }
    return !video.facts.exists && sound?.facts.exists ?? false
  }

  /// Where no sound is wanted decks leave it alone, and then an item that has nothing else would have nothing at all. Its
  /// time is to go by all the same.
  ///
  /// Its stream ends with an error, because nobody takes it, and that comes before or after the pipeline says that it is
  /// ready: whichever is first is the reason to open it again, and the other is no news.
  ///
  /// - Returns: false when that was tried, or isn't the matter.
  private func reopensWithSound() -> Bool {
    guard parts.isSilent, hasNothing else { return false }
    let (isFirst, isDue) = state.withLock { state in
      guard state.phase == .starting, state.opening != .again else { return (false, false) }
      defer { state.opening = .reopening }
      return (state.opening == .first, true)
    }
    if isFirst { worker.submit { [weak self] in self?.openWithSound() } }
    return isDue
  }

  private func openWithSound() {
    // Its threads have said all that they had to say when this returns.
    _ = parts.pipeline.setState(GST_STATE_READY)
    let isWanted = state.withLock { state in
      state.opening = .again
      return state.phase == .starting
    }
    guard isWanted else { return }
    if let sink = parts.soundSink { parts.pipeline.set("audio-sink", sink) }
    parts.pipeline.set("flags", nick: "audio")
    if parts.pipeline.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE { fail(.nothingInside) }
  }

  /// A live source is ready before it knows what it has.
  private func lookAtStreams(_ tracks: [MediaTrack]) {
    let found = Set(tracks.map(\.kind)).intersection([.video, .audio])
    let isNews = state.withLock { state in
      guard state.isLive, !found.isEmpty, state.streams != found else { return false }
      state.streams = found
      return true
    }
    guard isNews else { return }
    post(.streamsFound(hasVideo: found.contains(.video), hasSound: found.contains(.audio)))
    if isSoundOnly { beginAsSound() }
  }

  /// There is nothing to see: what is heard says how far it is, and a card what it is.
  private func beginAsSound() {
    soundOutput?.follow(id)
    cards?.begin(state.withLock { $0.metadata }, isStation: isStation, at: sound?.facts.first ?? .zero)
  }

  private var isStation: Bool {
    recipe.item.kind == .progressive && vit_source_is_endless(parts.pipeline.pointer) != 0
  }

  /// Switches to the tracks that are wanted: another sound by the pipeline's own switch, a kind that is off by its gate, so
  /// that nothing has to be negotiated anew.
  private func chooseTracks() {
    let embedded = parts.tracks?.list() ?? []
    let found = embedded + sidecars.tracks
    let overrides = state.withLock { $0.overrides }
    let chosen = TrackChoice.choose(found, recipe.tracks, overrides: overrides)
    if let tracks = parts.tracks {
      for track in embedded where chosen.contains(track.id) && !track.isEnabled { tracks.select(track.id) }
      func isOff(_ kind: MediaTrack.Kind) -> Bool { !found.contains { $0.kind == kind && chosen.contains($0.id) } }
      video.setMuted(isOff(.video))
      // Of an item that has nothing else the sound is never off: nothing would say how far it is.
      sound?.setMuted(isOff(.audio) && !isSoundOnly)
      lookAtStreams(embedded)
    } else if found.isEmpty {
      return
    }
    let tracks = found.map { track in
      var track = track
      track.isEnabled = chosen.contains(track.id)
      return track
    }
    let isNews = state.withLock { state in
      defer { state.tracks = tracks }
      return state.tracks != tracks
    }
    if isNews { post(.tracks(tracks)) }
    sidecars.want(chosen)
  }

  private func lookAtRanges() {
    let (isGone, isLive) = state.withLock { state in
      state.areRangesDue = false
      return (state.phase == .gone, state.isLive)
    }
    guard !isGone, !isLive, recipe.item.kind != .picture else { return }
    let duration = parts.pipeline.queryDuration().map(start.length)
    let ranges = MediaRanges(
      loaded: duration.map(loaded) ?? TimeRanges(),
      seekable: TimeRanges([parts.pipeline.querySeekable()].compactMap(\.self)))
    let isNews = state.withLock { state in
      defer { state.ranges = ranges }
      return state.ranges != ranges
    }
    if isNews { post(.ranges(ranges)) }
  }

  /// A queue that keeps what was played says what it has. One that only runs ahead doesn't: it has what lies between the
  /// position and how far the source has read.
  private func loaded(of duration: Duration) -> TimeRanges {
    guard recipe.item.isRemote else { return TimeRanges([.zero..<duration]) }
    let buffered = parts.pipeline.queryBuffered()
    if !buffered.isEmpty { return MediaRanges.times(of: buffered, duration: duration) }
    guard let share = parts.pipeline.queryReadShare() else { return TimeRanges() }
    var loaded = TimeRanges()
    // What is on its way to the screen is behind the pipeline's position.
    let position = start.inItem(parts.pipeline.queryPosition() ?? .zero) - longestLead - DeckTiming.bridgeDepth
    loaded.insert(from: max(.zero, position), to: duration * share)
    return loaded
  }

  private func readiness() -> DeckReadiness {
    let isPicture = recipe.item.kind == .picture
    let videoFacts = video.facts
    let soundFacts = sound?.facts
    let (isLive, chapters, sought) = state.withLock { ($0.isLive, $0.chapters, $0.sought) }
    let isSeekable = !isPicture && !isLive && parts.pipeline.queryIsSeekable()
    var readiness = DeckReadiness(
      firstRunningTime: videoFacts.first ?? soundFacts?.first ?? .zero,
      // Where a seek leads to the very end no sample comes.
      firstPosition: (videoFacts.firstPosition ?? soundFacts?.firstPosition).map(start.inItem) ?? sought ?? .zero,
      duration: isPicture
        ? parts.picture?.duration ?? recipe.pictureDuration : parts.pipeline.queryDuration().map(start.length),
      hasVideo: videoFacts.exists || isLive, hasSound: soundFacts?.exists ?? false, isLive: isLive,
      // Sound is mute backwards.
      isSeekable: isSeekable, canPlayReverse: isSeekable && videoFacts.exists && parts.canPlayReverse,
      frameInterval: isPicture ? nil : parts.videoChain.frameInterval)
    readiness.chapters = chapters
    if isStation { readiness.isEndless = true }
    if cards?.isShown == true { readiness.hasCard = true }
    return readiness
  }

  // MARK: Streaming threads

  /// Streams have come or have said more of themselves. Before the first frame the choice is made here and now, before
  /// anything flows: what is in the queues of another track would be heard for up to a second, and a flush right after a
  /// switch hangs: docs/decisions/0014-tracks-and-subtitles.md.
  private func streamsChanged() {
    guard state.withLock({ $0.phase == .starting }), let tracks = parts.tracks else { return tracksChanged() }
    let found = tracks.list()
    let chosen = TrackChoice.choose(found, recipe.tracks, overrides: state.withLock { $0.overrides })
    for track in found where chosen.contains(track.id) && !track.isEnabled {
      // Without one that is on, the playbin hasn't put its switch together yet.
      if found.contains(where: { $0.kind == track.kind && $0.isEnabled }) { tracks.select(track.id) }
    }
  }

  /// Looks at the tracks again, once for a burst of changes.
  private func tracksChanged() {
    let mustLook = state.withLock { state in
      guard state.phase != .starting, state.phase != .gone, !state.areTracksDue else { return false }
      state.areTracksDue = true
      return true
    }
    guard mustLook else { return }
    worker.submit { [weak self] in
      guard let self else { return }
      let isGone = state.withLock { state in
        state.areTracksDue = false
        return state.phase == .gone
      }
      if !isGone { chooseTracks() }
    }
  }

  private func receive(_ message: BusMessage) {
    switch message {
    case .asyncDone:
      let flushes = flushes
      let opening = state.withLock { $0.opening }
      worker.submit { [weak self] in self?.prerolled(flushes: flushes, of: opening) }
    case .stateChanged(let new): state.withLock { $0.current = new }
    case .error(let fault): if !fault.isUnlinked || !reopensWithSound() { fail(fault) }
    case .warning: break
    case .buffering(let percent):
      gauge.pipelineTold(percent)
      refreshRanges()
    case .durationChanged: askForDuration()
    case .tags(let tags):
      let (old, new) = state.withLock { state in
        let old = state.metadata
        state.metadata.merge(tags)
        return (old, state.metadata)
      }
      guard old != new else { break }
      post(.metadata(new))
      if let cards { worker.submit { cards.take(new) } }
    case .cover(let file, let isFront):
      if let cards { worker.submit { cards.take(cover: file, isFront: isFront) } }
    // Told with the deck's readiness: a sink has them before its first frame.
    case .chapters(let starts): state.withLock { $0.chapters = starts.isEmpty ? nil : starts }
    case .medium(let medium, let list, let reach):
      if let kind = medium.kind(insteadOf: recipe.item.kind) { post(.kindFound(kind)) }
      if medium.isList { post(.listFound(medium, list, from: reach)) }
    case .latency: worker.submit { [weak self] in self?.updateLatency() }
    case .clockLost: post(.clockLost)
    case .quality(let dropped, let element):
      let more = state.withLock { state in
        defer { state.skipped[element] = dropped }
        // What a decoder drops before it plays are header packets, which no one was to see.
        return state.target == GST_STATE_PLAYING
          ? Int64(clamping: dropped) - Int64(clamping: state.skipped[element] ?? 0) : 0
      }
      if more > 0 { post(.framesSkipped(Int(more))) }
    }
  }

  private func updateLatency() {
    parts.pipeline.recalculateLatency()
    guard state.withLock({ $0.isLive }) else { return }
    let latency = parts.pipeline.queryLatency()
    video.setLatency(latency)
    sound?.setLatency(latency)
  }

  /// The first error is the one that explains; the ones after it are its echoes.
  private func fail(_ fault: MediaFault) {
    fail(MediaErrors.classify(fault, uri: recipe.item.uri, isRemote: recipe.item.isRemote))
  }

  private func fail(_ error: VitrineError) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed && state.phase != .gone
    }
    if isFirst { post(.failed(error)) }
  }

  private func observe(_ gate: DeckGate, sink: Element, _ kind: StreamKind) {
    if let pad = sink.staticPad("sink") { gate.trimmer.attach(to: pad) }
    let mayGrow = recipe.item.kind != .picture
    sink.staticPad("sink")?.observeEvents { [post, weak self] event in
      switch vit_event_type(event) {
      case GST_EVENT_CAPS:
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        gate.formatKnown(interval: caps.flatMap { Caps(borrowing: $0).video?.frameInterval })
      case GST_EVENT_FLUSH_STOP:
        gate.flushed()
        gate.trimmer.flushed()
      case GST_EVENT_EOS:
        let facts = gate.facts
        post(.streamEnded(kind, at: facts.end, buffers: facts.passed, lastDuration: facts.lastDuration))
        // A fragmented MP4 that says nothing of its length has it found out as it is read; nobody tells that it has grown.
        if mayGrow { self?.askForDuration() }
      default: break
      }
    }
  }

  private func askForDuration() {
    worker.submit { [weak self] in
      guard let self, let duration = parts.pipeline.queryDuration() else { return }
      post(.durationChanged(start.length(duration)))
      refreshRanges()
    }
  }

  private func observeDecodedVideo() {
    if let picture = parts.picture {
      return picture.observe { [weak self] event in
        switch event {
        case .opened(let size, let interval): self?.post(.mediaSize(PresentationSize(pixels: size), interval: interval))
        case .failed(let error): self?.fail(error)
        case .broken(let error): self?.post(.warning(error))
        }
      }
    }
    parts.videoChain.observe { [post] video, interval in
      post(.mediaSize(video.uprightSize, interval: interval))
    }
  }
}

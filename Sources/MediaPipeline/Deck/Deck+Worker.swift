internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

// What a deck does on its worker: what may block, one after the other.

extension Deck {
  func runSeek(to position: Duration, _ mode: SeekMode, rate: Double) -> Bool {
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
    // Streams in parts would have to fetch the part before, where the target is the first frame of one.
    // A slide that begins long before the target is better cut: whole, it would have the sound wait for as long.
    let interval = parts.videoChain.frameInterval.flatMap { $0 > Landing.reach ? nil : $0 }
    let wholeFrame = recipe.item.kind == .adaptive || !video.facts.exists ? nil : interval
    let begin = isTrimmed ? self.start.runUp(to: position, frame: wholeFrame) : self.start.entry(position)
    let wanted = self.start.inMedium(position)
    let gates = [video, sound].compactMap(\.self)
    let trimsTo = isTrimmed && begin < wanted ? wanted : nil
    video.trimmer.arm(trimsTo, usual: parts.videoChain.frameInterval)
    sound?.trimmer.arm(trimsTo)
    retimer.forget()
    let target = gint64(begin.wholeNanoseconds)
    // Backwards, a segment runs from its stop to its start.
    let start = rate < 0 ? inMedium(recipe.item.start) : target
    let stop = rate < 0 ? target : recipe.item.end.map { max(target, inMedium($0)) }
    let isOn =
      gst_element_seek(
        seekTarget.pointer, rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), GST_SEEK_TYPE_SET, start,
        // Set in any case: what is left alone stays as the last seek had it, such as one backwards.
        GST_SEEK_TYPE_SET, stop ?? -1) != 0
    // The next flush isn't that of a seek that was refused.
    if !isOn { for gate in gates { gate.trimmer.arm(nil) } }
    return isOn
  }

  /// What a seek is given to, and what says whether there can be one.
  ///
  /// A playbin gives it to its sink of subtitles first. Subtitles in a file of their own beside a stream of parts take it for a
  /// seek to their own first byte, and say that nothing can be sought.
  private var seekTarget: Element {
    guard recipe.item.kind == .adaptive else { return parts.pipeline }
    return video.facts.exists ? parts.videoSink : parts.soundSink ?? parts.pipeline
  }

  /// - Parameters:
  ///   - flushes: how many there had been when the pipeline said that it is ready.
  ///   - opening: which one it was that is ready.
  func prerolled(flushes: Int, of opening: Opening) {
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
      if recipe.from > .zero || recipe.rate != 1 || recipe.item.end != nil, seekTarget.queryIsSeekable() {
        state.withLock { $0.phase = .seekingToStart }
        if runSeek(to: recipe.from, .exact, rate: recipe.rate) { return }
      }
      begin()
    case .seekingToStart: begin()
    case .seeking(let number):
      // A deck that was paused right before is ready for that first, and then once more for the seek.
      guard flushes > flushesBefore else { return }
      state.withLock { $0.phase = .idle }
      post(.seekFinished(seek: number, readiness()))
      refreshRanges()
    case .idle, .gone: break
    }
  }

  private func begin() {
    state.withLock { $0.phase = .idle }
    keepSeconds()
    let readiness = readiness()
    post(.ready(readiness))
    // Nothing is to be seen until then, and nothing is stuck.
    if let picture = video.facts.first, picture > readiness.firstRunningTime { post(.gapAhead(until: picture)) }
    refreshRanges()
  }

  /// Between a source and a demultiplexer a queue counts bytes: how long those last isn't known before the item is. Whoever asks for
  /// a short buffer gets it from then on: docs/decisions/0103-seconds-in-bytes.md.
  private func keepSeconds() {
    guard recipe.keepsSeconds, recipe.item.kind == .progressive, let duration = parts.pipeline.queryDuration(),
      duration > .zero,
      let size = parts.pipeline.querySourceSize(),
      let bytes = BufferingPolicy.bytes(of: recipe.buffer, size: size, duration: duration, limit: recipe.bufferBytes)
    else { return }
    vit_limit_download(parts.pipeline.pointer, guint(clamping: bytes))
  }

  /// Of each stream that there is.
  var firstSamples: [Duration] { [video.facts.firstPosition, sound?.facts.firstPosition].compactMap(\.self) }

  /// Neither picture nor sound has come.
  var hasNothing: Bool { !video.facts.exists && !(sound?.facts.exists ?? false) }

  var isSoundOnly: Bool {
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
  func reopensWithSound() -> Bool {
    guard parts.isSilent, hasNothing else { return false }
    let (isFirst, isDue) = state.withLock { state in
      guard state.phase == .starting, state.opening != .again else { return (false, false) }
      defer { state.opening = .reopening }
      return (state.opening == .first, true)
    }
    if isFirst { worker.submit { [weak self] in self?.openWithSound() } }
    return isDue
  }

  func openWithSound() {
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
  func lookAtStreams(_ tracks: [MediaTrack]) {
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
  func beginAsSound() {
    soundOutput?.follow(id)
    cards?.begin(state.withLock { $0.metadata }, isStation: isStation, at: sound?.facts.first ?? .zero)
  }

  var isStation: Bool {
    recipe.item.kind == .progressive && vit_source_is_endless(parts.pipeline.pointer) != 0
  }

  /// Switches to the tracks that are wanted: another sound by the pipeline's own switch, a kind that is off by its gate, so
  /// that nothing has to be negotiated anew.
  func chooseTracks() {
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

  func lookAtRanges() {
    let (isGone, isLive, known) = state.withLock { state in
      state.areRangesDue = false
      return (state.phase == .gone, state.isLive, state.ranges)
    }
    guard !isGone, !isLive, recipe.item.kind != .picture else { return }
    // While a seek flushes nobody answers: what was known is still true then.
    let loaded = parts.pipeline.queryDuration().map(start.length).map(loaded) ?? known.loaded
    let seekable = seekTarget.querySeekable().map { TimeRanges([$0]) } ?? known.seekable
    let ranges = MediaRanges(loaded: loaded, seekable: seekable)
    let isNews = state.withLock { state in
      defer { state.ranges = ranges }
      return state.ranges != ranges
    }
    if isNews { post(.ranges(ranges)) }
  }

  /// A queue that keeps what was played says what it has. One that only runs ahead doesn't: it has what lies between the
  /// position and how far the source has read.
  func loaded(of duration: Duration) -> TimeRanges {
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

  /// By how much the first sound comes before the first picture; zero where one of them isn't there.
  private func soundLead(_ video: DeckGate.Facts, _ sound: DeckGate.Facts?) -> Duration {
    guard let picture = video.first, let first = sound?.first else { return .zero }
    return picture - first
  }

  func readiness() -> DeckReadiness {
    let isPicture = recipe.item.kind == .picture
    let videoFacts = video.facts
    let soundFacts = sound?.facts
    let (isLive, chapters, sought) = state.withLock { ($0.isLive, $0.chapters, $0.sought) }
    let isSeekable = !isPicture && !isLive && seekTarget.queryIsSeekable()
    // Sound that begins long before the picture is heard from its beginning. A little earlier it often is, and nobody misses that.
    let leads = sought == nil && soundLead(videoFacts, soundFacts) > Landing.reach
    var readiness = DeckReadiness(
      firstRunningTime: (leads ? nil : videoFacts.first) ?? soundFacts?.first ?? .zero,
      // Where a seek leads to the very end no sample comes.
      firstPosition: ((leads ? nil : videoFacts.firstPosition) ?? soundFacts?.firstPosition).map(start.inItem) ?? sought
        ?? .zero,
      duration: isPicture
        ? parts.picture?.duration ?? recipe.pictureDuration : parts.pipeline.queryDuration().map(start.length),
      hasVideo: videoFacts.exists || isLive, hasSound: soundFacts?.exists ?? false, isLive: isLive,
      // Sound is mute backwards.
      isSeekable: isSeekable, canPlayReverse: isSeekable && videoFacts.exists && parts.canPlayReverse(recipe.item),
      frameInterval: isPicture ? nil : parts.videoChain.frameInterval)
    readiness.chapters = chapters
    readiness.pictureInterval = isPicture ? nil : parts.videoChain.pictureInterval ?? readiness.frameInterval
    if isStation { readiness.isEndless = true }
    if cards?.isShown == true { readiness.hasCard = true }
    return readiness
  }
}

internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

// A deck's blocking work, which its worker does in order.

extension Deck {
  func runSeek(_ wanted: DeckSeek) -> Bool {
    var seek = wanted
    seek.mode = recipe.decoders.mode(wanted.mode, decoders: parts.pipeline.childFactories)
    state.withLock { $0.sought = seek }
    // HLS and DASH would have to fetch the segment before, where the target is the first frame of a segment.
    // A slide that begins long before the target is better cut: shown whole, it would make the sound wait for just as
    // long.
    let interval = parts.videoChain.frameInterval.flatMap { $0 > Landing.reach ? nil : $0 }
    let wholeFrame = recipe.item.kind == .adaptive || !video.facts.exists ? nil : interval
    video.trimmer.arm(seek.aim(start, isPicture: true), usual: parts.videoChain.frameInterval)
    sound?.trimmer.arm(seek.aim(start, isPicture: false))
    retimer.forget()
    func inMedium(_ time: Duration) -> gint64 { gint64(start.inMedium(time).wholeNanoseconds) }
    let target = gint64(seek.begin(start, frame: wholeFrame).wholeNanoseconds)
    // Backwards, a segment runs from its stop to its start.
    let first = seek.rate < 0 ? inMedium(recipe.item.start) : target
    let stop = seek.rate < 0 ? target : recipe.item.end.map { max(target, inMedium($0)) }
    let isOn =
      gst_element_seek(
        seekTarget.pointer, seek.rate, GST_FORMAT_TIME, seek.flags, GST_SEEK_TYPE_SET, first,
        // Set in any case: a stop that isn't set stays as the last seek left it, which may have been a backward one.
        GST_SEEK_TYPE_SET, stop ?? -1) != 0
    // A refused seek causes no flush: the next flush belongs to something else.
    if !isOn { for gate in [video, sound] { gate?.trimmer.arm(nil) } }
    return isOn
  }

  /// The element that gets the seeks.
  ///
  /// A playbin passes a seek to its subtitle sink first. A subtitle file beside an adaptive stream takes it for a seek
  /// to the file's own first byte, and answers that nothing can be sought.
  private var seekTarget: Element {
    guard recipe.item.kind == .adaptive else { return parts.pipeline }
    return video.facts.exists ? parts.videoSink : parts.soundSink ?? parts.pipeline
  }

  /// - Parameters:
  ///   - flushes: the number of flushes when the pipeline reported that it had prerolled.
  ///   - opening: the opening that has prerolled.
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
      if recipe.from > .zero || recipe.rate != 1 || recipe.item.end != nil, parts.queryIsSeekable() {
        state.withLock { $0.phase = .seekingToStart }
        if runSeek(DeckSeek(position: recipe.from, mode: .exact, rate: recipe.rate)) { return }
      }
      begin()
    case .seekingToStart: if !looksBack() { begin() }
    case .seeking(let number):
      // A deck that was paused just before prerolls for the pause first, and then once more for the seek.
      guard flushes > flushesBefore, !looksBack() else { return }
      state.withLock { $0.phase = .idle }
      placeSideSounds()
      post(.seekFinished(seek: number, readiness()))
      refreshRanges()
    case .idle, .gone: break
    }
  }

  /// Repeats a seek from the key frame before its target, if it has missed that: then the deck is to preroll once more.
  /// Adaptive streams begin at a key frame anyway.
  private func looksBack() -> Bool {
    guard video.trimmer.hasMissed else { return false }
    let again = recipe.item.kind == .adaptive ? nil : state.withLock { $0.sought?.lookingBack }
    if let again, runSeek(again) { return true }
    video.showMissed()
    return false
  }

  private func begin() {
    state.withLock { $0.phase = .idle }
    parts.keepSeconds(of: recipe)
    placeSideSounds()
    let readiness = readiness()
    post(.ready(readiness))
    // Until then the screen stays empty: the deck isn't stuck.
    if let picture = video.facts.first, picture > readiness.firstRunningTime { post(.gapAhead(until: picture)) }
    refreshRanges()
  }

  /// Lets the sounds of other files follow the deck to where it is.
  func placeSideSounds() {
    soundOutput?.place(after: [video, sound], start, of: recipe.item, lasting: parts.queryDuration())
  }

  /// The positions of the first samples, one for each stream that exists.
  var firstSamples: [Duration] { [video.facts.firstPosition, sound?.facts.firstPosition].compactMap(\.self) }

  /// Neither a picture nor sound has come.
  var hasNothing: Bool { !video.facts.exists && !(sound?.facts.exists ?? false) }

  /// A sample has arrived: the streams have begun.
  var hasBegun: Bool { video.facts.hasBegun || sound?.facts.hasBegun ?? false }

  var isSoundOnly: Bool {
    let streams = state.withLock { $0.streams }
    if let streams { return !streams.contains(.video) && streams.contains(.audio) }
    return !video.facts.exists && sound?.facts.exists ?? false
  }

  /// Opens an item again with its sound, where no sound is wanted and the item has nothing else. Nothing is heard then,
  /// but the item's time passes.
  ///
  /// Without a sink for it, the sound stream ends with an error, which comes before or after the pipeline reports that
  /// it has prerolled: the first of the two reopens the item. The other is ignored, as are errors of its shutdown.
  ///
  /// - Returns: false where the item was reopened already, or has other streams.
  func reopensWithSound(isUnlinked: Bool = true) -> Bool {
    guard parts.isSilent, hasNothing else { return false }
    let (isFirst, isDue) = state.withLock { state in
      let isAllowed = state.opening == .reopening || state.opening == .first && isUnlinked
      guard state.phase == .starting, isAllowed else { return (false, false) }
      defer { state.opening = .reopening }
      return (state.opening == .first, true)
    }
    if isFirst { worker.submit { [weak self] in self?.openWithSound() } }
    return isDue
  }

  func openWithSound() {
    // When this returns, the pipeline's threads have posted all their messages.
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

  /// Reports the streams of a live source, which is ready before its streams are known.
  func updateStreams(_ tracks: [MediaTrack]) {
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

  /// Starts what replaces the picture: the position follows the sound that is heard, and a card names the item.
  func beginAsSound() {
    soundOutput?.follow(id)
    cards?.begin(state.withLock { $0.metadata }, isStation: isStation, at: sound?.facts.first ?? .zero)
  }

  var isStation: Bool {
    recipe.item.kind == .progressive && vit_source_is_endless(parts.pipeline.pointer) != 0
  }

  /// Switches to the wanted tracks: to another sound track by the pipeline's own selector, and a kind on or off by its
  /// gate, so that nothing has to be negotiated again.
  func chooseTracks() {
    let embedded = parts.tracks?.list() ?? []
    // An item that is nothing but sound is told by the sound that is heard, its own.
    let found = embedded + sidecars.tracks.filter { $0.kind == .text || !isSoundOnly && !parts.isSilent }
    let chosen = chosenTracks(of: found)
    if let tracks = parts.tracks {
      tracks.select(chosen.room, of: embedded, hasBegun: hasBegun)
      func isOff(_ kind: MediaTrack.Kind) -> Bool { !found.contains { $0.kind == kind && chosen.room.contains($0.id) } }
      video.setMuted(isOff(.video))
      // In an item that has nothing else, the sound is never off: the position is measured by it.
      sound?.setMuted(isOff(.audio) && !isSoundOnly)
      updateStreams(embedded)
    } else if found.isEmpty {
      return
    }
    let tracks = found.map { track in
      var track = track
      track.isEnabled = chosen.ids.contains(track.id)
      return track
    }
    let isNews = state.withLock { state in
      defer { state.tracks = tracks }
      return state.tracks != tracks
    }
    if isNews { post(.tracks(tracks)) }
    let position = parts.queryPosition().map(start.inItem) ?? state.withLock { $0.sought?.position } ?? .zero
    sidecars.want(chosen.ids, from: position)
    soundOutput?.choose(chosen) { parts.sideSource(of: $0, recipe.item, start) }
  }

  /// The tracks that are to be on, by the newest preferences and by what was switched by hand.
  func chosenTracks(of found: [MediaTrack]) -> ChosenTracks {
    let (overrides, preferences) = state.withLock { ($0.overrides, $0.preferences ?? recipe.tracks) }
    return ChosenTracks(
      of: found, preferences, configured: soundOutput?.hasHeadset == true ? recipe.configuredTracks : nil,
      overrides: overrides)
  }

  func updateRanges() {
    let (isGone, isLive, known) = state.withLock { state in
      (state.phase == .gone, state.isLive, state.ranges)
    }
    guard !isGone, !isLive, recipe.item.kind != .picture else { return }
    // While a seek flushes, the pipeline answers no query: the last known values still hold.
    let loaded = parts.queryDuration().map(start.length).map(loaded) ?? known.loaded
    let seekable = parts.querySeekable().map { TimeRanges([$0]) } ?? known.seekable
    let ranges = MediaRanges(loaded: loaded, seekable: seekable)
    let isNews = state.withLock { state in
      defer { state.ranges = ranges }
      return state.ranges != ranges
    }
    if isNews { post(.ranges(ranges)) }
  }

  /// The ranges that have been loaded. A queue that keeps played data reports its own ranges. For one that only reads
  /// ahead, the range runs from the position to where the source has read.
  func loaded(of duration: Duration) -> TimeRanges {
    guard recipe.item.isRemote else { return TimeRanges([.zero..<duration]) }
    let buffered = parts.queryBuffered()
    if !buffered.isEmpty { return MediaRanges.times(of: buffered, duration: duration) }
    guard let share = parts.pipeline.queryReadShare() else { return TimeRanges() }
    var loaded = TimeRanges()
    // Frames on their way to the screen are behind the pipeline's position.
    let position = start.inItem(parts.queryPosition() ?? .zero) - longestLead - DeckTiming.bridgeDepth
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
    let (isLive, chapters, sought) = state.withLock { ($0.isLive, $0.chapters, $0.sought?.position) }
    let isSeekable = !isPicture && !isLive && parts.queryIsSeekable()
    // Where sound begins long before the picture, the item begins with the sound. A small lead is common, and its loss
    // isn't noticed.
    let leads = sought == nil && soundLead(videoFacts, soundFacts) > Landing.reach
    var readiness = DeckReadiness(
      firstRunningTime: (leads ? nil : videoFacts.first) ?? soundFacts?.first ?? .zero,
      // A seek to the very end yields no sample.
      firstPosition: ((leads ? nil : videoFacts.firstPosition) ?? soundFacts?.firstPosition).map(start.inItem) ?? sought
        ?? .zero,
      duration: isPicture
        ? parts.picture?.duration ?? recipe.pictureDuration : parts.queryDuration().map(start.length),
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

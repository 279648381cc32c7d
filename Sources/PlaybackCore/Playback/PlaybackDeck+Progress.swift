// What a deck knows of itself: its position, the frames that it owes, its abilities.

extension PlaybackDeck {
  /// The playhead of a deck whose frames don't tell its position: a picture and a slide show go by their clock, an item
  /// without a picture by the sound that was heard. Nil for other decks.
  ///
  /// - Parameter isWaiting: whether playback waits.
  func ownPlayhead(isWaiting: Bool, at now: Instant) -> Playhead? {
    if isSoundOnly { return soundPlayhead(at: now) }
    guard isPicture else { return slidePlayhead(isWaiting: isWaiting) }
    let runningTime: Duration =
      switch phase {
      case .preparing, .ready: .zero
      case .held(let time): time
      case .seeking(let seeking): seeking.heldAt
      case .playing(let base, _): now - base
      }
    let position = motion.origin + max(.zero, runningTime)
    if let duration = readiness.duration, position >= duration {
      return Playhead(position: duration, at: now, rate: 0)
    }
    guard let base else { return Playhead(position: position, at: now, rate: 0) }
    return Playhead(position: position, at: max(now, base), rate: 1)
  }

  /// The playhead within a frame that stays for long, as in a slide show; nil for other films, whose frames tell the
  /// position.
  private func slidePlayhead(isWaiting: Bool) -> Playhead? {
    guard hasShownFrames, !isWaiting, let shownAt = shown.lastAt,
      let base
    else { return nil }
    let until = max(shownAt + (readiness.frameInterval ?? .zero), nextFrameDue(base: base, after: shownAt))
    guard until - shownAt >= Self.slideStay, !hasEnded else { return nil }
    // After a pause the position is somewhere within the frame.
    let from = motion.origin + max(.zero, shownAt - base) * rate
    let position = rate < 0 ? min(place, from) : max(place, from)
    return Playhead(position: position, at: shownAt, rate: rate, isValidFor: until - shownAt)
  }

  /// A frame that stays for less is followed soon enough by the next, which tells the position.
  private static let slideStay: Duration = .seconds(1)

  private func soundPlayhead(at now: Instant) -> Playhead {
    guard case .playing(let base, _) = phase, let heardAt = shown.lastAt,
      leadingEnd.map({ now < base + $0 }) ?? true
    else { return Playhead(position: position, at: now, rate: 0) }
    return Playhead(
      position: position, at: max(heardAt, base + readiness.firstRunningTime), rate: rate,
      isValidFor: Self.soundTrust)
  }

  /// Time after its last report for which sound is taken to go on: one and a half reports may be late on a busy
  /// machine.
  private static let soundTrust = RenderedSound.interval * 5 / 2

  /// The playhead by a deck's newest frame. It runs from that frame's time, or from when the deck began to play after
  /// it.
  ///
  /// - Parameter isRunning: whether playback goes on.
  func framePlayhead(isRunning: Bool, at now: Instant) -> Playhead {
    guard isRunning, base != nil, hasShownFrames, let shownAt = shown.lastAt else {
      return Playhead(position: place, at: now, rate: 0)
    }
    return Playhead(position: place, at: shownAt, rate: rate, isValidFor: Self.frameTrust)
  }

  /// Time after a frame for which playback is taken to go on: six frames of film. A longer stall is visible.
  private static let frameTrust: Duration = .milliseconds(250)

  /// The progress that the screen must show while the deck plays.
  func owed(base: Instant, stays: Duration?, at time: Instant) -> OwedProgress {
    // The output watches an item's sound, and its card is up.
    guard readiness.hasVideo else { return .nothing }
    guard hasShownFrames else {
      let first = base + readiness.firstRunningTime
      return .frame(from: nextFrameDue(base: base, after: first), isRemote: media.isRemote)
    }
    if isPicture { return .nothing }
    guard let last = shown.lastAt, let stays, rate != 0 else { return .later }
    let scaled = max(stays, stays / abs(rate))
    if let end = leadingEnd {
      // The last frame may stay for as long as the sound goes on.
      let shownUntil = (position - motion.origin) / rate + scaled
      if shownUntil + Self.lastFrameTrust >= end { return .later }
      // The last frames were too late to be shown, and the sound goes on.
      if time >= base + end { return .later }
    }
    let from = max(last + scaled, nextFrameDue(base: base, after: last))
    return .frame(from: from, isRemote: media.isRemote)
  }

  /// Greatest distance between a stream's end and its last frame's end: two frames of film.
  private static let lastFrameTrust: Duration = .milliseconds(100)

  /// Longest time without a sign of progress.
  func stuckLimit(_ policy: ReconnectPolicy) -> Duration {
    max(media.isRemote ? policy.stuck : policy.stuckLocal, progressInterval * 3)
  }

  var recoveryTimers: [PlaybackTimer] {
    // Only timers that can have been started: a local item in good health has one.
    guard media.isRemote else { return isBuilt ? [.stuck(id)] : [.reconnect(id)] }
    return [.stuck(id), .starved(id), .drained(id), .silent(id), .reconnect(id)]
  }

  /// Whether the deck's stream ends at least this much before its item does.
  func endsEarly(by least: Duration) -> Bool {
    // A camera and a station have no end.
    if (media.kind == .rtsp && playedRange == nil) || isEndless { return true }
    guard let end = leadingEnd, let last = playedRange?.upperBound else { return false }
    return motion.origin + end * rate < last - least
  }

  /// Whether the deck may be asked to play backwards. While it is prepared the answer is yes for local items; network
  /// items never play backwards.
  var mayPlayReverse: Bool { isPreparing ? !media.isRemote : readiness.canPlayReverse }

  /// Whether the item has a checksum but names further files, which the checksum doesn't cover.
  func leavesProof(as kind: MediaKind) -> Bool {
    guard media.sha256 != nil else { return false }
    switch kind {
    case .adaptive, .rtsp, .udp: return true
    case .file, .picture, .progressive: return false
    }
  }
}

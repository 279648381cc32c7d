// Seeking: one seek in flight, the newest request wins, and an equal target is elided. The next one is sent when the
// flush of the one before is done, and a guard timer makes sure that a lost answer doesn't block later seeks. A step by
// frames is a seek too, and so is a change of rate where the deck can't adopt it with the data that it has loaded.

/// Requested seeks. The one in progress is in its deck.
struct SeekState: Sendable {
  struct Request: Hashable, Sendable {
    var target: Duration
    var tolerance: SeekTolerance
    var rate: Double
  }
  var pending: Request?
  var lastNumber: UInt32 = 0
  /// Durations of a deck's seeks: the last one to a key frame, and a mean of those to the exact frame, in which later
  /// ones count more. Another deck has another group of pictures to decode.
  private struct Times: Sendable {
    var deck: DeckID
    var keyframe: Duration?
    var exact: Duration?
  }
  private var times: Times?

  mutating func took(_ time: Duration, _ mode: SeekMode, _ deck: DeckID) {
    var known = times.flatMap { $0.deck == deck ? $0 : nil } ?? Times(deck: deck)
    if mode == .exact {
      known.exact = known.exact.map { $0 + (time - $0) / 4 } ?? time
    } else {
      known.keyframe = time
    }
    times = known
  }

  /// Whether exact seeks are quick. Before the first, one is worth a try where a key frame has taken at most half of
  /// the limit.
  func isExactQuick(_ deck: DeckID, limit: Duration) -> Bool {
    guard let times, times.deck == deck else { return false }
    return times.exact.map { $0 <= limit } ?? times.keyframe.map { $0 <= limit / 2 } ?? false
  }

  /// The mode to begin with: key frames where the tolerance allows them. Where the decoder has done exact seeks
  /// quickly, exact ones are used: a dragged film then moves frame by frame, and not from one key frame to the next and
  /// back.
  func firstMode(of request: Request, in deck: DeckID, quick: Duration) -> SeekMode {
    let mode = request.tolerance.firstMode
    guard request.tolerance.before != nil, request.tolerance.after != nil, isExactQuick(deck, limit: quick)
    else { return mode }
    return .exact
  }
}

extension PlaybackMachine {
  /// The position to show: the target of a seek while there is one, else that of the frame on the screen.
  public var shownPosition: Duration? { seekTarget ?? current?.position }

  mutating func requestSeek(to target: Duration, _ tolerance: SeekTolerance) {
    guard !sequence.endedWithoutItem else { return }
    let first = max(.zero, current?.media.start ?? .zero)
    let clamped = max(first, current.map { $0.lastTarget(of: target, playsOn: intent.wantsToPlay) } ?? target)
    enqueue(SeekState.Request(target: clamped, tolerance: tolerance, rate: current?.rate(wanted: rate) ?? rate))
  }

  /// A rate of zero is a pause. A new rate is a seek to the present position, or the deck adopts it while it runs.
  mutating func requestRate(_ wanted: Double) {
    guard wanted != 0, !wanted.isNaN else {
      intent.wantsToPlay = false
      return
    }
    let speed = min(max(abs(wanted), policy.rates.lowerBound), policy.rates.upperBound)
    let new = wanted < 0 ? -speed : speed
    if new < 0, let deck = current, !deck.mayPlayReverse { return }
    guard new != rate else { return }
    intent.rate = new
    reconsiderNext()
    if let deck = current, seek.pending == nil, deck.retimes(to: new) {
      if (deck.motion.comingRate ?? deck.rate) != new {
        current?.motion.comingRate = new
        emit(.retimeDeck(deck.id, rate: new))
      }
      return
    }
    // A deck that is still being prepared adopts the rate when it is ready.
    if let deck = current, let position = shownPosition,
      deck.rate(wanted: new) != deck.rate || seek.pending != nil || deck.isSeeking
    {
      enqueue(SeekState.Request(target: position, tolerance: .exact, rate: deck.rate(wanted: new)))
    }
  }

  /// Turns to forward playback an item that can't play backwards: else nothing would follow it.
  private mutating func turnRound() {
    intent.rate = abs(rate)
    reconsiderNext()
  }

  /// Notes the deck's new rate. A deck that has been sought in meanwhile has its rate from the seek.
  mutating func rateChanged(_ id: DeckID, _ rate: Double, at running: Duration, _ position: Duration) {
    guard rate > 0, let deck = current, deck.id == id, !deck.isSeeking else { return }
    update(id) { deck in
      deck.motion.rate = rate
      if deck.motion.comingRate == rate { deck.motion.comingRate = nil }
      deck.motion.origin = position - running * rate
    }
    armIfDue()
  }

  /// Target of a step by this many frames; nil where steps are impossible: while playing, and without a frame rate.
  public func stepTarget(_ frames: Int) -> Duration? {
    guard !intent.wantsToPlay, frames != 0, let deck = current, let position = shownPosition else { return nil }
    return deck.stepTarget(frames, from: position)
  }

  mutating func requestStep(_ frames: Int) {
    if let target = stepTarget(frames) { requestSeek(to: target, .exact) }
  }

  private mutating func enqueue(_ request: SeekState.Request) {
    // At the end of the queue the seek in flight doesn't lead away from the end, so an equal request isn't elided.
    if current?.seeking?.request == request, current?.hasEnded != true {
      seek.pending = nil
    } else {
      seek.pending = request
    }
    runPendingSeek()
  }

  /// Sends the newest request, once the deck can seek and none is in flight.
  mutating func runPendingSeek() {
    guard var request = seek.pending, let deck = current, !deck.isPreparing, !deck.isSeeking,
      !deck.buffering.isBrokenOff
    else { return }
    seek.pending = nil
    if request.rate < 0, !deck.readiness.canPlayReverse {
      request.rate = abs(request.rate)
      turnRound()
    }
    guard deck.canSeek else { return }
    send(request, seek.firstMode(of: request, in: deck.id, quick: policy.quickSeek), to: deck)
  }

  private mutating func send(_ request: SeekState.Request, _ mode: SeekMode, to deck: PlaybackDeck) {
    seek.lastNumber += 1
    let number = seek.lastNumber
    if case .playing(let base, _) = deck.phase { hold(deck, base: base) }
    let heldAt: Duration = if case .held(let time) = current?.phase { time } else { .zero }
    let seeking = PlaybackDeck.Seeking(request: request, mode: mode, sentAt: now, heldAt: heldAt)
    update(deck.id) { deck in
      deck.phase = .seeking(seeking)
      deck.ends = PlaybackDeck.Ends()
      deck.standing.isPreviewed = true
      deck.shown.heardUntil = nil
      deck.shown.waitsUntil = nil
      deck.motion.landing = nil
      deck.motion.rate = request.rate
      deck.motion.comingRate = nil
      deck.lastSeek = number
    }
    emit(.tell(.seekStarted(seek: number, to: request.target, mode)))
    emit(.seekDeck(deck.id, to: request.target, mode, rate: request.rate, seek: number, preview: true))
    emit(.startTimer(.seekGuard(seek: number), at: now + policy.seekGuard))
  }

  mutating func seekFinished(_ id: DeckID, _ number: UInt32, _ readiness: DeckReadiness) {
    guard let flying = current?.seeking, seekInFlight == number, current?.id == id else { return }
    seek.took(now - flying.sentAt, flying.mode, id)
    emit(.cancelTimer(.seekGuard(seek: number)))
    update(id) { deck in
      deck.phase = .ready
      deck.applyReadiness(readiness)
      deck.motion.landing = Landing(target: flying.request.target, flying.mode, first: readiness.firstPosition)
    }
    // The key frame lies too far off: the seek goes on to the exact frame.
    let request = flying.request
    // A user who has skipped to the end of the queue meanwhile stays there.
    if seek.pending == nil, flying.mode != .exact, current?.hasEnded != true,
      !request.tolerance.allows(readiness.firstPosition, for: request.target), let deck = current
    {
      emit(.tell(.seekEnded(seek: number, .refined)))
      return send(request, .exact, to: deck)
    }
    emit(.tell(.seekEnded(seek: number, seek.pending == nil ? .reached : .superseded)))
    runPendingSeek()
  }

  /// The deck doesn't answer: a fresh one at the target replaces it.
  mutating func seekTimedOut(_ number: UInt32) {
    guard let deck = current, let flying = deck.seeking, deck.lastSeek == number else { return }
    let target = seek.pending?.target ?? flying.request.target
    seek.pending = nil
    emit(.tell(.seekEnded(seek: number, .reached)))
    emit(.abandonDeck(deck.id))
    var again = newDeck(PlayQueue.Entry(id: deck.item, item: deck.media), from: target)
    again.standing.isAnnounced = true
    again.ends.reach = deck.ends.reach
    current = again
  }

  /// Drops the pending seek; the one in flight goes on.
  mutating func dropPendingSeek() {
    guard seek.pending != nil else { return }
    seek.pending = nil
    emit(.tell(.seekDropped))
  }

  /// Ends the seek of a deck that goes.
  mutating func endSeek(_ end: SeekEnd = .superseded) {
    if let number = seekInFlight {
      emit(.cancelTimer(.seekGuard(seek: number)))
      emit(.tell(.seekEnded(seek: number, end)))
    }
    seek.pending = nil
  }
}

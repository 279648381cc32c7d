// Seeking: one in flight, the newest request wins, an equal target is elided, the next goes out when the flush of the
// one before is through, and a guard makes sure that a lost answer doesn't block the ones after it. A step by frames is a seek too, and so is a change of rate where the deck can't take it with what it has loaded.

/// Seeks asked for and under way.
struct SeekState: Sendable {
  struct Request: Hashable, Sendable {
    var target: Duration
    var tolerance: SeekTolerance
    var rate: Double
  }
  struct InFlight: Hashable, Sendable {
    var number: UInt32
    var request: Request
    var mode: SeekMode
    var sentAt: Instant
  }
  var inFlight: InFlight?
  var pending: Request?
  var lastNumber: UInt32 = 0
  /// How long seeks of a deck have taken: the last to a key frame, and those to the very frame, the later ones counting for
  /// more. Another deck has another group of pictures to decode.
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

  /// Whether exact seeks are quick. Before the first, one is worth the try where a key frame has taken less than half as long.
  func isExactQuick(_ deck: DeckID, limit: Duration) -> Bool {
    guard let times, times.deck == deck else { return false }
    return times.exact.map { $0 <= limit } ?? times.keyframe.map { $0 <= limit / 2 } ?? false
  }
}

extension PlaybackMachine {
  /// What is shown as the position: the target of a seek while there is one, else that of the frame on the screen.
  public var shownPosition: Duration? { seek.pending?.target ?? seek.inFlight?.request.target ?? current?.position }

  mutating func requestSeek(to target: Duration, _ tolerance: SeekTolerance) {
    guard !endedWithoutItem else { return }
    let first = max(.zero, current?.media.start ?? .zero)
    let clamped = max(first, current.map { lastTarget(of: target, in: $0) } ?? target)
    enqueue(SeekState.Request(target: clamped, tolerance: tolerance, rate: current?.rate(wanted: rate) ?? rate))
  }

  /// Nothing is shown at the very end of an item. Where nobody wants to play on from there, its last frame is.
  private func lastTarget(of target: Duration, in deck: PlaybackDeck) -> Duration {
    guard let end = deck.playedRange?.upperBound else { return target }
    guard !wantsToPlay, !deck.isPicture, let interval = deck.readiness.frameInterval, target > end - interval else {
      return min(target, end)
    }
    return max(deck.media.start, end - interval * 0.75)
  }

  /// A rate of zero is a pause; another one than before is a seek to where we are, or reaches the deck as it runs.
  mutating func requestRate(_ wanted: Double) {
    guard wanted != 0, !wanted.isNaN else {
      wantsToPlay = false
      return
    }
    let speed = min(max(abs(wanted), policy.rates.lowerBound), policy.rates.upperBound)
    let new = wanted < 0 ? -speed : speed
    if new < 0, let deck = current, !mayPlayReverse(deck) { return }
    guard new != rate else { return }
    rate = new
    reconsiderNext()
    if let deck = current, retimes(deck, to: new) {
      if (deck.comingRate ?? deck.rate) != new {
        current?.comingRate = new
        emit(.retimeDeck(deck.id, rate: new))
      }
      return
    }
    // One that is still being prepared has it as soon as it is ready.
    if let deck = current, let position = shownPosition,
      deck.rate(wanted: new) != deck.rate || seek.pending != nil || seek.inFlight != nil
    {
      enqueue(SeekState.Request(target: position, tolerance: .exact, rate: deck.rate(wanted: new)))
    }
  }

  /// What is still being prepared is given the benefit of the doubt, but for what comes over a network: that never can.
  private func mayPlayReverse(_ deck: PlaybackDeck) -> Bool {
    deck.isPreparing ? !deck.media.isRemote : deck.readiness.canPlayReverse
  }

  /// What was to play backwards and turns out not to goes forwards: else nothing would follow it.
  private mutating func turnRound() {
    rate = abs(rate)
    reconsiderNext()
  }

  /// Whether a deck takes another speed with what it has loaded: a flush would throw that away, and over a slow link the rest
  /// would have to wait for it. A file is there anyhow, and a flush brings its speed at once. What has read its end already has
  /// nothing left to change.
  private func retimes(_ deck: PlaybackDeck, to new: Double) -> Bool {
    deck.media.isRemote && !deck.isPreparing && deck.failure == nil && !deck.hasEnded && deck.videoEnd == nil
      && deck.soundEnd == nil && seek.pending == nil && seek.inFlight == nil && deck.rate > 0 && new > 0
      && deck.rate(wanted: new) == new
  }

  /// The deck runs at another speed. One that has been sought in meanwhile has its speed from that.
  mutating func rateChanged(_ id: DeckID, _ rate: Double, at running: Duration, _ position: Duration) {
    guard rate > 0, let deck = current, deck.id == id, seek.inFlight == nil else { return }
    update(id) { deck in
      deck.rate = rate
      if deck.comingRate == rate { deck.comingRate = nil }
      deck.origin = position - running * rate
    }
    armIfDue()
  }

  /// Where a step by so many frames leads; nil where there are no steps: while playing, and in what has no frame rate.
  ///
  /// It lies a quarter into a frame, because the exact start of a frame may round into the one before it.
  public func stepTarget(_ frames: Int) -> Duration? {
    guard !wantsToPlay, frames != 0, let deck = current, let interval = deck.readiness.frameInterval,
      interval > .zero, let position = shownPosition
    else { return nil }
    var index = Self.count(position / interval + 0.01)
    // At the end of an item the last frame is shown, which begins before it.
    let last = deck.playedRange.map { max(0, Self.count(($0.upperBound / interval - 0.01).rounded(.up)) - 1) }
    index = min(index, last ?? .max)
    index = min(max(0, index.clampedAdding(Int64(frames))), last ?? .max)
    // Where no end is known, and a film claims a frame each nanosecond: no such number of frames is one.
    guard index < Self.mostFrames else { return nil }
    return interval * index + interval / 4
  }

  /// No item has more frames than a Double counts.
  private static let mostFrames: Int64 = 1 << 53
  private static func count(_ frames: Double) -> Int64 {
    Int64(max(0, min(frames.rounded(.down), Double(mostFrames))))
  }

  mutating func requestStep(_ frames: Int) {
    if let target = stepTarget(frames) { requestSeek(to: target, .exact) }
  }

  private mutating func enqueue(_ request: SeekState.Request) {
    // At the end of the queue the one that is in flight only comes to its own end: it wouldn't lead away from there.
    if seek.inFlight?.request == request, current?.hasEnded != true {
      seek.pending = nil
    } else {
      seek.pending = request
    }
    runPendingSeek()
  }

  /// Sends the newest request, once the deck can seek and none is in flight.
  mutating func runPendingSeek() {
    guard seek.inFlight == nil, var request = seek.pending, let deck = current,
      !deck.isPreparing, deck.failure == nil
    else { return }
    seek.pending = nil
    if request.rate < 0, !deck.readiness.canPlayReverse {
      request.rate = abs(request.rate)
      turnRound()
    }
    guard deck.canSeek else { return }
    send(request, firstMode(of: request, deck), to: deck)
  }

  /// Key frames come first where they may be shown on the way to another place. Where the decoder has been quick with very
  /// frames, these are: a film under the finger then moves frame by frame, and not from one key frame to the next and back.
  private func firstMode(of request: SeekState.Request, _ deck: PlaybackDeck) -> SeekMode {
    let mode = request.tolerance.firstMode
    guard request.tolerance.before != nil, request.tolerance.after != nil,
      seek.isExactQuick(deck.id, limit: policy.quickSeek)
    else { return mode }
    return .exact
  }

  private mutating func send(_ request: SeekState.Request, _ mode: SeekMode, to deck: PlaybackDeck) {
    seek.lastNumber += 1
    let number = seek.lastNumber
    seek.inFlight = SeekState.InFlight(number: number, request: request, mode: mode, sentAt: now)
    if case .playing(let base) = deck.phase { hold(deck, base: base) }
    update(deck.id) { deck in
      deck.videoEnd = nil
      deck.soundEnd = nil
      deck.hasEnded = false
      deck.isEndTold = false
      deck.isPreviewed = true
      deck.heardUntil = nil
      deck.frameWaitsUntil = nil
      deck.landing = nil
      deck.rate = request.rate
      deck.comingRate = nil
      deck.epoch = FrameEpoch(seek: number)
    }
    emit(.tell(.seekStarted(seek: number, to: request.target, mode)))
    emit(.seekDeck(deck.id, to: request.target, mode, rate: request.rate, seek: number, preview: true))
    emit(.startTimer(.seekGuard(seek: number), at: now + policy.seekGuard))
  }

  mutating func seekFinished(_ id: DeckID, _ number: UInt32, _ readiness: DeckReadiness) {
    guard let flying = seek.inFlight, flying.number == number, current?.id == id else { return }
    seek.inFlight = nil
    seek.took(now - flying.sentAt, flying.mode, id)
    emit(.cancelTimer(.seekGuard(seek: number)))
    update(id) { deck in
      deck.phase = .ready
      deck.takeReadiness(readiness)
      deck.landing = Landing(target: flying.request.target, flying.mode, first: readiness.firstPosition)
    }
    // A key frame that lies too far off was worth the try; now it has to be the very frame.
    let request = flying.request
    // Whoever has skipped to the end of the queue meanwhile stays there.
    if seek.pending == nil, flying.mode != .exact, current?.hasEnded != true,
      !request.tolerance.allows(readiness.firstPosition, for: request.target), let deck = current
    {
      emit(.tell(.seekEnded(seek: number, .refined)))
      return send(request, .exact, to: deck)
    }
    emit(.tell(.seekEnded(seek: number, seek.pending == nil ? .reached : .superseded)))
    runPendingSeek()
  }

  /// The deck doesn't answer: a fresh one at the target does the same.
  mutating func seekTimedOut(_ number: UInt32) {
    guard let flying = seek.inFlight, flying.number == number, let deck = current else { return }
    let target = seek.pending?.target ?? flying.request.target
    seek.inFlight = nil
    seek.pending = nil
    emit(.tell(.seekEnded(seek: number, .reached)))
    emit(.abandonDeck(deck.id))
    var again = newDeck(PlayQueue.Entry(id: deck.item, item: deck.media), from: target)
    again.isAnnounced = true
    again.hasEnded = deck.hasEnded
    again.isEndTold = deck.isEndTold
    current = again
  }

  /// The seek that waits isn't wanted any more, though the one in flight goes on.
  mutating func dropPendingSeek() {
    guard seek.pending != nil else { return }
    seek.pending = nil
    emit(.tell(.seekDropped))
  }

  /// The deck that was to seek is gone.
  mutating func endSeek(_ end: SeekEnd = .superseded) {
    if let flying = seek.inFlight {
      emit(.cancelTimer(.seekGuard(seek: flying.number)))
      emit(.tell(.seekEnded(seek: flying.number, end)))
    }
    seek.inFlight = nil
    seek.pending = nil
  }
}

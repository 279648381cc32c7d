// Seeking: one in flight, the newest request wins, an equal target is elided, the next goes out when the flush of the
// one before is through, and a guard makes sure that a lost answer doesn't block the ones after it.

/// Seeks asked for and under way.
struct SeekState: Sendable {
  struct Request: Hashable, Sendable {
    var target: Duration
    var mode: SeekMode
  }
  struct InFlight: Hashable, Sendable {
    var number: UInt32
    var request: Request
  }
  var inFlight: InFlight?
  var pending: Request?
  var lastNumber: UInt32 = 0
}

extension PlaybackMachine {
  mutating func requestSeek(to target: Duration, _ mode: SeekMode) {
    let limit = current?.readiness.duration
    let clamped = max(.zero, limit.map { min(target, $0) } ?? target)
    let request = SeekState.Request(target: clamped, mode: mode)
    if seek.inFlight?.request == request {
      seek.pending = nil
    } else {
      seek.pending = request
    }
    runPendingSeek()
  }

  /// Sends the newest request, once the deck can seek and none is in flight.
  mutating func runPendingSeek() {
    guard seek.inFlight == nil, let request = seek.pending, let deck = current, deck.phase != .preparing else { return }
    seek.pending = nil
    guard deck.readiness.isSeekable, !deck.readiness.isLive else { return }
    seek.lastNumber += 1
    let number = seek.lastNumber
    seek.inFlight = SeekState.InFlight(number: number, request: request)
    if case .playing(let base) = deck.phase { hold(deck, base: base) }
    update(deck.id) { deck in
      deck.videoEnd = nil
      deck.soundEnd = nil
      deck.hasEnded = false
    }
    emit(.tell(.seekStarted(seek: number, to: request.target, request.mode)))
    emit(.seekDeck(deck.id, to: request.target, request.mode, seek: number, preview: true))
    emit(.startTimer(.seekGuard(seek: number), at: now + policy.seekGuard))
  }

  mutating func seekFinished(_ id: DeckID, _ number: UInt32, _ readiness: DeckReadiness) {
    guard let flying = seek.inFlight, flying.number == number, current?.id == id else { return }
    seek.inFlight = nil
    emit(.cancelTimer(.seekGuard(seek: number)))
    emit(.tell(.seekEnded(seek: number, superseded: seek.pending != nil)))
    update(id) { deck in
      deck.phase = .ready
      deck.origin = flying.request.target
      deck.position = flying.request.target
      deck.readiness = readiness
    }
    runPendingSeek()
  }

  /// The deck doesn't answer: a fresh one at the target does the same.
  mutating func seekTimedOut(_ number: UInt32) {
    guard let flying = seek.inFlight, flying.number == number, let deck = current else { return }
    let target = seek.pending?.target ?? flying.request.target
    seek.inFlight = nil
    seek.pending = nil
    emit(.tell(.seekEnded(seek: number, superseded: false)))
    emit(.abandonDeck(deck.id))
    var again = newDeck(item: deck.item, from: target)
    again.isAnnounced = true
    current = again
  }

  /// The deck that was to seek is gone.
  mutating func endSeek() {
    if let flying = seek.inFlight {
      emit(.cancelTimer(.seekGuard(seek: flying.number)))
      emit(.tell(.seekEnded(seek: flying.number, superseded: true)))
    }
    seek.inFlight = nil
    seek.pending = nil
  }
}

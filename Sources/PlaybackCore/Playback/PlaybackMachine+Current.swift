// What the current deck should be doing, and why it waits: playing, held, or showing its first frame.

/// The wish to play, with the reasons that hold playback back from outside.
struct Intent: Hashable, Sendable {
  var wantsToPlay = true
  /// Rate of items while they play; negative is backwards.
  var rate = 1.0
  /// Reasons that hold playback back although it is wanted and possible.
  var suppressions: Set<Suppression> = []

  /// Whether playback is wanted and nothing outside holds it back.
  var isToPlay: Bool { wantsToPlay && suppressions.isEmpty }
}

/// The machine's progress from its start to its end.
enum Stage: Hashable, Sendable {
  /// Valid transitions are to `running` and `finished`.
  case fresh
  /// Valid transitions are to `finished`.
  case running
  /// Playback was stopped for good.
  case finished
}

extension PlaybackMachine {
  public var wantsToPlay: Bool { intent.wantsToPlay }
  /// Rate of items while they play; negative is backwards.
  public var rate: Double { intent.rate }
  /// Reasons that hold playback back although it is wanted and possible.
  public var suppressions: Set<Suppression> { intent.suppressions }

  var isRunning: Bool {
    if case .running = stage { return true }
    return false
  }

  func mayPlay(_ deck: PlaybackDeck) -> Bool {
    guard output.isReady, intent.isToPlay, !deck.isSeeking else { return false }
    return deck.readiness.isLive || !deck.buffering.isDry
  }

  /// Whether playback has come to an end, so that play has no effect before a seek, an edit or another item.
  public var isAtEnd: Bool {
    // A pending seek leads away from the end.
    guard seek.pending == nil else { return false }
    // Without a closure, which would copy the machine: players ask this with each frame.
    guard let hasEnded = current?.hasEnded else { return sequence.endedWithoutItem }
    guard hasEnded else { return false }
    return beside.planned == nil
  }

  mutating func reconcile() {
    answerClockLoss()
    if let deck = current {
      switch deck.phase {
      case .preparing, .seeking: break
      case .ready:
        if mayPlay(deck) {
          play(base: now + policy.openingLead(of: deck) - deck.readiness.firstRunningTime)
        } else {
          previewIfHeld(deck)
        }
      case .held(let runningTime): if mayPlay(deck) { play(base: now - runningTime) }
      case .playing(let base, _): if !mayPlay(deck) { hold(deck, base: base) }
      }
    }
    let reason = waitingReason
    guard reason != said.waiting else { return }
    said.waiting = reason
    emit(.tell(.waitingChanged(reason)))
  }

  mutating func play(base: Instant) {
    guard let deck = current, !givesWayToOutput(deck) else { return }
    current?.phase = .playing(base: base)
    emit(.playDeck(deck.id, base: base))
    watchProgress(deck)
    // The deck may have been held before the data behind its gauge were used up.
    if let deck = current { checkDrained(deck) }
    let firstFrameAt = base + deck.readiness.firstRunningTime
    if !deck.standing.isAnnounced {
      current?.standing.isAnnounced = true
      emit(
        .tell(
          .itemStarted(item: deck.item, deck.id, at: firstFrameAt, isAutomatic: deck.standing.startsAutomatically)))
      if let retiring, !retiring.isGoing {
        emit(.startTimer(.retire(retiring.id), at: max(now, firstFrameAt) + policy.retireDelay))
      }
    }
    if !deck.readiness.hasVideo { prepareNextIfNeeded() }
    armIfDue()
  }

  /// A deck that is held because playback isn't wanted shows its first frame, or its card, meanwhile. A deck that waits
  /// for data is about to play, and shows nothing yet.
  mutating func previewIfHeld(_ deck: PlaybackDeck) {
    guard output.isReady, !intent.isToPlay, !deck.standing.isPreviewed,
      deck.readiness.hasVideo || deck.readiness.hasCard == true, !deck.readiness.isLive
    else { return }
    current?.standing.isPreviewed = true
    emit(.previewDeck(deck.id))
    if let retiring, !retiring.isGoing {
      emit(.startTimer(.retire(retiring.id), at: now + policy.retireDelay))
    }
  }

  mutating func hold(_ deck: PlaybackDeck, base: Instant) {
    current?.phase = .held(at: now - base)
    emit(.cancelTimer(.arm(deck.id)))
    emit(.cancelTimer(.end(deck.id)))
    emit(.pauseDeck(deck.id))
  }

  /// The reason why playback waits although it is wanted; nil while it doesn't wait.
  public var waitingReason: WaitingReason? {
    guard isRunning, intent.wantsToPlay else { return nil }
    guard output.isReady else { return .noOutput }
    guard let deck = current else { return sequence.queue.isEmpty ? .noItem : .allItemsFailed }
    if intent.suppressions.contains(.screenOff) { return .screenOff }
    if intent.suppressions.contains(.scrubbing) { return .scrubbing }
    if deck.isPreparing, recovery.reconnects(deck.item) { return .reconnecting }
    if deck.isPreparing || deck.hasEnded { return .preparing }
    if deck.isSeeking { return .seeking }
    if deck.buffering.isDry, !deck.readiness.isLive { return .buffering }
    return nil
  }
}

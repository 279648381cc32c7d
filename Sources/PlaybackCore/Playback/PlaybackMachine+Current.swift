// What the current deck should be doing: play, be held, show its first frame; and why it waits.

extension PlaybackMachine {
  func mayPlay(_ deck: PlaybackDeck) -> Bool {
    hasOutput && wantsToPlay && suppressions.isEmpty
      && (deck.readiness.isLive || (!deck.buffering.isDry && seek.inFlight == nil))
  }

  /// Playback has come to an end, and asking for it has no effect before a seek, an edit or another item.
  public var isAtEnd: Bool {
    // One that waits for the seek in flight leads away from the end.
    guard seek.pending == nil else { return false }
    return current.map { $0.hasEnded && next == nil && nextItem == nil } ?? endedWithoutItem
  }

  mutating func reconcile() {
    answerClockLoss()
    if !isFinished, let deck = current {
      switch deck.phase {
      case .preparing: break
      case .ready:
        if mayPlay(deck) {
          play(base: now + policy.openingLead(of: deck.readiness) - deck.readiness.firstRunningTime)
        } else {
          previewIfHeld(deck)
        }
      case .held(let runningTime): if mayPlay(deck) { play(base: now - runningTime) }
      case .playing(let base): if !mayPlay(deck) { hold(deck, base: base) }
      }
    }
    let reason = waitingReason
    guard reason != toldReason else { return }
    toldReason = reason
    emit(.tell(.waitingChanged(reason)))
  }

  mutating func play(base: Instant) {
    guard let deck = current, !givesWayToOutput(deck) else { return }
    current?.phase = .playing(base: base)
    emit(.playDeck(deck.id, base: base))
    watchProgress(deck)
    // It was held before what drains was used up.
    if let deck = current { checkDrained(deck) }
    let firstFrameAt = base + deck.readiness.firstRunningTime
    if !deck.isAnnounced {
      current?.isAnnounced = true
      emit(
        .tell(
          .itemStarted(item: deck.item, deck.id, at: firstFrameAt, isAutomatic: deck.startsAutomatically)))
      if let retiring, !retiring.isGoing {
        emit(.startTimer(.retire(retiring.id), at: max(now, firstFrameAt) + policy.retireDelay))
      }
    }
    if !deck.readiness.hasVideo { prepareNextIfNeeded() }
    armIfDue()
  }

  /// What waits for somebody to play it shows its first frame meanwhile, or its card. What waits for data is about to play
  /// and doesn't.
  mutating func previewIfHeld(_ deck: PlaybackDeck) {
    guard hasOutput, !wantsToPlay || !suppressions.isEmpty, !deck.isPreviewed,
      deck.readiness.hasVideo || deck.readiness.hasCard == true, !deck.readiness.isLive, seek.inFlight == nil
    else { return }
    current?.isPreviewed = true
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

  /// Why playback waits although it is wanted; nil when it doesn't.
  public var waitingReason: WaitingReason? {
    guard hasStarted, wantsToPlay, !isFinished else { return nil }
    guard hasOutput else { return .noOutput }
    guard let deck = current else { return queue.isEmpty ? .noItem : .allItemsFailed }
    if suppressions.contains(.screenOff) { return .screenOff }
    if suppressions.contains(.scrubbing) { return .scrubbing }
    if deck.isPreparing, reconnect?.item == deck.item { return .reconnecting }
    if deck.isPreparing || deck.hasEnded { return .preparing }
    if seek.inFlight != nil { return .seeking }
    if deck.buffering.isDry, !deck.readiness.isLive { return .buffering }
    return nil
  }
}

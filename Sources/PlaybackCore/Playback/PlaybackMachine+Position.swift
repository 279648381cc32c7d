// Where playback is, for those who show it.

extension PlaybackMachine {
  /// Where the newest seek that isn't through leads; nil without one.
  public var seekTarget: Duration? { seek.pending?.target ?? seek.inFlight?.request.target }

  /// Where playback would go on after a stop: of the item that plays, or is to play as soon as there is an output. Nil before the first, and
  /// at the very end. `duration`: of the medium, where it has an end that is known.
  public var place: (item: ItemID, position: Duration, duration: Duration?)? {
    guard let deck = current else { return resumeAt.item.map { ($0, resumeAt.position, nil) } }
    let isLive = deck.readiness.isLive || deck.isEndless
    return (deck.item, isLive ? .zero : seekTarget ?? deck.position, isLive ? nil : deck.readiness.duration)
  }

  /// The number of the seek that the deck works on.
  public var seekInFlight: UInt32? { seek.inFlight?.number }

  /// Whether a seek waits for its turn.
  public var hasPendingSeek: Bool { seek.pending != nil }

  /// Where a deck is whose frames don't say it: a picture and a film of slides by its clock, an item without a picture by what was heard
  /// of it.
  /// Nil for others.
  func ownPlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead? {
    if deck.isSoundOnly { return soundPlayhead(of: deck, at: now) }
    guard deck.isPicture else { return slidePlayhead(of: deck) }
    let runningTime: Duration =
      switch deck.phase {
      case .preparing, .ready: .zero
      case .held(let time): time
      case .playing(let base): now - base
      }
    let position = deck.origin + max(.zero, runningTime)
    if let duration = deck.readiness.duration, position >= duration {
      return Playhead(position: duration, at: now, rate: 0)
    }
    guard let base = deck.base else { return Playhead(position: position, at: now, rate: 0) }
    return Playhead(position: position, at: max(now, base), rate: 1)
  }

  /// Of a film whose frame stays for long, within that frame; nil for others, whose frames say where they are.
  private func slidePlayhead(of deck: PlaybackDeck) -> Playhead? {
    guard deck.hasShownFrames, waitingReason == nil, let shownAt = deck.lastFrameAt,
      let base = deck.base
    else { return nil }
    let until = max(shownAt + (deck.readiness.frameInterval ?? .zero), deck.nextFrameDue(base: base, after: shownAt))
    guard until - shownAt >= Self.slideStay, !deck.hasEnded else { return nil }
    // Begun anew after a pause, it is somewhere within its frame.
    let from = deck.origin + max(.zero, shownAt - base) * deck.rate
    let position = deck.rate < 0 ? min(deck.place, from) : max(deck.place, from)
    return Playhead(position: position, at: shownAt, rate: deck.rate, isValidFor: until - shownAt)
  }

  /// A frame that stays for less is told by the next one.
  private static let slideStay: Duration = .seconds(1)

  private func soundPlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead {
    guard case .playing(let base) = deck.phase, let heardAt = deck.lastFrameAt,
      deck.leadingEnd.map({ now < base + $0 }) ?? true
    else { return Playhead(position: deck.position, at: now, rate: 0) }
    return Playhead(
      position: deck.position, at: max(heardAt, base + deck.readiness.firstRunningTime), rate: deck.rate,
      isValidFor: Self.soundTrust)
  }

  /// How long after the last sign of it sound is taken to go on: a sign and a half may be late on a busy machine.
  private static let soundTrust = RenderedSound.interval * 5 / 2
}

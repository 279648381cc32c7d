// Where playback is, for those who show it.

extension PlaybackMachine {
  /// Where the newest seek that isn't through leads; nil without one.
  public var seekTarget: Duration? { seek.pending?.target ?? seek.inFlight?.request.target }

  /// The number of the seek that the deck works on.
  public var seekInFlight: UInt32? { seek.inFlight?.number }

  /// Whether a seek waits for its turn.
  public var hasPendingSeek: Bool { seek.pending != nil }

  /// Where a deck is whose frames don't say it: a picture by its clock, an item without a picture by what was heard of it.
  /// Nil for others.
  func ownPlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead? {
    if deck.isSoundOnly { return soundPlayhead(of: deck, at: now) }
    guard deck.isPicture else { return nil }
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

  /// Where a deck is in its item; nil before that is known. A picture has one frame, so that its time is the clock's, and stands
  /// still with it.
  public func position(of deck: PlaybackDeck, at now: Instant) -> Duration? {
    guard !deck.isPreparing else { return nil }
    return deck.isPicture ? ownPlayhead(of: deck, at: now)?.position(at: now) : deck.position
  }

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

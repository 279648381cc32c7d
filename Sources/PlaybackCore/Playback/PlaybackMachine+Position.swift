// Where playback is, for those who show it.

extension PlaybackMachine {
  /// Where the newest seek that isn't through leads; nil without one.
  public var seekTarget: Duration? { seek.pending?.target ?? seek.inFlight?.request.target }

  /// The number of the seek that the deck works on.
  public var seekInFlight: UInt32? { seek.inFlight?.number }

  /// Whether a seek waits for its turn.
  public var hasPendingSeek: Bool { seek.pending != nil }

  /// Where a deck is that shows no moving pictures, by its clock; nil for others.
  public func clockPlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead? {
    guard deck.isPicture || !deck.readiness.hasVideo else { return nil }
    let runningTime: Duration =
      switch deck.phase {
      case .preparing, .ready: .zero
      case .held(let time): time
      case .playing(let base): now - base
      }
    let position = deck.origin + max(.zero, runningTime)
    guard let base = deck.base else { return Playhead(position: position, at: now, rate: 0) }
    if let duration = deck.readiness.duration, position >= duration {
      return Playhead(position: duration, at: now, rate: 0)
    }
    return Playhead(position: position, at: max(now, base), rate: 1)
  }
}

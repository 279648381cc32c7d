// The position of playback, for those who show it.

extension PlaybackMachine {
  /// Target of the newest seek that isn't done; nil without one.
  public var seekTarget: Duration? { seek.pending?.target ?? current?.seeking?.request.target }

  /// The place where playback would resume after a stop: the item that plays, or the one to play as soon as there is an
  /// output. Nil before the first item and at the very end. `duration`: the medium's, where it has a known end.
  public var place: (item: ItemID, position: Duration, duration: Duration?)? {
    guard let deck = current else { return sequence.resumeAt.item.map { ($0, sequence.resumeAt.position, nil) } }
    let isLive = deck.readiness.isLive || deck.isEndless
    return (deck.item, isLive ? .zero : seekTarget ?? deck.position, isLive ? nil : deck.readiness.duration)
  }

  /// Number of the deck's seek in progress.
  public var seekInFlight: UInt32? { current.flatMap { $0.isSeeking ? $0.lastSeek : nil } }

  /// Whether a seek waits for the one in progress.
  public var hasPendingSeek: Bool { seek.pending != nil }

  /// The playhead of a deck whose frames don't tell its position; nil for other decks.
  func ownPlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead? {
    deck.ownPlayhead(isWaiting: waitingReason != nil, at: now)
  }
}

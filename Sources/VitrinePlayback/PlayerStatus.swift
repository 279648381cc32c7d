public import PlaybackCore

/// Whether a player plays, and if not, whether it means to.
public enum TimeControlStatus: Hashable, Sendable {
  /// Playback isn't wanted, or has come to the end of the queue.
  case paused
  /// Playback is wanted and held back.
  case waiting(WaitingReason)
  /// Playback goes on.
  case playing
}

/// Whether an item can be played.
public enum ItemStatus: Hashable, Sendable {
  /// Not tried yet, or being tried.
  case unknown
  /// Its first frame or sound is there.
  case readyToPlay
  /// It was given up for this error; a queue that loops tries it again the next time round.
  case failed(VitrineError)
}

/// All that a view of a player shows, as one value of one moment.
public struct PlayerStatus: Hashable, Sendable {
  /// Whether the player plays, waits or is paused.
  public internal(set) var timeControlStatus = TimeControlStatus.paused
  /// The entry of the queue that is shown: the name by which events speak of it. Nil before the first one is prepared, and
  /// where none is listed any more.
  public internal(set) var itemID: ItemID?
  /// Its place in the list, from 0, which every edit may change.
  public internal(set) var itemIndex: Int?
  /// The item shown.
  public internal(set) var item: MediaItem?
  /// Whether the item shown can be played.
  public internal(set) var itemStatus = ItemStatus.unknown
  /// How fast items are played while they play: 1 is normal, negative is backwards. See ``timeControlStatus`` for whether
  /// they do.
  public internal(set) var rate = 1.0
  /// Media time of the frame shown, from the start of the item. While a seek is under way it is its target, and it is
  /// never older than the last finished seek.
  public internal(set) var position: Duration = .zero
  /// Length of the item; nil while unknown, and for live sources.
  public internal(set) var duration: Duration?
  /// Size of the decoded picture and shape of its pixels; nil without a picture.
  public internal(set) var presentationSize: PresentationSize?
  /// A source that can't be held back or sought in.
  public internal(set) var isLive = false
  /// A frame of the item shown has been on the output.
  public internal(set) var isReadyForDisplay = false
  /// Whether ``Player/seek(to:tolerance:)`` can lead somewhere now. Seeks before that are kept.
  public internal(set) var canSeek = false
  /// Whether ``Player/step(by:)`` can show another frame, when paused.
  public internal(set) var canStep = false
  /// Whether the item shown plays backwards at its own speed. False until it is ready.
  public internal(set) var canPlayReverse = false
  /// The streams of the item shown, and which are on. Empty until they are known, and for what has no choice.
  public internal(set) var tracks: [MediaTrack] = []
  /// What the item shown says of itself, as far as that is known yet.
  public internal(set) var metadata = MediaMetadata()
  /// What of the item has been loaded, and where ``Player/seek(to:tolerance:)`` can lead; both move as data arrives.
  public internal(set) var ranges = MediaRanges()
  /// Where the item comes from; nil before the first one is prepared.
  public internal(set) var sourceKind: SourceKind?
  /// The very end is reached, of the queue or of an item that nothing follows, or ``Player/stop()`` was called. The last
  /// frame stays; ``Player/play()`` does nothing before a seek or another item.
  public internal(set) var isAtEnd = false
  /// The newest error, until an item has started after it.
  public internal(set) var problem: VitrineError?

  /// Whether a play button should be enabled.
  public var canPlay: Bool { itemStatus == .readyToPlay && !isAtEnd }

  /// Whether the item plays backwards slower than its own speed: as ``canPlayReverse``, because a decoder that can turn
  /// frames round does so at every speed.
  public var canPlaySlowReverse: Bool { canPlayReverse }
  /// Whether the item plays backwards faster than its own speed; as ``canPlaySlowReverse``.
  public var canPlayFastReverse: Bool { canPlayReverse }
  /// Whether the item plays slower or faster than its own speed: not what is live or stands still.
  public var canPlayAtOtherRates: Bool { canSeek }

  /// `HH:mm:ss / HH:mm:ss`, position and length of what is played, with ` -- ` for what isn't known.
  public var timeText: String {
    TimeText.text(
      position: itemStatus == .readyToPlay ? max(.zero, position - (item?.start ?? .zero)) : nil,
      duration: playedRange.map { $0.upperBound - $0.lowerBound })
  }

  /// What is played of the item's medium, in media time: all of it, unless the item has a start or an end of its own.
  /// Nil while its length isn't known.
  public var playedRange: Range<Duration>? { duration.flatMap { item?.playedRange(duration: $0) } }

  /// Where the bar stands, 0...1; nil where there is no bar to show: live, or of unknown length.
  public var progress: Double? {
    guard !isLive, let range = playedRange, !range.isEmpty else { return nil }
    return min(1, max(0, (position - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }

  /// A line for people: what went wrong, or what is waited for; nil when there is nothing to say.
  public var message: String? {
    if let problem { return problem.line }
    if case .waiting(let reason) = timeControlStatus { return reason.rawValue }
    return nil
  }

  /// Whether anything but the position differs.
  func differsBesidesPosition(from other: PlayerStatus) -> Bool {
    var same = self
    same.position = other.position
    return same != other
  }
}

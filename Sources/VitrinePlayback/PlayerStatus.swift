public import PlaybackCore

/// The state of a player: playing, waiting or paused.
public enum TimeControlStatus: Hashable, Sendable {
  /// Playback isn't wanted, or has come to the end of the queue.
  case paused
  /// Playback is wanted and held back.
  case waiting(WaitingReason)
  /// Playback goes on.
  case playing
}

/// The playability of an item, as far as is known.
public enum ItemStatus: Hashable, Sendable {
  /// Not tried yet, or being tried.
  case unknown
  /// The first frame or sound has come.
  case readyToPlay
  /// The item was given up with this error; a looping queue tries it again in the next round.
  case failed(VitrineError)
}

/// The state of a player at one moment, for views.
public struct PlayerStatus: Hashable, Sendable {
  /// The state of playback: playing, waiting or paused.
  public internal(set) var timeControlStatus = TimeControlStatus.paused
  /// The entry of the queue that is shown, as events identify it. Nil before the first one is prepared, and when the
  /// queue is empty.
  public internal(set) var itemID: ItemID?
  /// Index of the entry in the list, which every edit may change.
  public internal(set) var itemIndex: Int?
  /// The item shown.
  public internal(set) var item: MediaItem?
  /// The playability of the item shown.
  public internal(set) var itemStatus = ItemStatus.unknown
  /// Rate of items while they play: 1 is normal, negative is backwards. See ``timeControlStatus`` for whether they do.
  public internal(set) var rate = 1.0
  /// Media time of the frame shown, from the start of the item. During a seek it is the target, and it is never older
  /// than the last finished seek.
  public internal(set) var position: Duration = .zero
  /// Duration of the item; nil while unknown, and for live sources.
  public internal(set) var duration: Duration?
  /// Size of the decoded picture and shape of its pixels; nil without a picture.
  public internal(set) var presentationSize: PresentationSize?
  /// Whether the source is live: it can't be held back, nor sought in.
  public internal(set) var isLive = false
  /// Whether a frame of the item shown has been on the output.
  public internal(set) var isReadyForDisplay = false
  /// Whether ``Player/seek(to:tolerance:)`` can be done now. Earlier seeks are kept until it can.
  public internal(set) var canSeek = false
  /// Whether ``Player/step(by:)`` can show another frame, when paused.
  public internal(set) var canStep = false
  /// Whether the item shown plays backwards at its own speed. False until it is ready.
  public internal(set) var canPlayReverse = false
  /// The streams of the item shown, and which of them are on. Empty until known, and for items without a choice.
  public internal(set) var tracks: [MediaTrack] = []
  /// The item's own description of itself, as far as it is known yet.
  public internal(set) var metadata = MediaMetadata()
  /// The loaded and the seekable parts of the item; both change as data arrives.
  public internal(set) var ranges = MediaRanges()
  /// The kind of the item's source; nil before the first item is prepared.
  public internal(set) var sourceKind: SourceKind?
  /// Whether the end of the queue, or of an item that no other follows, is reached, or ``Player/stop()`` was called.
  /// The last frame stays; ``Player/play()`` has no effect before a seek or another item.
  public internal(set) var isAtEnd = false
  /// The newest error, until an item has started after it.
  public internal(set) var problem: VitrineError?

  /// Whether a play button should be enabled.
  public var canPlay: Bool { itemStatus == .readyToPlay && !isAtEnd }

  /// Whether the item plays backwards slower than its own speed: equals ``canPlayReverse``, because a decoder that can
  /// play backwards does so at every speed.
  public var canPlaySlowReverse: Bool { canPlayReverse }
  /// Whether the item plays backwards faster than its own speed; equals ``canPlayReverse``.
  public var canPlayFastReverse: Bool { canPlayReverse }
  /// Whether the item plays slower or faster than its own speed. False for live sources and pictures.
  public var canPlayAtOtherRates: Bool { canSeek }

  /// `HH:mm:ss / HH:mm:ss`, position and duration of the played part, with ` -- ` for unknown times.
  public var timeText: String {
    TimeText.text(
      position: itemStatus == .readyToPlay ? max(.zero, position - (item?.start ?? .zero)) : nil,
      duration: playedRange.map { $0.upperBound - $0.lowerBound })
  }

  /// The played part of the item's medium, in media time: all of it, unless the item has a start or an end of its own.
  /// Nil while its duration is unknown.
  public var playedRange: Range<Duration>? { duration.flatMap { item?.playedRange(duration: $0) } }

  /// Value of the progress bar, 0...1; nil for live sources and unknown durations, which have no bar.
  public var progress: Double? {
    guard !isLive, let range = playedRange, !range.isEmpty else { return nil }
    return min(1, max(0, (position - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }

  /// A line for people: the error, or the reason for waiting; nil without either.
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

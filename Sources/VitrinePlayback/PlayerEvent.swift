public import PlaybackCore

/// The outcome of a seek.
public enum SeekOutcome: Hashable, Sendable {
  /// The seek is done. `shownAt` is the media time of the frame at its target; the target itself where no frame came,
  /// because the item has no picture or ends there.
  case finished(shownAt: Duration)
  /// A newer seek replaced it, or the item was left.
  case superseded
  /// The seek failed: with 4103 where the item isn't seekable, 4104 when the player was stopped, 4105 when no item is
  /// left, or with the error of the item.
  case failed(VitrineError)
}

/// The reason why an item that had started is over.
public enum ItemEnd: Hashable, Sendable {
  /// The item was played to its end, or backwards to its start.
  case playedOut
  /// Another item, or the end of the queue, was asked for.
  case skipped
  /// The item failed while it played.
  case failed(VitrineError)
  /// The item was removed from the queue.
  case removed
}

/// Events of a player, in the order in which they happen.
public enum PlayerEvent: Hashable, Sendable {
  /// The output is ready and items are being prepared. Sent once by each player.
  case initialised
  /// The entry has its first frame or sound.
  case itemReady(ItemID)
  /// The entry plays, and its first frame is shown.
  case itemStarted(ItemID)
  /// An entry that had started is over.
  case itemEnded(ItemID, ItemEnd)
  /// The entry can't be played, or no longer; the next one follows.
  case itemFailed(ItemID, VitrineError)
  /// The reason for which playback waits although it is wanted; nil when it doesn't wait.
  case waitingChanged(WaitingReason?)
  /// A seek in an entry is over, with the outcome that ``Player/seek(to:tolerance:)`` returns; the entry is nil where
  /// there was none.
  case seekEnded(ItemID?, target: Duration, SeekOutcome)
  /// Every item of the queue has failed. A looping queue tries again after this time; nil for one that doesn't loop.
  case allItemsFailed(retryIn: Duration?)
  /// The last item of a queue that doesn't loop is over, or was skipped. Its frame stays, and it can still be sought
  /// in.
  case endOfQueue
  /// The entry is played without one of its parts, such as a subtitle file that can't be read.
  case warning(ItemID, VitrineError)
  /// The output, the sound device or another part outside of items has failed.
  case failed(VitrineError)
}

public import PlaybackCore

/// What became of a seek.
public enum SeekOutcome: Hashable, Sendable {
  /// The seek is through. `shownAt` is the media time of the frame that it has brought; of the target where no frame
  /// came, because the item has no picture or ends there.
  case finished(shownAt: Duration)
  /// A newer seek took its place, or the item was left.
  case superseded
  /// It could not be done: 4103 where the item can't be sought in, 4104 when the player was stopped, 4105 when no item is
  /// left, or the error that the item failed with.
  case failed(VitrineError)
}

/// Why an item that had started is over.
public enum ItemEnd: Hashable, Sendable {
  /// It came to its end, or backwards to its start.
  case playedOut
  /// Another item, or the end of the queue, was asked for.
  case skipped
  /// It can't be played any longer.
  case failed(VitrineError)
  /// It isn't listed any more.
  case removed
}

/// What happens in a player, in the order in which it happens.
public enum PlayerEvent: Hashable, Sendable {
  /// The output is ready and items are being prepared. Told once in the life of a player.
  case initialised
  /// The entry has its first frame or sound.
  case itemReady(ItemID)
  /// The entry plays, and its first frame is shown.
  case itemStarted(ItemID)
  /// An entry that had started is over.
  case itemEnded(ItemID, ItemEnd)
  /// The entry can't be played, or no longer; the next one follows.
  case itemFailed(ItemID, VitrineError)
  /// Why playback waits although it is wanted; nil when it doesn't.
  case waitingChanged(WaitingReason?)
  /// A seek in an entry is over, in the way that ``Player/seek(to:tolerance:)`` returns; nil where there was none to seek in.
  case seekEnded(ItemID?, target: Duration, SeekOutcome)
  /// Every item of the queue has failed. A queue that loops tries again after this time, another one never.
  case allItemsFailed(retryIn: Duration?)
  /// The last item of a queue that doesn't loop is over, or was left for the next one. Its frame stays, and it can be
  /// sought in.
  case endOfQueue
  /// The entry is played without something of its own, such as a subtitle file that can't be read.
  case warning(ItemID, VitrineError)
  /// Something that belongs to no item has failed: the output, the sound device.
  case failed(VitrineError)
}

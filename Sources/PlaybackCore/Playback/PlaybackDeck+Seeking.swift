// Targets and rates that a deck can take: the machine asks before it seeks.

extension PlaybackDeck {
  /// Moves a target at the very end of an item, where nothing is shown, into its last frame, unless playback goes on
  /// from there. A slide counts with `Landing.reach` only, so that earlier targets in the last slide stay as they are.
  func lastTarget(of target: Duration, playsOn: Bool) -> Duration {
    guard let end = playedRange?.upperBound else { return target }
    guard !playsOn, !isPicture, let interval = readiness.frameInterval.map({ min($0, Landing.reach) }),
      target > end - interval
    else {
      return min(target, end)
    }
    return max(media.start, end - interval * 0.75)
  }

  /// Whether the deck adopts another rate with the data that it has loaded: a flush would throw those away, and over a
  /// slow link the item would have to wait for them again. A local file is there anyway, and a flush changes its rate
  /// at once. A deck that has read its end has nothing left to change.
  func retimes(to new: Double) -> Bool {
    media.isRemote && !isPreparing && !buffering.isBrokenOff && !hasEnded && ends.video == nil && ends.sound == nil
      && !isSeeking && rate > 0 && new > 0 && rate(wanted: new) == new
  }

  /// Target of a step by this many frames from a position; nil without a frame rate.
  ///
  /// It lies a quarter into a frame, because the exact start of a frame may round into the one before it.
  func stepTarget(_ frames: Int, from position: Duration) -> Duration? {
    guard let interval = readiness.frameInterval, interval > .zero else { return nil }
    var index = Self.count(position / interval + 0.01)
    // At the end of an item its last frame is shown, which begins before the end.
    let last = playedRange.map { max(0, Self.count(($0.upperBound / interval - 0.01).rounded(.up)) - 1) }
    index = min(index, last ?? .max)
    index = min(max(0, index.clampedAdding(Int64(frames))), last ?? .max)
    // A film of unknown length may claim a frame each nanosecond: such an index isn't credible.
    guard index < Self.mostFrames else { return nil }
    return interval * index + min(interval, Landing.reach) / 4
  }

  /// Limit of a frame's index: a Double counts exactly up to here.
  private static let mostFrames: Int64 = 1 << 53
  private static func count(_ frames: Double) -> Int64 {
    Int64(max(0, min(frames.rounded(.down), Double(mostFrames))))
  }
}

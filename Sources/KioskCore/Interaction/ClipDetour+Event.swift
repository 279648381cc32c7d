public import InteractionCore
public import PlaybackCore

extension ClipDetour.Action {
  /// The event for playback.
  ///
  /// - Parameter queue: the one that plays now.
  /// - Returns: nil where nothing has to change.
  public func event(for queue: PlayQueue) -> PlaybackEvent? {
    switch self {
    case .holdAtEnd: return .endActionChanged(.pause)
    case .advanceAtEnd: return .endActionChanged(.advance)
    case .select(let item): return .itemSelected(item)
    case .seek(let target): return .seekRequested(to: target, .exact)
    case .play: return .playRequested
    case .pause: return .pauseRequested
    case .next: return .nextRequested
    case .remove(let item):
      var queue = queue
      return queue.remove(item) ? .queueEdited(queue) : nil
    }
  }
}

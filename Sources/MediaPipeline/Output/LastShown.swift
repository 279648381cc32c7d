internal import MainLoop
internal import PlaybackCore

/// The last frame that a sink has finished, for one thread that waits for a given frame.
final class LastShown: Sendable {
  private struct Frame: Hashable, Sendable {
    var deck: DeckID
    var index: UInt32
  }
  private let last = Locked<Frame?>(nil)
  private let alarm = Alarm()

  func recordFrame(_ frame: RenderedFrame) {
    last.withLock { $0 = Frame(deck: frame.deck, index: frame.index) }
    alarm.wake()
  }

  func wait(for tag: FrameTag, until deadline: Instant) {
    let wanted = Frame(deck: tag.deck, index: tag.index)
    while last.withLock({ $0 }) != wanted, Instant.monotonicNow < deadline { alarm.sleep(until: deadline.nanoseconds) }
  }
}

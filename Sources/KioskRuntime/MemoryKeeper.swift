internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// Gives unused memory back to the system: what the deck of the item before has freed, where it left holes too (decision 0058).
/// Confined to the loop's thread.
final class MemoryKeeper {
  private let loop: EventLoop
  /// For what may block for a while and isn't waited for.
  let worker = BlockingWorker()
  private var timer: EventSource?
  private var lastTrim: Instant?

  init(on loop: EventLoop) { self.loop = loop }

  /// An item has begun; the deck of the one before goes now.
  func itemStarted() {
    timer = loop.after(RuntimeTiming.deckGone) { [weak self] in
      guard let self else { return }
      let now = Instant.monotonicNow
      guard lastTrim.map({ now - $0 >= RuntimeTiming.trimInterval }) ?? true else { return }
      // Once: what is read after the start is what playing needs, and may be needed again.
      let isFirst = lastTrim == nil
      lastTrim = now
      worker.submit {
        if isFirst { Allocator.giveBackCode() }
        Allocator.giveBack()
      }
    }
  }

  func stop() {
    timer = nil
    worker.finish()
  }
}

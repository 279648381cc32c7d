internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// Gives unused memory back to the system: what the previous item's deck has freed, even between blocks in use
/// (decision 0058). Confined to the loop's thread.
final class MemoryTrimmer {
  private let loop: EventLoop
  /// Does work that may block for a while and that nothing waits for.
  let worker = BlockingWorker()
  private var timer: EventSource?
  private var lastTrim: Instant?

  init(on loop: EventLoop) { self.loop = loop }

  /// Gives memory back once the previous item's deck has gone; called when an item has begun.
  func itemStarted() {
    timer = loop.after(RuntimeTiming.deckGone) { [weak self] in
      guard let self else { return }
      let now = Instant.monotonicNow
      guard lastTrim.map({ now - $0 >= RuntimeTiming.trimInterval }) ?? true else { return }
      lastTrim = now
      worker.submit { Allocator.giveBack() }
    }
  }

  func stop() {
    timer = nil
    worker.finish()
  }
}

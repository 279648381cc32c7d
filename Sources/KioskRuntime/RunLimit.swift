internal import MainLoop
internal import PlaybackCore

/// Ends a run some time after the first frame of any screen, or after a longer time without a frame. Confined to the
/// loop's thread.
final class RunLimit {
  private let loop: EventLoop
  private let limit: Duration
  private let isOver: () -> Void
  private var timer: EventSource?
  private var isCounting = false

  /// - Parameter limit: nil is no limit.
  init?(_ limit: Duration?, on loop: EventLoop, isOver: @escaping () -> Void) {
    guard let limit else { return nil }
    self.limit = limit
    self.loop = loop
    self.isOver = isOver
    timer = loop.after(limit + RuntimeTiming.firstFrameGrace) { isOver() }
  }

  /// Starts the limit with the first frame of any screen; later calls do nothing.
  func frameShown() {
    guard !isCounting else { return }
    isCounting = true
    let isOver = isOver
    timer = loop.after(limit) { isOver() }
  }
}

internal import MainLoop
internal import PlaybackCore

/// How long a run may take: counted from the first frame of any screen; where none comes, it ends all the same. Confined to the loop's
/// thread.
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

  /// A screen has shown its first frame; those after the first count for nothing.
  func frameShown() {
    guard !isCounting else { return }
    isCounting = true
    let isOver = isOver
    timer = loop.after(limit) { isOver() }
  }
}

package import MainLoop
internal import MediaPipeline
package import PlaybackCore

/// The time of one engine: what it is now, and who calls it later. On the loop's thread.
package protocol EngineClock: AnyObject {
  var now: Instant { get }
  /// Calls `handler` once after `delay`, unless the timer is cancelled (or let go) before.
  func after(_ delay: Duration, _ handler: @escaping () -> Void) -> any EngineTimer
}

/// A call that is still to come; letting it go calls it off.
package protocol EngineTimer: AnyObject {
  /// The handler isn't called after this. Cancelling twice is harmless.
  func cancel()
}

extension EventSource: EngineTimer {}

/// The time of the loop, which is that of GStreamer's system clock.
package final class LoopClock: EngineClock {
  private let loop: EventLoop

  package init(_ loop: EventLoop) { self.loop = loop }

  package var now: Instant { Instant.monotonicNow }

  package func after(_ delay: Duration, _ handler: @escaping () -> Void) -> any EngineTimer {
    loop.after(delay, handler)
  }
}

package import MainLoop
package import MediaPipeline
package import PlaybackCore

/// The clock and timers of one engine. On the loop's thread.
package protocol EngineClock: AnyObject {
  var now: Instant { get }
  /// The clock of the engine's pipelines; `now` is its time.
  var media: MediaClock { get }
  /// Calls `handler` once after `delay`, unless the timer is cancelled (or let go) before.
  func after(_ delay: Duration, _ handler: @escaping () -> Void) -> any EngineTimer
}

/// A call that is still to come; releasing the object cancels it.
package protocol EngineTimer: AnyObject {
  /// The handler isn't called after this. Cancelling twice is harmless.
  func cancel()
}

extension EventSource: EngineTimer {}

/// The time of a GStreamer clock, with the timers of a loop. Whatever time the clock shows, its seconds are as long as
/// the loop's.
package final class LoopClock: EngineClock {
  private let loop: EventLoop
  package let media: MediaClock

  package init(_ loop: EventLoop, media: MediaClock = .system) {
    self.loop = loop
    self.media = media
  }

  package var now: Instant { media.now }

  package func after(_ delay: Duration, _ handler: @escaping () -> Void) -> any EngineTimer {
    loop.after(delay, handler)
  }
}

internal import MainLoop
public import PlaybackCore

extension Instant {
  /// Now, on the clock that the loop and GStreamer's system clock share.
  public static var monotonicNow: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}

internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

extension Instant {
  /// Now, on the clock that the loop and GStreamer's system clock share.
  public static var monotonicNow: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}

/// The clock of an output and of all its decks: the times of frames and the decks' base times are read from it. Any
/// thread.
///
/// `@unchecked Sendable` holds because a GstClock may be used from any thread, and its reference count is atomic.
public final class MediaClock: @unchecked Sendable {
  /// The system's monotonic clock, which can't be set: decision 0051.
  public static let system = MediaClock()

  /// Nil for the system's clock.
  private let own: UnsafeMutablePointer<GstClock>?

  private init() { own = nil }

  /// Makes a clock that runs at the system clock's speed, ahead of it by this much; behind it where negative.
  ///
  /// - Precondition: GStreamer has started.
  public init(ahead: Duration) { own = vit_clock_new(gint64(ahead.wholeNanoseconds)) }

  deinit { if let own { gst_object_unref(own) } }

  /// The current time on this clock.
  public var now: Instant {
    own.map { Instant(nanoseconds: Int64(clamping: gst_clock_get_time($0))) } ?? Instant.monotonicNow
  }

  /// The system clock's time, in nanoseconds, at an instant of this clock, for timers that run by the system clock.
  func monotonicNanoseconds(at instant: Instant) -> Int64 {
    own == nil ? instant.nanoseconds : (Instant.monotonicNow + (instant - now)).nanoseconds
  }

  fileprivate func with(_ body: (UnsafeMutablePointer<GstClock>?) -> Void) {
    if let own { return body(own) }
    let system = gst_system_clock_obtain()
    body(system)
    gst_object_unref(system)
  }
}

extension Element {
  /// Runs the pipeline on a clock, with a base time that the deck sets itself.
  func useClock(_ clock: MediaClock) {
    clock.with { pointer in
      gst_pipeline_use_clock(UnsafeMutableRawPointer(self.pointer).assumingMemoryBound(to: GstPipeline.self), pointer)
    }
    gst_element_set_start_time(pointer, GstClockTime.none)
  }
}

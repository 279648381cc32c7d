internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

extension Instant {
  /// Now, on the clock that the loop and GStreamer's system clock share.
  public static var monotonicNow: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}

/// The clock of an output and of all its decks: instants of frames and of decks' bases are its. Any thread.
///
/// `@unchecked Sendable` holds because a GstClock is made for use from any thread, and counted atomically.
public final class MediaClock: @unchecked Sendable {
  /// The system's monotonic clock, which nobody sets: docs/decisions/0051-clock.md.
  public static let system = MediaClock()

  /// Nil is the system's.
  private let own: UnsafeMutablePointer<GstClock>?

  private init() { own = nil }

  /// A clock that goes as fast as the system's and is ahead of it by so much, or behind where that is negative: its zero is another.
  ///
  /// - Precondition: GStreamer has started.
  public init(ahead: Duration) { own = vit_clock_new(gint64(ahead.wholeNanoseconds)) }

  deinit { if let own { gst_object_unref(own) } }

  /// What time it is by this clock.
  public var now: Instant {
    own.map { Instant(nanoseconds: Int64(clamping: gst_clock_get_time($0))) } ?? Instant.monotonicNow
  }

  /// When the system's clock shows that time, in nanoseconds: for who waits by that one.
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
  /// Runs the pipeline on a clock, with a base time that we set ourselves.
  func useClock(_ clock: MediaClock) {
    clock.with { pointer in
      gst_pipeline_use_clock(UnsafeMutableRawPointer(self.pointer).assumingMemoryBound(to: GstPipeline.self), pointer)
    }
    gst_element_set_start_time(pointer, GstClockTime.none)
  }
}

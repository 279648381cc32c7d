/// A point on the monotonic clock, in nanoseconds since an arbitrary origin.
///
/// The cores are handed instants and never read a clock. In the running program the clock is CLOCK_MONOTONIC, which is
/// GStreamer's system clock too, so an instant is also a GStreamer clock time.
///
/// Arithmetic saturates at 64 bits: a medium may claim a duration of 292 years.
public struct Instant: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds.clampedAdding(duration.wholeNanoseconds))
  }
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds.clampedSubtracting(duration.wholeNanoseconds))
  }
  public static func - (a: Instant, b: Instant) -> Duration {
    .nanoseconds(a.nanoseconds.clampedSubtracting(b.nanoseconds))
  }
}

extension Duration {
  /// The longest duration in 64 bits of nanoseconds: 292 years. Arithmetic with durations up to that, and with small
  /// multiples of them, doesn't overflow.
  public static let longest = Duration.nanoseconds(Int64.max)

  /// Clamped to zero...`longest`: for durations that come from outside.
  public var bounded: Duration { min(max(.zero, self), .longest) }

  /// The duration in nanoseconds, rounded towards zero; clamped to what 64 bits hold (292 years).
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.clampedMultiplied(by: 1_000_000_000).clampedAdding(attoseconds / 1_000_000_000)
  }

  /// The duration in seconds, as a floating-point number.
  public var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }

  /// The duration in milliseconds, as a floating-point number.
  public var inMilliseconds: Double { Double(wholeNanoseconds) / 1e6 }
}

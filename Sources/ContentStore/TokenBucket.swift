internal import PlaybackCore

/// Keeps to so many bytes a second over time, whatever the sizes of the pieces.
struct TokenBucket: Hashable, Sendable {
  /// Bytes a second.
  let rate: Double
  /// Bytes that may still go at once; negative is a debt.
  private var level: Double
  private var at: Instant

  /// A second's worth may go at once: pieces are smaller than that, and a pause isn't made up for by more.
  private var depth: Double { rate }

  init(rate: Int64, at now: Instant) {
    self.rate = Double(max(1, rate))
    level = self.rate
    at = now
  }

  /// Takes what has come; gives how long to wait before more is asked for.
  mutating func takeBytes(_ bytes: Int, at now: Instant) -> Duration {
    level = min(depth, level + rate * max(0, (now - at).inSeconds)) - Double(bytes)
    at = now
    return level >= 0 ? .zero : .milliseconds(Int64((-level / rate * 1000).rounded(.up)))
  }
}

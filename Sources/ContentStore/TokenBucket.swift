internal import PlaybackCore

/// Limits a transfer to a number of bytes a second, whatever the size of its pieces.
struct TokenBucket: Hashable, Sendable {
  /// Bytes a second.
  let rate: Double
  /// Bytes that may still come at once; negative is a debt.
  private var level: Double
  private var at: Instant

  /// At most a second's worth may come at once: pieces are smaller, and unused time isn't saved up.
  private var depth: Double { rate }

  init(rate: Int64, at now: Instant) {
    self.rate = Double(max(1, rate))
    level = self.rate
    at = now
  }

  /// Counts received bytes; returns how long to wait before more are asked for.
  mutating func consumeBytes(_ bytes: Int, at now: Instant) -> Duration {
    level = min(depth, level + rate * max(0, (now - at).inSeconds)) - Double(bytes)
    at = now
    return level >= 0 ? .zero : .milliseconds(Int64((-level / rate * 1000).rounded(.up)))
  }
}

/// The bandwidth of all transfers together.
struct Bandwidth: Hashable, Sendable {
  private let limit: Int64?
  private var bucket: TokenBucket?

  /// - Parameter limit: bytes a second; nil for no limit.
  init(limit: Int64?) { self.limit = limit }

  /// Counts received bytes; returns how long to wait before more are asked for.
  mutating func consumeBytes(_ count: Int, at now: Instant) -> Duration {
    guard let limit else { return .zero }
    var filled = bucket ?? TokenBucket(rate: limit, at: now)
    defer { bucket = filled }
    return filled.consumeBytes(count, at: now)
  }
}

/// Admits so many things a second, and some more at once after a pause (a token bucket). It has no clock.
public struct RateAllowance: Hashable, Sendable {
  public let perSecond: Double
  /// The most that is admitted at once, after a pause.
  public let burst: Double
  private var level: Double
  private var last: Instant?

  public init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
    level = burst
  }

  /// Whether one more is admitted now; it counts if so.
  public mutating func admit(at now: Instant) -> Bool {
    if let last { level = min(burst, level + max(0, (now - last).inSeconds) * perSecond) }
    last = now
    guard level >= 1 else { return false }
    level -= 1
    return true
  }
}

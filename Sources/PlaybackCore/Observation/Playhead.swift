/// Where playback is in an item, and how it moves on from there.
public struct Playhead: Hashable, Sendable {
  /// Media time, from the start of the item.
  public var position: Duration
  /// When the position was that.
  public var at: Instant
  /// Seconds of media in a second: 0 stands still, negative goes back.
  public var rate: Double
  /// How far the clock may be trusted without news, from `at`. A decoder that stalls tells nobody, and so the frames are
  /// what proves that playback moves. Nil trusts for ever: sound and still pictures have no frames to wait for.
  public var isValidFor: Duration?

  public init(position: Duration, at: Instant, rate: Double, isValidFor: Duration? = nil) {
    self.position = position
    self.at = at
    self.rate = rate
    self.isValidFor = isValidFor
  }

  /// Media time at an instant; stands still before `at` and where trust ends.
  public func position(at now: Instant) -> Duration {
    guard rate != 0 else { return position }
    let passed = max(.zero, now - at)
    return position + (isValidFor.map { min($0, passed) } ?? passed) * rate
  }

  /// When playback comes to `target`; nil if it doesn't go there, or not as far as the clock is trusted.
  public func arrival(at target: Duration) -> Instant? {
    let way = target - position
    guard rate != 0, (way > .zero) == (rate > 0) || way == .zero else { return nil }
    let wait = way / rate
    if let isValidFor, wait > isValidFor { return nil }
    return at + wait
  }
}

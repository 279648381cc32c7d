/// The position in an item, and how it moves on from there.
public struct Playhead: Hashable, Sendable {
  /// Media time, from the start of the item.
  public var position: Duration
  /// When `position` was measured.
  public var at: Instant
  /// Media seconds per second: 0 stands still, negative goes back.
  public var rate: Double
  /// How long the clock may be trusted without news, from `at`. A decoder that stalls reports nothing, so only frames
  /// prove that playback moves. Nil trusts for ever: sound and still pictures have no frames to wait for.
  public var isValidFor: Duration?

  public init(position: Duration, at: Instant, rate: Double, isValidFor: Duration? = nil) {
    self.position = position
    self.at = at
    self.rate = rate
    self.isValidFor = isValidFor
  }

  /// Media time at an instant; it stands still before `at` and after trust ends.
  public func position(at now: Instant) -> Duration {
    guard rate != 0 else { return position }
    let passed = max(.zero, now - at)
    return position + (isValidFor.map { min($0, passed) } ?? passed) * rate
  }

  /// When playback reaches `target`; nil if it doesn't go there, or not within the trusted time.
  public func arrival(at target: Duration) -> Instant? {
    let way = target - position
    guard rate != 0, (way > .zero) == (rate > 0) || way == .zero else { return nil }
    let wait = way / rate
    if let isValidFor, wait > isValidFor { return nil }
    return at + wait
  }
}

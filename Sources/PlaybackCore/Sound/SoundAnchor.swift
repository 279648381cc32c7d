/// A deck's place since its start or its last seek: the line on which positions of its item lie in its running time.
public struct SoundAnchor: Hashable, Sendable {
  /// A position of the item, and its running time.
  public var position: Duration
  public var running: Duration
  /// Seconds of the item in a second of running time; negative is backwards.
  public var rate: Double
  /// The position at which the item ends; nil while unknown.
  public var end: Duration?

  public init(position: Duration, running: Duration, rate: Double = 1, end: Duration? = nil) {
    self.position = position
    self.running = running
    self.rate = rate
    self.end = end
  }

  public func running(at position: Duration) -> Duration { running + (position - self.position) * (1 / rate) }

  /// Not before the anchor: what was earlier is another line's.
  public func position(at running: Duration) -> Duration {
    position + max(.zero, running - self.running) * rate
  }
}

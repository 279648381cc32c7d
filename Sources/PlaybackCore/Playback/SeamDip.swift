/// How one item follows the other.
public enum SeamTransition: String, Hashable, Sendable, CaseIterable {
  /// The first frame of the next one takes the place of the last.
  case cut
  /// The picture goes into the background, and the next one comes out of it.
  case dip
}

/// A dip through the background around each seam, half before it and half after.
///
/// Items follow each other as with a cut, in the same instant; what is laid over them makes the dip, so that nothing of the
/// seam itself depends on it. Only where an item comes to its end by itself: who asks for another one gets it at once.
public struct SeamDip: Hashable, Sendable {
  /// The way out and the way in together.
  public var length: Duration
  /// How often the veil changes on the way: as film does, and half as often as most screens do.
  public static let step = Duration.milliseconds(33)

  public init(length: Duration) { self.length = length }

  public struct Veil: Hashable, Sendable {
    /// 0 is the picture, 1 is the background alone.
    public var opacity: Double
    /// When it is another one, if nothing comes between; nil while no seam is in sight.
    public var changesAt: Instant?
  }

  public func veil(over machine: PlaybackMachine, at now: Instant) -> Veil {
    let half = length / 2
    guard half > .zero else { return Veil(opacity: 0, changesAt: nil) }
    let seams = [machine.lastSeam, machine.nextSeam].compactMap(\.self)
    let opacity = seams.map { 1 - min(1, abs((now - $0) / half)) }.max() ?? 0
    if opacity > 0 { return Veil(opacity: opacity, changesAt: now + Self.step) }
    return Veil(opacity: 0, changesAt: seams.map { $0 - half }.filter { $0 > now }.min())
  }
}

extension PlaybackMachine {
  /// When the first frame of the current item was due, or will be; nil unless it follows one that came to its end, and
  /// after a seek in it.
  var lastSeam: Instant? {
    guard let deck = current, deck.startsAutomatically, deck.epoch == .start, let base = deck.base else { return nil }
    return base + deck.readiness.firstRunningTime
  }

  /// When the current item gives way to the next one by itself; nil while none is ready, or its end isn't known.
  var nextSeam: Instant? {
    guard let deck = current, let base = deck.base, let following = next, following.phase == .ready,
      deck.failure == nil
    else { return nil }
    if let end = deck.end(soundTail: policy.soundTail) { return base + end }
    guard rate > 0, let end = deck.playedRange?.upperBound else { return nil }
    return base + (end - deck.origin) / deck.rate
  }
}

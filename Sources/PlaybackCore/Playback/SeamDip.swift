/// The transition from one item to the next.
public enum SeamTransition: String, Hashable, Sendable, CaseIterable {
  /// The next item's first frame replaces the last one.
  case cut
  /// The picture fades to the background, and the next one fades in from it.
  case dip
}

/// A dip through the background around each seam, half before it and half after.
///
/// Items follow each other as with a cut, at the same time; an overlay makes the dip, so that the seam itself doesn't
/// depend on it. It is made only where an item ends by itself: an item that the user asks for comes at once.
public struct SeamDip: Hashable, Sendable {
  /// Duration of the fade out and the fade in together.
  public var length: Duration
  /// Time between two changes of the veil: close to a frame of film, and two refreshes of most screens.
  public static let step = Duration.milliseconds(33)

  public init(length: Duration) { self.length = length }

  public struct Veil: Hashable, Sendable {
    /// 0 is the picture, 1 is the background alone.
    public var opacity: Double
    /// When the veil changes next, if nothing intervenes; nil while no seam is near.
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
  /// When the first frame of the current item was due, or will be. Nil unless the item follows one that ended by
  /// itself, and after a seek in it.
  var lastSeam: Instant? {
    guard let deck = current, deck.standing.startsAutomatically, deck.epoch == .start, let base = deck.base
    else { return nil }
    return base + deck.readiness.firstRunningTime
  }

  /// When the current item gives way to the next one by itself; nil while none is ready, or its end isn't known.
  var nextSeam: Instant? {
    guard let deck = current, let base = deck.base, let following = next, following.phase == .ready,
      !deck.buffering.isBrokenOff
    else { return nil }
    if let end = deck.end(soundTail: policy.soundTail) { return base + end }
    guard rate > 0, let end = deck.playedRange?.upperBound else { return nil }
    return base + (end - deck.motion.origin) / deck.rate
  }
}

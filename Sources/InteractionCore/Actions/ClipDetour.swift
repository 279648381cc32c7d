public import PlaybackCore

/// A clip that somebody asked for in between, and the way back.
///
///     none -> away (a clip is asked for) -> none (the clip is over or fails, or something else plays)
///
/// Another clip that is asked for meanwhile takes the place of the first; the way back stays the same.
public struct ClipDetour: Hashable, Sendable {
  public struct Place: Hashable, Sendable {
    public var item: ItemID
    public var position: Duration
    /// Whether playback was wanted.
    public var isPlaying: Bool

    public init(item: ItemID, position: Duration, isPlaying: Bool) {
      self.item = item
      self.position = position
      self.isPlaying = isPlaying
    }
  }

  public enum Action: Hashable, Sendable {
    /// Nothing follows a clip by itself.
    case holdAtEnd
    case advanceAtEnd
    case select(ItemID)
    case seek(to: Duration)
    case play
    case pause
    /// The clip's entry is no more needed.
    case remove(ItemID)
  }

  private struct Away: Hashable {
    var clip: ItemID
    var from: Place
  }
  private var away: Away?

  public init() {}

  public var isAway: Bool { away != nil }

  /// The entry of the clip that plays in between; nil without one.
  public var clip: ItemID? { away?.clip }

  /// - Parameters:
  ///   - clip: its entry in the queue, which has been put there for this.
  ///   - place: where playback is now.
  public mutating func start(_ clip: ItemID, from place: Place) -> [Action] {
    let before = away
    away = Away(clip: clip, from: before?.from ?? place)
    return [.holdAtEnd, .select(clip), .play] + (before.map { [.remove($0.clip)] } ?? [])
  }

  /// An item has come to its end and stays there, or failed.
  public mutating func ended(_ item: ItemID) -> [Action] {
    guard let away, away.clip == item else { return [] }
    self.away = nil
    return [
      .advanceAtEnd, .select(away.from.item), .seek(to: away.from.position), away.from.isPlaying ? .play : .pause,
      .remove(item),
    ]
  }

  /// An item is on the screen. When it is another one than the clip, somebody has gone on by hand.
  public mutating func started(_ item: ItemID) -> [Action] {
    guard let away, away.clip != item else { return [] }
    self.away = nil
    return [.advanceAtEnd, .remove(away.clip)]
  }
}

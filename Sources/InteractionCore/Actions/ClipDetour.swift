public import PlaybackCore

/// Departures from the list: a clip that was asked for during other playback, with the way back, and a hold, which keeps
/// an item's last picture.
///
///     none -> away (a clip is asked for) -> none (the clip has ended or failed, or another item plays)
///     no hold -> asked -> atEnd (the item has ended) -> no hold (released, or another item plays)
///
/// A second clip that is asked for meanwhile replaces the first; the place to go back to stays the same.
public struct ClipDetour: Hashable, Sendable {
  public struct Place: Hashable, Sendable {
    public var item: ItemID
    public var position: Duration
    /// Whether playback was intended to run.
    public var isPlaying: Bool

    public init(item: ItemID, position: Duration, isPlaying: Bool) {
      self.item = item
      self.position = position
      self.isPlaying = isPlaying
    }
  }

  public enum Action: Hashable, Sendable {
    /// No item follows the clip automatically.
    case holdAtEnd
    case advanceAtEnd
    case select(ItemID)
    case seek(to: Duration)
    case play
    case pause
    /// Goes to the next item of the list.
    case next
    /// The clip's entry in the queue is no longer needed.
    case remove(ItemID)
  }

  private struct Away: Hashable {
    var clip: ItemID
    var from: Place
  }

  /// Valid transitions of `asked` are to `atEnd` and to nil; of `atEnd`, to nil.
  private enum Hold: Hashable {
    /// The current item plays on to its end. With an item, the hold is for that one alone; without, for whichever ends
    /// next.
    case asked(ItemID?)
    /// The item has ended, and its last picture stays.
    case atEnd(ItemID)
  }

  private var away: Away?
  private var holding: Hold?

  public init() {}

  public var isAway: Bool { away != nil }

  /// Whether an item's last picture stays, or will stay.
  public var isHeld: Bool { holding != nil }

  /// The queue's entry of the clip that plays; nil without one.
  public var clip: ItemID? { away?.clip }

  /// - Parameters:
  ///   - clip: its entry in the queue, which was added for this.
  ///   - place: where playback is now.
  ///   - start: the position in the clip that it begins at.
  ///   - isHeld: whether its last picture stays at its end.
  public mutating func start(
    _ clip: ItemID, from place: Place, at start: Duration = .zero, isHeld: Bool = false
  ) -> [Action] {
    let before = away
    holding = isHeld ? .asked(clip) : nil
    away = Away(clip: clip, from: before?.from ?? place)
    return [.holdAtEnd, .select(clip)] + (start > .zero ? [.seek(to: start)] : []) + [.play]
      + (before.map { [.remove($0.clip)] } ?? [])
  }

  /// An item has ended and stays on its last frame, or has failed.
  ///
  /// - Parameter hasFailed: it has no last frame that could be held.
  public mutating func ended(_ item: ItemID, hasFailed: Bool = false) -> [Action] {
    if case .asked(let owner)? = holding, owner ?? item == item, !hasFailed {
      holding = .atEnd(item)
      return []
    }
    guard let away, away.clip == item else { return [] }
    self.away = nil
    holding = nil
    return [
      .advanceAtEnd, .select(away.from.item), .seek(to: away.from.position), away.from.isPlaying ? .play : .pause,
      .remove(item),
    ]
  }

  /// An item is on the screen. If it isn't the clip, playback was moved on by hand.
  public mutating func started(_ item: ItemID) -> [Action] {
    let held: ItemID? =
      switch holding {
      case .atEnd(let held): held
      case .asked(let owner): owner
      case nil: nil
      }
    if let held, held != item {
      holding = nil
      if away == nil { return [.advanceAtEnd] }
    }
    guard let away, away.clip != item else { return [] }
    self.away = nil
    holding = nil
    return [.advanceAtEnd, .remove(away.clip)]
  }

  /// Whether an item has ended and its last picture stays.
  public var isHeldAtEnd: Bool { if case .atEnd? = holding { true } else { false } }

  /// Keeps the last picture of the item or clip that ends next.
  ///
  /// - Parameter item: only of this one, which has begun; nil is for whichever ends.
  public mutating func hold(_ item: ItemID? = nil) -> [Action] {
    guard !isHeld else { return [] }
    holding = .asked(item)
    return [.holdAtEnd]
  }

  /// Ends the hold, where the list is replaced.
  public mutating func forgetHold() -> [Action] {
    guard isHeld else { return [] }
    holding = nil
    return away == nil ? [.advanceAtEnd] : []
  }

  /// Ends the hold. Without one, ends the clip.
  public mutating func release() -> [Action] {
    let before = holding
    holding = nil
    switch (before, away) {
    case (.asked?, nil): return [.advanceAtEnd]
    // The clip goes back at its end, as without the hold.
    case (.asked?, _?): return []
    case (.atEnd?, nil): return [.advanceAtEnd, .next, .play]
    case (_, let away?): return ended(away.clip)
    case (nil, nil): return []
    }
  }
}

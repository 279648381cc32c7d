public import PlaybackCore

/// How visitors leave the attract loop, and how it comes back.
public struct AttractSettings: Hashable, Sendable {
  public enum Return: String, Hashable, Sendable, CaseIterable {
    /// When the current item has ended.
    case itemBoundary = "item-boundary"
    case atOnce = "at-once"
  }

  /// The effect of the first touch, where visitors have a playlist of their own.
  public enum Layout: String, Hashable, Sendable, CaseIterable {
    /// The playlist, from its first film.
    case list
    /// The playlist as tiles to choose from; a film leads back to them.
    case tiles
  }

  /// Whether visitors have a playlist of their own, which the first touch starts. Without one, the first touch shows
  /// the loop's controls.
  public var hasInteractiveList: Bool
  /// How long without a touch until the loop comes back; nil for never.
  public var idleAfter: Duration?
  public var returns: Return
  /// For how long the end of a visit is announced; zero for never. The usual time is enough to read the card twice and to
  /// reach the screen.
  public var countdown: Duration
  public var layout: Layout

  public init(
    hasInteractiveList: Bool = false, idleAfter: Duration? = nil, returns: Return = .itemBoundary,
    countdown: Duration = .seconds(10), layout: Layout = .list
  ) {
    self.layout = layout
    self.hasInteractiveList = hasInteractiveList
    self.idleAfter = idleAfter
    self.returns = returns
    self.countdown = countdown
  }

  /// Whether visitors choose from tiles.
  public var hasTiles: Bool { hasInteractiveList && layout == .tiles }
}

/// The announcement of a visit's end.
public struct VisitCountdown: Hashable, Sendable {
  public var begins: Instant
  public var ends: Instant
  /// Whether a film plays that somebody may be watching.
  public var isDuringFilm: Bool

  public init(begins: Instant, ends: Instant, isDuringFilm: Bool) {
    self.begins = begins
    self.ends = ends
    self.isDuringFilm = isDuringFilm
  }
}

/// Commands of the attract machine.
public enum AttractAction: Hashable, Sendable {
  /// Starts at the first item, or at the one with this number. Among tiles, nil shows them.
  case startInteractiveList(number: Int? = nil)
  /// The visit goes on at the tiles.
  case showTiles
  /// Ends the clip that was asked for before its time.
  case endClip
  /// Brings the loop back: it plays, and its controls are hidden.
  case returnToLoop
}

/// Switches between the attract loop and the visitor's session.
///
///     attract, attended -> visited (a touch, or a key that is meant for the list)
///     attract -> attended (a key that asks for a clip, another volume and the like: the loop itself goes on)
///     attended -> attract (no touch for `idleAfter`; a clip may end first)
///     visited -> leaving (no touch for `idleAfter`; the item may end first) -> attract (the item has ended)
///     visited -> attract (no touch for `idleAfter`, at once; or the visitors' list has ended)
///     leaving -> visited (a touch after all)
///
/// The machine reads no clock; `deadline` says when `timePassed` is due.
public struct AttractMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case attract
    /// Only used where visitors have a list of their own.
    case attended(since: Instant)
    case visited(since: Instant)
    case leaving
  }

  public var settings: AttractSettings {
    // A visit ends with its list, and the loop's controls were no visit of a list that comes.
    didSet { if settings.hasInteractiveList != oldValue.hasInteractiveList { state = .attract } }
  }
  public private(set) var state = State.attract
  /// The item of the visitors' list whose end is the end of the visit, or leads to the tiles; nil for the list's own end.
  private var lastItem: LastItem?

  private struct LastItem: Hashable {
    var item: ItemID
    var leadsToTiles: Bool
  }

  public init(settings: AttractSettings = AttractSettings()) {
    self.settings = settings
  }

  public var deadline: Instant? {
    guard let idleAfter = settings.idleAfter else { return nil }
    return switch state {
    case .attended(let since), .visited(let since): since + idleAfter
    case .attract, .leaving: nil
    }
  }

  /// The screen was touched, or a key with an effect was pressed. Called repeatedly while a finger is down.
  ///
  /// - Parameters:
  ///   - aim: the purpose of the key; a touch has the purpose `anything`.
  ///   - isAtClip: a clip that was asked for is on the screen; a touch is then meant for the clip.
  public mutating func touched(
    at now: Instant, aim: Binding.Aim = .anything, isAtClip: Bool = false
  ) -> (actions: [AttractAction], isSpent: Bool) {
    let isAttended =
      switch state {
      case .attract: false
      case .attended: true
      case .visited, .leaving: nil as Bool?
      }
    guard let isAttended, settings.hasInteractiveList else {
      state = .visited(since: now)
      return ([], false)
    }
    switch aim {
    case .player:
      state = .attended(since: now)
      return ([], false)
    case .anything where isAttended && isAtClip, .list where isAtClip:
      state = .attended(since: now)
      return ([], false)
    case .anything:
      state = .visited(since: now)
      return ([.startInteractiveList()], true)
    case .item(let number):
      state = .visited(since: now)
      return ([.startInteractiveList(number: number)], true)
    case .list:
      state = .visited(since: now)
      return ([.startInteractiveList()], false)
    }
  }

  /// - Parameters:
  ///   - isHeld: a finger is on the glass, so the visitor is still there.
  ///   - isPlaying: the current item will end by itself; a film that was paused and left won't.
  ///   - isAtClip: a clip that was asked for is on the screen.
  public mutating func timePassed(
    at now: Instant, isHeld: Bool, isPlaying: Bool, isAtClip: Bool = false
  ) -> [AttractAction] {
    guard let deadline, now >= deadline else { return [] }
    let mayEnd = settings.returns == .itemBoundary && isPlaying
    if case .attended = state {
      guard !isHeld, !(isAtClip && mayEnd) else {
        state = .attended(since: now)
        return []
      }
      state = .attract
      return isAtClip ? [.endClip, .returnToLoop] : [.returnToLoop]
    }
    guard !isHeld else {
      state = .visited(since: now)
      return []
    }
    if mayEnd {
      state = .leaving
      return []
    }
    state = .attract
    return [.returnToLoop]
  }

  /// The announcement of this visit's end, as far as it can be known; nil where nothing would change for anybody.
  ///
  /// - Parameters:
  ///   - isHeld: a finger is on the glass.
  ///   - isPlaying: the current item will end by itself.
  ///   - itemEndsIn: how long the current item still plays; nil where that isn't known. Worked out only where it matters:
  ///     the overlay asks with each touch.
  public func countdown(
    at now: Instant, isHeld: Bool, isPlaying: Bool, itemEndsIn: @autoclosure () -> Duration?
  ) -> VisitCountdown? {
    guard settings.countdown > .zero, !isHeld else { return nil }
    switch state {
    case .visited(let since):
      // Without a list of the visitors' own, only a film that was paused changes: it plays on.
      guard let idleAfter = settings.idleAfter, settings.hasInteractiveList || !isPlaying,
        !(isPlaying && settings.returns == .itemBoundary)
      else { return nil }
      // Not from the first moment on where the time without a touch is short.
      return VisitCountdown(
        begins: since + idleAfter - min(settings.countdown, idleAfter / 2), ends: since + idleAfter,
        isDuringFilm: isPlaying)
    case .leaving:
      guard settings.hasInteractiveList, let itemEndsIn = itemEndsIn() else { return nil }
      let ends = now + max(.zero, itemEndsIn)
      return VisitCountdown(begins: ends - settings.countdown, ends: ends, isDuringFilm: true)
    case .attract, .attended: return nil
    }
  }

  /// The current item has ended by itself.
  public mutating func itemEnded() -> [AttractAction] {
    guard state == .leaving else { return [] }
    state = .attract
    return [.returnToLoop]
  }

  /// Whether a visitor is there who has a list of their own.
  public var isVisited: Bool {
    switch state {
    case .attract, .attended: false
    case .visited, .leaving: settings.hasInteractiveList
    }
  }

  /// Whether a visitor is there who may go to the tiles.
  public var mayChooseTiles: Bool { settings.hasTiles && isVisited }

  /// Whether the end of the list would lead back to the loop.
  public var returnsToLoopAtEnd: Bool {
    var after = self
    return !after.playbackStopped().isEmpty
  }

  /// An item has begun that ends a visit, or leads to the tiles. Without a visit, nothing waits for its end.
  ///
  /// - Returns: whether it does so: nothing may follow it on the screen but the loop, or the tiles.
  public mutating func lastItemStarted(_ item: ItemID, leadsToTiles: Bool = false) -> Bool {
    guard isVisited else { return false }
    lastItem = LastItem(item: item, leadsToTiles: leadsToTiles)
    return true
  }

  /// The current item has ended, and its last picture stays.
  public mutating func stoppedAtEnd(of item: ItemID) -> [AttractAction] {
    guard let lastItem, lastItem.item == item else { return itemEnded() }
    return lastItem.leadsToTiles ? listEnded() : playbackStopped()
  }

  /// The visitors' list has ended, or the film that was chosen can't be shown.
  public mutating func listEnded() -> [AttractAction] {
    if settings.hasTiles, case .visited = state { return [.showTiles] }
    return playbackStopped()
  }

  /// Playback has stopped for good: the visitors' list has ended.
  public mutating func playbackStopped() -> [AttractAction] {
    switch state {
    case .attract, .attended: return []
    case .visited where !settings.hasInteractiveList: return []
    case .visited, .leaving:
      state = .attract
      return [.returnToLoop]
    }
  }
}

public import PlaybackCore

/// How the attract loop is left and found again.
public struct AttractSettings: Hashable, Sendable {
  public enum Return: String, Hashable, Sendable, CaseIterable {
    /// When the item that plays has come to its end.
    case itemBoundary = "item-boundary"
    case atOnce = "at-once"
  }

  /// Whether there is a list of its own for visitors, which the first touch starts. Without one the first touch shows the
  /// controls of the loop.
  public var hasInteractiveList: Bool
  /// How long nobody must have touched anything for the loop to come back; nil never comes back by itself.
  public var idleAfter: Duration?
  public var returns: Return

  public init(
    hasInteractiveList: Bool = false, idleAfter: Duration? = nil, returns: Return = .itemBoundary
  ) {
    self.hasInteractiveList = hasInteractiveList
    self.idleAfter = idleAfter
    self.returns = returns
  }
}

/// Commands of the attract machine.
public enum AttractAction: Hashable, Sendable {
  /// From its first item, or from the one of that number.
  case startInteractiveList(number: Int? = nil)
  /// The clip that plays in between is over before its end.
  case endClip
  /// The loop comes back, playing, unlocked in nothing and with its own controls hidden.
  case returnToLoop
}

/// Goes from the attract loop to the visitor and back.
///
///     attract, attended -> visited (somebody touches, or presses a key that is meant for the list)
///     attract -> attended (a key asks for a clip, another volume and the like: the loop itself goes on)
///     attended -> attract (nobody for `idleAfter`, where a clip may end first)
///     visited -> leaving (nobody for `idleAfter`, where the item may end first) -> attract (it has ended)
///     visited -> attract (nobody for `idleAfter`, at once; or the visitors' list is at its end)
///     leaving -> visited (somebody touches after all)
///
/// A value without a clock; `deadline` says when `timePassed` is due.
public struct AttractMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case attract
    /// Only where visitors have a list of their own.
    case attended(since: Instant)
    case visited(since: Instant)
    case leaving
  }

  public var settings: AttractSettings
  public private(set) var state = State.attract

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

  /// Somebody touched the screen or pressed a key that does something. Called again for as long as a finger is down.
  ///
  /// - Parameters:
  ///   - aim: what a key is meant for; a touch is meant for anything.
  ///   - isAtClip: a clip is on the screen that somebody has asked for; what is touched is that.
  /// - Returns: commands, and whether the touch did its work by that: the touch that starts the visitors' list isn't also
  ///   a tap on what it shows. A key that names something is spent only where the command does what it names.
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
  ///   - isHeld: a finger is on the glass: nobody has gone.
  ///   - isPlaying: what plays will come to its end; a film that somebody has paused and left will not.
  ///   - isAtClip: a clip is on the screen that somebody has asked for.
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

  /// The item that played has come to its end by itself.
  public mutating func itemEnded() -> [AttractAction] {
    guard state == .leaving else { return [] }
    state = .attract
    return [.returnToLoop]
  }

  /// Nothing plays and nothing will: the visitors' list is at its end.
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

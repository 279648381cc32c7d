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
  case startInteractiveList
  /// The loop comes back, playing, unlocked in nothing and with its own controls hidden.
  case returnToLoop
}

/// Goes from the attract loop to the visitor and back.
///
///     attract -> visited (somebody touches)
///     visited -> leaving (nobody for `idleAfter`, where the item may end first) -> attract (it has ended)
///     visited -> attract (nobody for `idleAfter`, at once; or the visitors' list is at its end)
///     leaving -> visited (somebody touches after all)
///
/// A value without a clock; `deadline` says when `timePassed` is due.
public struct AttractMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case attract
    case visited(since: Instant)
    case leaving
  }

  public var settings: AttractSettings
  public private(set) var state = State.attract

  public init(settings: AttractSettings = AttractSettings()) {
    self.settings = settings
  }

  public var deadline: Instant? {
    guard case .visited(let since) = state, let idleAfter = settings.idleAfter else { return nil }
    return since + idleAfter
  }

  /// Somebody touched the screen or pressed a key that does something. Called again for as long as a finger is down.
  ///
  /// - Returns: commands, and whether the touch did its work by that: the touch that starts the visitors' list isn't also
  ///   a tap on what it shows.
  public mutating func touched(at now: Instant) -> (actions: [AttractAction], isSpent: Bool) {
    defer { state = .visited(since: now) }
    guard case .attract = state, settings.hasInteractiveList else { return ([], false) }
    return ([.startInteractiveList], true)
  }

  /// - Parameters:
  ///   - isHeld: a finger is on the glass: nobody has gone.
  ///   - isPlaying: what plays will come to its end; a film that somebody has paused and left will not.
  public mutating func timePassed(at now: Instant, isHeld: Bool, isPlaying: Bool) -> [AttractAction] {
    guard let deadline, now >= deadline else { return [] }
    guard !isHeld else {
      state = .visited(since: now)
      return []
    }
    if settings.returns == .itemBoundary, isPlaying {
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
    case .attract: return []
    case .visited where !settings.hasInteractiveList: return []
    case .visited, .leaving:
      state = .attract
      return [.returnToLoop]
    }
  }
}

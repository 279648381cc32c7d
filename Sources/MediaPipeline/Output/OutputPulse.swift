internal import MainLoop
public import PlaybackCore

/// The state of the frames that have come to an output.
public struct OutputActivity: Hashable, Sendable {
  /// The deck of the newest frame; nil before the first.
  public var deck: DeckID?
  /// Since when a frame has waited without being shown; nil where the newest has been shown.
  public var waitingSince: Instant?
  /// How many frames the sink has dropped since then without showing them.
  public var dropped = 0

  public init(deck: DeckID? = nil, waitingSince: Instant? = nil, dropped: Int = 0) {
    self.deck = deck
    self.waitingSince = waitingSince
    self.dropped = dropped
  }
}

/// Maintains `OutputActivity`, from the threads on which frames come and go.
final class OutputPulse: Sendable {
  private struct State: Sendable {
    var activity = OutputActivity()
    /// The index of the newest frame in its deck.
    var index: UInt32 = 0
  }
  private let state = Locked(State())
  private let dropsCount: Bool

  /// - Parameter dropsCount: whether a dropped frame counts as not shown. False for a compositor: it may hide a surface
  ///   for as long as it likes, and its sink then drops frames that nothing would show.
  init(dropsCount: Bool) { self.dropsCount = dropsCount }

  var activity: OutputActivity { state.withLock { $0.activity } }

  /// Counts a frame. Called before the frame is passed on: the sink may show it before the passing thread goes on.
  func came(_ tag: FrameTag, at now: Instant) {
    state.withLock { state in
      state.activity.deck = tag.deck
      state.index = tag.index
      if state.activity.waitingSince == nil { state.activity.waitingSince = now }
    }
  }

  /// Records that the sink is done with a frame.
  func went(_ frame: RenderedFrame) {
    state.withLock { state in
      guard frame.wasRendered || !dropsCount else { return state.activity.dropped += 1 }
      let isNewest = frame.deck == state.activity.deck && frame.index == state.index
      state.activity.waitingSince = isNewest ? nil : frame.at
      state.activity.dropped = 0
    }
  }
}

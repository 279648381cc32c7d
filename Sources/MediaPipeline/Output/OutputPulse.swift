internal import MainLoop
public import PlaybackCore

/// What has become of the frames that came to an output.
public struct OutputActivity: Hashable, Sendable {
  /// Of the newest frame that came; nil before the first.
  public var deck: DeckID?
  /// Since when a frame has been there that wasn't shown; nil where the newest was.
  public var waitingSince: Instant?
  /// How many frames the sink was done with since then, without showing them.
  public var dropped = 0

  public init(deck: DeckID? = nil, waitingSince: Instant? = nil, dropped: Int = 0) {
    self.deck = deck
    self.waitingSince = waitingSince
    self.dropped = dropped
  }
}

/// Keeps `OutputActivity`, from the threads that frames come and go on.
final class OutputPulse: Sendable {
  private struct State: Sendable {
    var activity = OutputActivity()
    /// Of the newest frame's deck.
    var index: UInt32 = 0
  }
  private let state = Locked(State())
  private let dropsCount: Bool

  /// - Parameter dropsCount: whether a frame that the sink was done with and hasn't shown is missing. A compositor may hide a surface for
  ///   as long as it likes, and its sink drops frames then: nobody looks.
  init(dropsCount: Bool) { self.dropsCount = dropsCount }

  var activity: OutputActivity { state.withLock { $0.activity } }

  /// Before the frame is handed on: it may be shown before whoever does that goes on.
  func came(_ tag: FrameTag, at now: Instant) {
    state.withLock { state in
      state.activity.deck = tag.deck
      state.index = tag.index
      if state.activity.waitingSince == nil { state.activity.waitingSince = now }
    }
  }

  /// The sink is done with a frame.
  func went(_ frame: RenderedFrame) {
    state.withLock { state in
      guard frame.wasRendered || !dropsCount else { return state.activity.dropped += 1 }
      let isNewest = frame.deck == state.activity.deck && frame.index == state.index
      state.activity.waitingSince = isNewest ? nil : frame.at
      state.activity.dropped = 0
    }
  }
}

public import PlaybackCore

/// When a local film is sought while a finger drags. All but the first are here to be measured beside it
/// (Tests/Performance/measure-scrubbing); nothing but a hidden option chooses them.
public enum ScrubPacing: String, Hashable, Sendable, CaseIterable {
  /// One seek in flight, the newest place next: as fast as the decoder gives frames.
  case newestWins = "newest-wins"
  /// A seek for each touch, whatever is in flight; key frames.
  case everyTouch = "every-touch"
  /// At most one seek in half a second, as GStreamer's tutorial for players with a slider does it; key frames.
  case halfSecond = "half-second"

  /// The least time between two seeks.
  var interval: Duration? { self == .halfSecond ? .milliseconds(500) : nil }
}

/// How drags become seeks.
public struct ScrubSettings: Hashable, Sendable {
  /// How a horizontal drag slows down as the finger moves away from the bar, from where the drag began, in growing
  /// distances. Half at a finger's width and a half, and so on in equal steps, as people know it from players in the
  /// hand; the last is one second of a ten-minute film to about half a millimetre of a 24 inch screen.
  public var fineBands: [FineBand] = [
    FineBand(beyond: Reach(millimetres: 15, units: 5), speed: 0.5),
    FineBand(beyond: Reach(millimetres: 30, units: 10), speed: 0.25),
    FineBand(beyond: Reach(millimetres: 45, units: 15), speed: 0.1),
  ]
  /// How far from the finger a frame may be that is shown on the way. Key frames come first, at once; where the finger
  /// rests and the next key frame is farther off than this, the very frame is looked for. Nil shows key frames only, for
  /// boards on which an exact seek over a long group of pictures takes seconds.
  public var chaseTolerance: Duration? = .milliseconds(100)
  public var pacing = ScrubPacing.newestWins
  /// Where a drag ends. Exact, except on boards that can't.
  public var finalTolerance = SeekTolerance.exact
  /// The end of an item that can't be reached by dragging where its frames have no known length: two frames of film.
  public var lastFrame = Duration.milliseconds(83)

  public init() {}

  var tolerance: SeekTolerance {
    let tolerance = pacing == .newestWins ? chaseTolerance : nil
    return SeekTolerance(before: tolerance, after: tolerance)
  }

  /// - Parameter distance: pixels away from the bar, since the drag began; negative is towards it.
  func speed(at distance: Double, _ scale: TouchScale) -> Double {
    fineBands.last { distance > $0.beyond.pixels(scale) }?.speed ?? 1
  }
}

/// A distance, and the part of the finger's way that the position moves beyond it.
public struct FineBand: Hashable, Sendable {
  public var beyond: Reach
  /// 1 is as far as the finger.
  public var speed: Double

  public init(beyond: Reach, speed: Double) {
    self.beyond = beyond
    self.speed = speed
  }
}

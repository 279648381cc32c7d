public import PlaybackCore

/// When a local film is sought during a drag. All but the first exist to be measured against it
/// (Tests/Performance/measure-scrubbing); only a hidden option selects them.
public enum ScrubPacing: String, Hashable, Sendable, CaseIterable {
  /// One seek at a time, the newest target next: as fast as the decoder delivers frames.
  case newestWins = "newest-wins"
  /// A seek for each touch event, whether or not another is running; key frames.
  case everyTouch = "every-touch"
  /// At most one seek in half a second, as in GStreamer's tutorial for players with a slider; key frames.
  case halfSecond = "half-second"

  /// The least time between two seeks.
  var interval: Duration? { self == .halfSecond ? .milliseconds(500) : nil }
}

/// How drags become seeks.
public struct ScrubSettings: Hashable, Sendable {
  /// How a horizontal drag slows down as the finger moves away from the bar, measured from the start of the drag, by
  /// growing distances: half speed at one and a half finger's widths, and so on in equal steps, as in players on
  /// phones. At the last speed, a second of a ten-minute film is about half a millimetre of a 24 inch screen.
  public var fineBands: [FineBand] = [
    FineBand(beyond: Reach(millimetres: 15, units: 5), speed: 0.5),
    FineBand(beyond: Reach(millimetres: 30, units: 10), speed: 0.25),
    FineBand(beyond: Reach(millimetres: 45, units: 15), speed: 0.1),
  ]
  /// How far from the finger's position a frame that is shown during the drag may be. Key frames are shown first; where
  /// the finger rests and the nearest key frame is further away than this, the exact frame is sought. Nil shows key
  /// frames only, for boards on which an exact seek over a long group of pictures takes seconds.
  public var chaseTolerance: Duration? = .milliseconds(100)
  public var pacing = ScrubPacing.newestWins
  /// The tolerance of the drag's last seek. Exact, except on boards that can't seek exactly.
  public var finalTolerance = SeekTolerance.exact
  /// The stretch at an item's end that a drag can't reach, where the length of its frames isn't known: two frames of
  /// film.
  public var lastFrame = Duration.milliseconds(83)

  public init() {}

  var tolerance: SeekTolerance {
    let tolerance = pacing == .newestWins ? chaseTolerance : nil
    return SeekTolerance(before: tolerance, after: tolerance)
  }

  /// - Parameter distance: pixels away from the bar since the drag began; negative is towards it.
  func speed(at distance: Double, _ scale: TouchScale) -> Double {
    fineBands.last { distance > $0.beyond.pixels(scale) }?.speed ?? 1
  }
}

/// A distance from the bar, and how fast the position moves beyond it.
public struct FineBand: Hashable, Sendable {
  public var beyond: Reach
  /// 1 moves the position as far as the finger.
  public var speed: Double

  public init(beyond: Reach, speed: Double) {
    self.beyond = beyond
    self.speed = speed
  }
}

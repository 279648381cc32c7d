/// Determines when each frame of an animation is shown, and for how long it plays.
public struct PictureTimeline: Hashable, Sendable {
  /// One frame's time on the screen.
  public struct Step: Hashable, Sendable {
    public var frame: Int
    /// From the start of the item.
    public var start: Duration
    public var duration: Duration
  }

  /// Browsers show frames with no delay, or one of at most `leastDelay`, for `unhurriedDelay`, and files are made with
  /// that in mind.
  public static let leastDelay: Duration = .milliseconds(10)
  public static let unhurriedDelay: Duration = .milliseconds(100)

  /// How long the item plays.
  public let total: Duration
  private let delays: [Duration]
  private let plays: Int?
  private var frame = 0
  private var playsDone = 0
  private var time = Duration.zero

  /// - Parameters:
  ///   - animation: the file's; nil for a still picture.
  ///   - plays: how often the item says that the animation plays; nil for the file's number.
  ///   - duration: how long the item says that the picture lasts. Where the animation ends before, its last frame
  ///     stays.
  ///   - pictureDuration: how long a picture lasts that has no end of its own.
  public init(_ animation: PictureAnimation?, plays: Int?, duration: Duration?, pictureDuration: Duration) {
    let animation = animation ?? PictureAnimation(delays: [pictureDuration], plays: nil)
    // A still picture has no end of its own.
    let isStill = animation.delays.count < 2
    self.plays = isStill ? 1 : (plays ?? animation.plays).map { max(1, $0) }
    delays = isStill ? [duration ?? pictureDuration] : animation.delays.map(Self.shown)
    let once = delays.reduce(.zero, +)
    // A file may ask for 65,535 plays of an hour each: the limit of a year keeps sums of times within their range.
    let longest = Duration.seconds(365 * 86_400)
    let wanted = duration ?? self.plays.map { min(longest, once * min($0, 1_000_000)) } ?? pictureDuration
    total = max(Self.leastDelay, min(longest, wanted))
  }

  /// The delay that a frame gets for the one in the file.
  static func shown(_ delay: Duration) -> Duration { delay <= leastDelay ? unhurriedDelay : delay }

  /// The next frame; nil when the item's time is over.
  public mutating func next() -> Step? {
    guard time < total, !delays.isEmpty else { return nil }
    let isLast = frame == delays.count - 1 && plays.map { playsDone + 1 >= $0 } ?? false
    // The last frame stays.
    let duration = isLast ? total - time : min(delays[frame], total - time)
    defer {
      time += duration
      frame += 1
      if frame == delays.count { (frame, playsDone) = (0, playsDone + 1) }
    }
    return Step(frame: frame, start: time, duration: duration)
  }
}

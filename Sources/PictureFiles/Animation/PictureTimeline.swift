/// When which frame of a moving picture is shown, and for how long it plays.
public struct PictureTimeline: Hashable, Sendable {
  /// One frame's time on the screen.
  public struct Step: Hashable, Sendable {
    public var frame: Int
    /// From the start of the item.
    public var start: Duration
    public var duration: Duration
  }

  /// Browsers show frames without a time, or with one that no screen of their youth could keep, for that long, and
  /// files are made with it in mind.
  public static let leastDelay: Duration = .milliseconds(10)
  public static let unhurriedDelay: Duration = .milliseconds(100)

  /// For how long the item plays.
  public let total: Duration
  private let delays: [Duration]
  private let plays: Int?
  private var frame = 0
  private var playsDone = 0
  private var time = Duration.zero

  /// - Parameters:
  ///   - animation: of the file; nil for a picture that stands still.
  ///   - plays: how often the item says that it plays; nil leaves it to the file.
  ///   - duration: how long the item says that it lasts. When it is over before, its last frame stays.
  ///   - pictureDuration: how long a picture lasts that has no end by itself.
  public init(_ animation: PictureAnimation?, plays: Int?, duration: Duration?, pictureDuration: Duration) {
    let animation = animation ?? PictureAnimation(delays: [pictureDuration], plays: nil)
    // What stands still doesn't end by being shown.
    let isStill = animation.delays.count < 2
    self.plays = isStill ? 1 : (plays ?? animation.plays).map { max(1, $0) }
    delays = isStill ? [duration ?? pictureDuration] : animation.delays.map(Self.shown)
    let once = delays.reduce(.zero, +)
    // A file can say 65,535 times an hour: no longer than a year, so that sums of times stay within their numbers.
    let longest = Duration.seconds(365 * 86_400)
    let wanted = duration ?? self.plays.map { min(longest, once * min($0, 1_000_000)) } ?? pictureDuration
    total = max(Self.leastDelay, min(longest, wanted))
  }

  /// What the file asks for, as it is meant.
  static func shown(_ delay: Duration) -> Duration { delay <= leastDelay ? unhurriedDelay : delay }

  /// The next frame; nil when the time is over.
  public mutating func next() -> Step? {
    guard time < total, !delays.isEmpty else { return nil }
    let isLast = frame == delays.count - 1 && plays.map { playsDone + 1 >= $0 } ?? false
    // The last one stays.
    let duration = isLast ? total - time : min(delays[frame], total - time)
    defer {
      time += duration
      frame += 1
      if frame == delays.count { (frame, playsDone) = (0, playsDone + 1) }
    }
    return Step(frame: frame, start: time, duration: duration)
  }
}

/// What the buffer of a deck means for playback: a level with two marks, so that playback doesn't flutter.
///
/// flowing -> draining (the gauge is empty, and what lies behind it plays on) -> dry (frames stay away) -> flowing (at what is
/// needed). What doesn't play, or has nothing behind its gauge, goes from flowing to dry at once.
public enum Buffering: Hashable, Sendable {
  /// Data are there, or none are waited for.
  case flowing
  /// The gauge has been empty since then, and playback uses up what is left.
  case draining(since: Instant)
  /// Playback waits for data. A live deck can't be held back, and plays what comes.
  case dry(Refill)

  /// What comes in while playback waits.
  public struct Refill: Hashable, Sendable {
    /// What is buffered of what has to be before playback goes on: 0...99.
    public let percent: Int
    /// Since when data come in again, and how much there was then; nil until a level was told while it was dry.
    private let start: Start?

    private struct Start: Hashable, Sendable {
      var at: Instant
      var media: Duration
    }

    /// Nothing is left.
    static let empty = Refill(percent: 0, start: nil)

    /// It has just run dry, with this level.
    init(_ level: BufferLevel) { self.init(percent: level.percent, start: nil) }

    private init(percent: Int, start: Start?) {
      self.percent = percent
      self.start = start
    }

    /// What comes of it at another level; nil where that is enough to go on with.
    func after(_ level: BufferLevel, _ policy: BufferingPolicy, at now: Instant) -> Refill? {
      guard !level.isFull else { return nil }
      var measured = start
      if start.map({ level.media < $0.media }) ?? true { measured = Start(at: now, media: level.media) }
      guard level.media < (isQuick(level.media, policy, at: now) ? level.quickNeeded : level.needed) else { return nil }
      return Refill(percent: level.percent, start: measured)
    }

    /// Whether data come in fast enough to rely on, measured for long enough.
    private func isQuick(_ media: Duration, _ policy: BufferingPolicy, at now: Instant) -> Bool {
      guard let start, media > start.media else { return false }
      let time = now - start.at
      return time >= policy.quickMeasure && (media - start.media) / time >= policy.quickRatio
    }
  }

  public var isDry: Bool {
    if case .dry = self { return true }
    return false
  }

  var isDraining: Bool {
    if case .draining = self { return true }
    return false
  }

  /// What is buffered of what has to be before playback goes on: 0...100, and 100 while it does.
  public var percent: Int {
    if case .dry(let refill) = self { return refill.percent }
    return 100
  }

  /// What comes of it when a level is told.
  ///
  /// - Parameter playsOn: what lies behind an empty gauge goes on being played.
  func after(_ level: BufferLevel, playsOn: Bool, _ policy: BufferingPolicy, at now: Instant) -> Buffering {
    switch self {
    case .dry(let refill): return refill.after(level, policy, at: now).map(Buffering.dry) ?? .flowing
    case .flowing, .draining:
      guard !level.isFull, level.media <= policy.dry else { return .flowing }
      guard playsOn else { return .dry(Refill(level)) }
      if case .draining = self { return self }
      return .draining(since: now)
    }
  }
}

/// How much a deck has buffered, and what that is held to.
struct BufferLevel: Hashable, Sendable {
  var media: Duration
  /// The pipeline takes no more.
  var isFull: Bool
  /// Media to go on with.
  var needed: Duration
  /// The same where data come in fast.
  var quickNeeded: Duration

  /// - Parameters:
  ///   - percent: as the pipeline tells it.
  ///   - scale: media that 100 % stands for.
  init(percent: Int, scale: Duration, needed: Duration, quickNeeded: Duration) {
    media = scale * Double(percent) / 100
    isFull = percent >= 100
    self.needed = needed
    self.quickNeeded = quickNeeded
  }

  /// Of what is needed, 0...99: what is told while it isn't enough.
  var percent: Int { Int(max(0, min(99, 100 * (media / max(needed, .nanoseconds(1)))))) }
}

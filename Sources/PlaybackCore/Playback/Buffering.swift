/// The state of a deck's buffer: two thresholds keep playback from stopping and starting in quick turns.
///
/// ready -> underrun (the gauge is empty, and data behind it play on) -> rebuffering (frames stay away) -> ready
/// (enough data are there). A deck that doesn't play, or has nothing behind its gauge, goes from ready to rebuffering
/// at once. A source that breaks off leads from each state to `brokenOff`, where it stays.
public enum Buffering: Hashable, Sendable {
  /// Data are buffered, or none are waited for.
  case ready
  /// The gauge has been empty since that time, and playback uses up the data behind it.
  case underrun(since: Instant)
  /// Playback waits for data. A live deck can't be held back, and plays data as they come.
  case rebuffering(Refill)
  /// The source has broken off: buffered data play on, and no more are waited for.
  case brokenOff(VitrineError)

  /// The refilling of a buffer that has run dry.
  public struct Refill: Hashable, Sendable {
    /// Share of the data needed to go on that is buffered: 0...99.
    public let percent: Int
    /// When data began to come in again, and how much there was then; nil until a level was reported while dry.
    private let start: Start?

    private struct Start: Hashable, Sendable {
      var at: Instant
      var media: Duration
    }

    /// A buffer with no data left.
    static let empty = Refill(percent: 0, start: nil)

    /// The state right after running dry, at this level.
    init(_ level: BufferLevel) { self.init(percent: level.percent, start: nil) }

    private init(percent: Int, start: Start?) {
      self.percent = percent
      self.start = start
    }

    /// The state at another level; nil where the level is enough to go on.
    func after(_ level: BufferLevel, _ policy: BufferingPolicy, at now: Instant) -> Refill? {
      guard !level.isFull else { return nil }
      var measured = start
      if start.map({ level.media < $0.media }) ?? true { measured = Start(at: now, media: level.media) }
      guard level.media < (isQuick(level.media, policy, at: now) ? level.quickNeeded : level.needed) else { return nil }
      return Refill(percent: level.percent, start: measured)
    }

    /// Whether data come in fast enough to rely on, as measured over `quickMeasure`.
    private func isQuick(_ media: Duration, _ policy: BufferingPolicy, at now: Instant) -> Bool {
      guard let start, media > start.media else { return false }
      let time = now - start.at
      return time >= policy.quickMeasure && (media - start.media) / time >= policy.quickRatio
    }
  }

  public var isDry: Bool {
    if case .rebuffering = self { return true }
    return false
  }

  var isBrokenOff: Bool {
    if case .brokenOff = self { return true }
    return false
  }

  var isDraining: Bool {
    if case .underrun = self { return true }
    return false
  }

  /// Share of the data needed to go on that is buffered: 0...99 while dry, else 100.
  public var percent: Int {
    if case .rebuffering(let refill) = self { return refill.percent }
    return 100
  }

  /// The state after a level was reported.
  ///
  /// - Parameter playsOn: whether data behind an empty gauge play on.
  func after(_ level: BufferLevel, playsOn: Bool, _ policy: BufferingPolicy, at now: Instant) -> Buffering {
    switch self {
    case .brokenOff: return self
    case .rebuffering(let refill): return refill.after(level, policy, at: now).map(Buffering.rebuffering) ?? .ready
    case .ready, .underrun:
      guard !level.isFull, level.media <= policy.dry else { return .ready }
      guard playsOn else { return .rebuffering(Refill(level)) }
      if case .underrun = self { return self }
      return .underrun(since: now)
    }
  }
}

/// A deck's buffer level, with the levels that it is compared with.
struct BufferLevel: Hashable, Sendable {
  var media: Duration
  /// Whether the pipeline accepts no more data.
  var isFull: Bool
  /// Media needed to go on.
  var needed: Duration
  /// Media needed to go on while data come in fast.
  var quickNeeded: Duration

  /// - Parameters:
  ///   - percent: the pipeline's report.
  ///   - scale: media that 100 % stands for.
  init(percent: Int, scale: Duration, needed: Duration, quickNeeded: Duration) {
    media = scale * Double(percent) / 100
    isFull = percent >= 100
    self.needed = needed
    self.quickNeeded = quickNeeded
  }

  /// Share of the needed media, 0...99: the report while it isn't enough.
  var percent: Int { Int(max(0, min(99, 100 * (media / max(needed, .nanoseconds(1)))))) }
}

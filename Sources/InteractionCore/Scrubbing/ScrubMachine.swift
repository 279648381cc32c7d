public import PlaybackCore

/// The facts about the item that is being dragged.
public struct ScrubMedia: Hashable, Sendable {
  public var item: ItemID
  /// The part of the item that is played, in times of the medium; nil while its end isn't known.
  public var range: Range<Duration>?
  /// The position of the shown frame, or the target of a running seek.
  public var position: Duration?
  public var frameInterval: Duration?
  public var isRemote: Bool
  public var isSeekable: Bool

  public init(
    item: ItemID, range: Range<Duration>?, position: Duration?, frameInterval: Duration? = nil, isRemote: Bool = false,
    isSeekable: Bool = true
  ) {
    self.item = item
    self.range = range
    self.position = position
    self.frameInterval = frameInterval
    self.isRemote = isRemote
    self.isSeekable = isSeekable
  }
}

public enum ScrubAction: Hashable, Sendable {
  /// Holds playback, whatever is intended, until `letGo`. The two alternate.
  case hold
  case letGo
  case seek(to: Duration, SeekTolerance)
  /// The drag can't move anything: the item is live, or can't be sought in, or isn't known yet.
  case refuse
}

/// Turns drags along the bar into seeks.
///
/// A local item follows the finger with key frames: one seek at a time, the newest target next (`PlaybackMachine` takes
/// care of that). For a remote item only the bar follows, because each seek would throw away its loaded data; it is
/// sought once, at the end. Both are held during the drag, and play on afterwards if they were meant to: the intent
/// isn't changed.
///
///     idle -> scrubbing (a drag begins) -> idle (it ends, or its item is gone)
///     idle -> refused (a drag that can't move anything) -> idle (it ends)
public struct ScrubMachine: Sendable {
  public var settings: ScrubSettings
  var state = State.idle

  enum State: Sendable {
    case idle
    case scrubbing(Scrub)
    case refused
  }

  struct Scrub: Sendable {
    var media: ScrubMedia
    var range: Range<Duration>
    var from: Duration
    var target: Duration
    var lastX: Double
    var lastSeek: Instant?
  }

  public init(settings: ScrubSettings = ScrubSettings()) {
    self.settings = settings
  }

  /// The position that the bar shows during a drag, in times of the medium; nil at other times.
  public var target: Duration? {
    if case .scrubbing(let scrub) = state { return scrub.target }
    return nil
  }

  /// A drag that can't move anything is in progress.
  public var isRefused: Bool {
    if case .refused = state { return true }
    return false
  }

  /// - Parameters:
  ///   - action: vertical drags and gestures are ignored.
  ///   - media: the item on the screen; nil without one.
  ///   - targets: where the track is drawn, or would be.
  public mutating func handle(
    _ action: GestureAction, media: ScrubMedia?, targets: OverlayTargets, at now: Instant
  ) -> [ScrubAction] {
    #if DEBUG
      defer { invariants.enforce(after: action) }
    #endif
    let lost = mediaIs(media)
    switch action {
    case .dragBegan(let drag) where drag.kind != .vertical: return lost + begin(drag, media, targets, now)
    case .dragMoved(let drag): return lost + move(drag, targets, now)
    case .dragEnded(let drag, let end): return lost + move(drag, targets, now, isLast: true) + finish(end)
    case .dragBegan, .recognised: return lost
    }
  }

  /// Reports the item on the screen. If it isn't the dragged one any more, the drag can't move anything.
  public mutating func mediaIs(_ media: ScrubMedia?) -> [ScrubAction] {
    guard case .scrubbing(let scrub) = state, scrub.media.item != media?.item else { return [] }
    state = .refused
    return [.letGo]
  }

  private mutating func begin(
    _ drag: Drag, _ media: ScrubMedia?, _ targets: OverlayTargets, _ now: Instant
  ) -> [ScrubAction] {
    // The recogniser begins one drag at a time.
    guard case .idle = state else { return [] }
    guard let media, media.isSeekable, let range = media.range, !range.isEmpty, targets.track != nil,
      drag.start.x.isFinite
    else {
      state = .refused
      return [.refuse]
    }
    let position = min(max(media.position ?? range.lowerBound, range.lowerBound), range.upperBound)
    state = .scrubbing(
      Scrub(media: media, range: range, from: position, target: position, lastX: drag.start.x))
    return [.hold] + move(drag, targets, now)
  }

  private mutating func move(
    _ drag: Drag, _ targets: OverlayTargets, _ now: Instant, isLast: Bool = false
  ) -> [ScrubAction] {
    guard case .scrubbing(var scrub) = state, drag.point.x.isFinite, drag.start.x.isFinite else { return [] }
    let old = scrub.target
    let length = scrub.range.upperBound - scrub.range.lowerBound
    if drag.kind == .bar {
      if let share = targets.share(at: drag.point) { scrub.target = scrub.range.lowerBound + length * share }
    } else if let track = targets.track, track.width > 0 {
      // The bar is at the bottom of the screen, so a finger moves away from it upwards.
      let speed = settings.speed(at: drag.start.y - drag.point.y, drag.scale)
      let way = min(max((drag.point.x - scrub.lastX) / track.width, -1), 1) * speed
      scrub.target += length * way
    }
    scrub.lastX = drag.point.x
    scrub.target = clamped(scrub.target, scrub)
    var isDue = true
    if let interval = settings.pacing.interval, let last = scrub.lastSeek { isDue = now - last >= interval }
    let isSought = !isLast && !scrub.media.isRemote && scrub.target != old && isDue
    if isSought { scrub.lastSeek = now }
    state = .scrubbing(scrub)
    guard isSought else { return [] }
    return [.seek(to: scrub.target, settings.tolerance)]
  }

  private mutating func finish(_ end: DragEnd) -> [ScrubAction] {
    defer { state = .idle }
    guard case .scrubbing(let scrub) = state else { return [] }
    // A cancelled drag is undone: a local film goes back, and a remote one hasn't moved.
    if end == .cancelled {
      guard !scrub.media.isRemote, scrub.target != scrub.from else { return [.letGo] }
      return [.seek(to: clamped(scrub.from, scrub), settings.finalTolerance), .letGo]
    }
    return [.seek(to: scrub.target, settings.finalTolerance), .letGo]
  }

  /// Limits a target to the item's first and last frame: behind the last there is only the next item.
  private func clamped(_ target: Duration, _ scrub: Scrub) -> Duration {
    let last = scrub.range.upperBound - (scrub.media.frameInterval ?? settings.lastFrame)
    return max(scrub.range.lowerBound, min(target, last))
  }
}

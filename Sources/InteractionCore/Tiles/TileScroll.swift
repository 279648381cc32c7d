public import PlaybackCore

/// The movement of pages of tiles, or of the lines of a list, under a finger and after it.
///
///     resting -> dragged (a finger) -> settling (it is lifted) -> resting (the page has come)
///     resting -> settling (a key) -> dragged (a finger catches it)
///
/// Positions count pages: 1.5 is half way between the second and the third. Reads no clock.
public struct TileScroll: Hashable, Sendable {
  /// How long a page takes to come to its place: shorter looks like a jump, longer makes people wait.
  static let settling = Duration.milliseconds(350)
  /// How far ahead a finger's speed reaches, in seconds: a flick of a third of a page in a tenth of a second turns one
  /// page, and one of three times that speed turns two.
  static let reach = 0.2
  /// The speed is that of the last tenth of a second: what a finger did before doesn't count.
  static let speedSpan = Duration.milliseconds(100)
  /// Beyond the first and the last page, the pages follow a finger by this share: they feel as if on a spring.
  static let edgeShare = 0.3

  enum Motion: Hashable, Sendable {
    case resting(page: Int)
    /// - Parameters:
    ///   - from: the position when the finger came.
    ///   - samples: the last places of the finger, in pages from where it came down.
    case dragged(from: Double, samples: [Sample])
    case settling(from: Double, to: Int, speed: Double, since: Instant)
  }

  struct Sample: Hashable, Sendable {
    var at: Instant
    var moved: Double
  }

  private(set) var motion: Motion
  public private(set) var pages: Int

  public init(page: Int = 0, pages: Int = 1) {
    self.pages = max(1, pages)
    motion = .resting(page: min(max(0, page), max(1, pages) - 1))
  }

  /// The page that is shown, or will be.
  public var page: Int {
    switch motion {
    case .resting(let page): page
    case .settling(_, let page, _, _): page
    case .dragged(let from, _): min(max(0, Int(from.rounded())), pages - 1)
    }
  }

  public var isMoving: Bool { if case .resting = motion { false } else { true } }

  /// Whether the position changes by time alone.
  public var isSettling: Bool { if case .settling = motion { true } else { false } }

  public func position(at now: Instant) -> Double {
    switch motion {
    case .resting(let page): return Double(page)
    case .dragged(let from, let samples): return held(from + (samples.last?.moved ?? 0))
    case .settling(let from, let page, let speed, let since):
      return Self.path(from, Double(page), speed, now - since).position
    }
  }

  /// The list has another number of pages.
  public mutating func setPages(_ count: Int) {
    pages = max(1, count)
    switch motion {
    case .resting(let page): motion = .resting(page: min(page, pages - 1))
    case .settling(let from, let page, let speed, let since):
      motion = .settling(from: from, to: min(page, pages - 1), speed: speed, since: since)
    case .dragged: break
    }
  }

  /// Goes to a page.
  public mutating func turn(to page: Int, at now: Instant) {
    let page = min(max(0, page), pages - 1)
    if case .resting(page) = motion { return }
    motion = .settling(from: position(at: now), to: page, speed: speed(at: now), since: now)
  }

  /// Follows a finger.
  ///
  /// - Parameters:
  ///   - kind: the drags that move the pages.
  ///   - moved: how far a finger has moved since it came down, in pages; positive towards later pages.
  mutating func follow(_ action: GestureAction, along kind: Drag.Kind, at now: Instant, by moved: (Drag) -> Double) {
    switch action {
    case .recognised: break
    case .dragBegan(let drag):
      guard drag.kind == kind else { break }
      grabbed(at: now)
      dragged(by: moved(drag), at: now)
    case .dragMoved(let drag): dragged(by: moved(drag), at: now)
    case .dragEnded(let drag, let end):
      dragged(by: moved(drag), at: now)
      released(at: now, isUndone: end == .cancelled)
    }
  }

  public mutating func grabbed(at now: Instant) {
    motion = .dragged(from: position(at: now), samples: [Sample(at: now, moved: 0)])
  }

  /// - Parameter moved: how far the finger has moved since it came down, in pages; positive towards later pages.
  public mutating func dragged(by moved: Double, at now: Instant) {
    guard case .dragged(let from, var samples) = motion else { return }
    samples.append(Sample(at: now, moved: moved))
    // The oldest that counts stays, so that there is a speed after a pause, too.
    while samples.count > 2, now - samples[1].at > Self.speedSpan { samples.removeFirst() }
    motion = .dragged(from: from, samples: samples)
  }

  /// The finger is lifted: the page that its speed leads to comes.
  ///
  /// - Parameter isUndone: the drag wasn't meant; the page before it comes back.
  public mutating func released(at now: Instant, isUndone: Bool = false) {
    guard case .dragged(let from, _) = motion else { return }
    let (position, speed) = (position(at: now), speed(at: now))
    let aim = isUndone ? from.rounded() : (position + speed * Self.reach).rounded()
    let page = min(max(0, Int(min(max(aim, -1), Double(pages)))), pages - 1)
    motion = .settling(from: position, to: page, speed: isUndone ? 0 : speed, since: now)
  }

  /// Comes to rest where the page is there.
  public mutating func timePassed(at now: Instant) {
    if case .settling(_, let page, _, let since) = motion, now - since >= Self.settling {
      motion = .resting(page: page)
    }
  }

  /// In pages a second.
  func speed(at now: Instant) -> Double {
    switch motion {
    case .resting: return 0
    case .dragged(_, let samples):
      guard let first = samples.first, let last = samples.last, last.at > first.at, now - last.at <= Self.speedSpan
      else {
        return 0
      }
      return (last.moved - first.moved) / (last.at - first.at).inSeconds
    case .settling(let from, let page, let speed, let since):
      return Self.path(from, Double(page), speed, now - since).speed
    }
  }

  /// A cubic curve that leaves with a speed and arrives without one. It never goes beyond its end: a speed that would lead
  /// there is lowered.
  ///
  /// - Parameter speed: in pages a second.
  private static func path(
    _ start: Double, _ end: Double, _ speed: Double, _ time: Duration
  ) -> (position: Double, speed: Double) {
    let whole = settling.inSeconds
    let share = min(max(0, time.inSeconds / whole), 1)
    let way = end - start
    // The tangent at the start, in ways; more than 3 would swing over the end, and a negative one away from it.
    let tangent = way == 0 ? 0 : min(max(speed * whole / way, 0), 3)
    let (square, cube) = (share * share, share * share * share)
    let position = tangent * (cube - 2 * square + share) + 3 * square - 2 * cube
    let slope = tangent * (3 * square - 4 * share + 1) + 6 * share - 6 * square
    return (start + way * position, way * slope / whole)
  }

  /// A position under a finger, held back beyond the first and the last page.
  private func held(_ position: Double) -> Double {
    let last = Double(pages - 1)
    if position < 0 { return position * Self.edgeShare }
    return position > last ? last + (position - last) * Self.edgeShare : position
  }
}

/// The refresh rates that a screen has at the size that it shows, all in thousandths of a hertz.
public struct ScreenRefresh: Hashable, Sendable {
  /// Those of modes with whole frames; interlaced ones are not among them. In any order.
  public var rates: [Int]
  /// What the screen itself likes best at this size.
  public var preferred: Int
  public var current: Int

  public init(rates: [Int], preferred: Int, current: Int) {
    self.rates = rates
    self.preferred = preferred
    self.current = current
  }
}

/// What an item wants of the refresh rate.
public enum RefreshWish: Hashable, Sendable {
  /// A picture, or sound alone: every rate serves.
  case none
  /// A film whose frames come at no rate that is known, or at none that stays.
  case unknown
  /// A film of that many frames in a second.
  case frames(perSecond: Double)

  /// - Parameter interval: from one frame to the next; nil where it isn't known.
  public init(hasVideo: Bool, isPicture: Bool, interval: Duration?) {
    guard hasVideo, !isPicture else {
      self = .none
      return
    }
    let seconds = interval?.inSeconds ?? 0
    self = seconds > 0 ? .frames(perSecond: 1 / seconds) : .unknown
  }
}

/// What is known of one item of a list.
public struct RefreshItem: Hashable, Sendable {
  /// Nil until the item was opened once.
  public var wish: RefreshWish?
  /// How long it plays; nil where it has no end that is known, as a live stream.
  public var duration: Duration?

  public init(wish: RefreshWish? = nil, duration: Duration? = nil) {
    self.wish = wish
    self.duration = duration
  }
}

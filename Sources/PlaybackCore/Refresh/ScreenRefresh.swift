/// A screen's refresh rates at its present size, all in thousandths of a hertz.
public struct ScreenRefresh: Hashable, Sendable {
  /// Rates of progressive modes, in any order; interlaced modes are left out.
  public var rates: [Int]
  /// The screen's own preferred rate at this size.
  public var preferred: Int
  public var current: Int

  public init(rates: [Int], preferred: Int, current: Int) {
    self.rates = rates
    self.preferred = preferred
    self.current = current
  }
}

/// An item's requirement on the refresh rate.
public enum RefreshWish: Hashable, Sendable {
  /// A picture or sound only: every rate serves.
  case none
  /// A film of unknown or varying frame rate.
  case unknown
  /// A film of this frame rate.
  case frames(perSecond: Double)

  /// - Parameter interval: duration of a frame; nil where unknown.
  public init(hasVideo: Bool, isPicture: Bool, interval: Duration?) {
    guard hasVideo, !isPicture else {
      self = .none
      return
    }
    let seconds = interval?.inSeconds ?? 0
    self = seconds > 0 ? .frames(perSecond: 1 / seconds) : .unknown
  }
}

/// The facts about one item of a list that the choice needs.
public struct RefreshItem: Hashable, Sendable {
  /// Nil until the item was opened once.
  public var wish: RefreshWish?
  /// The item's duration; nil without a known end, as for a live stream.
  public var duration: Duration?

  public init(wish: RefreshWish? = nil, duration: Duration? = nil) {
    self.wish = wish
    self.duration = duration
  }
}

/// Which refresh rate an item gets under `mode = "match"`; see docs/decisions/0076-refresh-rate.md.
///
/// A screen is dark for a second or two while it changes its mode, so a change has to be worth it:
/// - A rate that fits shows each frame for the same number of refreshes: it is the film's, or a multiple of it. One that is
///   off by a thousandth (60 for 59.94) fits only where no other does.
/// - As long as the current rate fits, nothing changes.
/// - Among rates that fit, the one that fits most of the other items is taken, so that a list comes to rest; then the one
///   nearest to what the screen prefers.
/// - A change has to hold: for so long no other one may be due. What isn't known yet of the list counts as another rate.
/// - That doesn't count where nothing is on the screen yet, and where the current rate would leave frames out.
public enum RefreshChoice {
  /// How well a refresh rate fits a film.
  public enum Fit: String, Hashable, Sendable {
    /// Each frame is shown for the same number of refreshes, for minutes.
    case exact
    /// So it is, but for one frame now and then.
    case near
    /// Some frames are shown for longer than others, all the time.
    case none
  }

  /// Clocks of modes are whole kilohertz and rates here thousandths of a hertz: together they are off by less than
  /// 50 millionths. The rates of NTSC differ from the whole ones by 1000.
  static let exactError = 0.000_2
  /// A frame that is shown once more each 7 s at 30 frames in a second: hard to see, unlike three in five. Wide enough for the
  /// rates of panels that are called 60 Hz and are 59.8.
  static let nearError = 0.005
  /// At this rate and above nothing of a usual film is left out, and what doesn't fit is shown with the least judder. The
  /// lowest rate for people's eyes and hands, too: screens go down to 24, where a bar that is dragged lags.
  static let calmMillihertz = 48_000

  public static func fit(_ millihertz: Int, framesPerSecond: Double) -> Fit {
    guard framesPerSecond > 0, framesPerSecond.isFinite else { return .none }
    let ratio = Double(millihertz) / 1000 / framesPerSecond
    let count = ratio.rounded()
    guard count >= 1, count.isFinite else { return .none }
    let error = abs(ratio - count) / count
    return error <= exactError ? .exact : error <= nearError ? .near : .none
  }

  /// - Parameters:
  ///   - items: the one that is about to begin, then those after it; all of a list that repeats itself, once.
  ///   - repeats: whether the first item follows the last.
  ///   - isShuffled: whether the items after the first come in another order than this.
  ///   - hold: for how long a new rate has to hold.
  ///   - isFree: whether nothing is on the screen that a change could disturb.
  /// - Returns: the rate to change to, in thousandths of a hertz; nil to stay.
  public static func choose(
    for items: [RefreshItem], repeats: Bool, isShuffled: Bool = false, on screen: ScreenRefresh, hold: Duration,
    isFree: Bool
  ) -> Int? {
    guard let wish = items.first?.wish, !screen.serves(wish, at: screen.current) else { return nil }
    let candidates = screen.rates.filter { screen.serves(wish, at: $0) }
    let best = candidates.max { screen.rank($0, items) < screen.rank($1, items) }
    guard let best else { return nil }
    if isFree || losesFrames(wish, at: screen.current) { return best }
    guard let held = screen.holds(best, isShuffled ? screen.worst(best, items) : items, repeats) else { return best }
    return held >= hold ? best : nil
  }

  private static func losesFrames(_ wish: RefreshWish, at millihertz: Int) -> Bool {
    switch wish {
    case .none: false
    case .unknown: millihertz < calmMillihertz
    // A thousandth below is 59.94 for 60: one frame in 17 s.
    case .frames(let rate): Double(millihertz) / 1000 < rate * (1 - nearError)
    }
  }
}

extension ScreenRefresh {
  /// The rates that would do, of which the best kind that there is.
  private func bestFit(_ framesPerSecond: Double) -> RefreshChoice.Fit {
    let fits = rates.map { RefreshChoice.fit($0, framesPerSecond: framesPerSecond) }
    return fits.contains(.exact) ? .exact : fits.contains(.near) ? .near : .none
  }

  /// Whether no other rate of the screen serves better.
  func serves(_ wish: RefreshWish, at millihertz: Int) -> Bool {
    switch wish {
    case .none: return true
    case .unknown: return millihertz >= min(RefreshChoice.calmMillihertz, preferred)
    case .frames(let rate):
      let best = bestFit(rate)
      guard best == .none else { return RefreshChoice.fit(millihertz, framesPerSecond: rate) == best }
      return serves(.unknown, at: millihertz)
    }
  }

  /// More is better: how many items are served, then how near it is to what the screen prefers, then the faster one.
  fileprivate func rank(_ millihertz: Int, _ items: [RefreshItem]) -> (Int, Int, Int) {
    let served = items.count { item in item.wish.map { serves($0, at: millihertz) } ?? false }
    return (served, -abs(millihertz - preferred), millihertz)
  }

  /// The items in the order in which what isn't served comes as soon as it can.
  fileprivate func worst(_ millihertz: Int, _ items: [RefreshItem]) -> [RefreshItem] {
    let isServed = { (item: RefreshItem) in item.wish.map { serves($0, at: millihertz) } ?? false }
    let others = items.dropFirst()
    return items.prefix(1) + others.filter { !isServed($0) } + others.filter(isServed)
  }

  /// For how long it serves what comes; nil for ever.
  fileprivate func holds(_ millihertz: Int, _ items: [RefreshItem], _ repeats: Bool) -> Duration? {
    var total = Duration.zero
    for item in items {
      guard let wish = item.wish, serves(wish, at: millihertz) else { return total }
      guard let duration = item.duration else { return nil }
      total += duration
    }
    return repeats ? nil : total
  }
}

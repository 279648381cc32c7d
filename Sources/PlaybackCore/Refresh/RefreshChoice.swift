/// Chooses an item's refresh rate under `mode = "match"`; see docs/decisions/0076-refresh-rate.md.
///
/// A screen is dark for a second or two while it changes its mode, so a change has to be worth it:
/// - A rate that fits shows each frame for the same number of refreshes: it is the film's rate, or a multiple of it. A
///   rate that is off by a thousandth (60 for 59.94) fits only where no exact one exists.
/// - As long as the current rate fits, nothing changes.
/// - Among rates that fit, the one that fits most of the other items is taken, so that a list settles on it; then the
///   one nearest to the screen's preferred rate.
/// - A change must not be followed by another within `hold`. An item that hasn't been opened yet counts as needing
///   another rate.
/// - That limit doesn't apply where the screen is still empty, and where the current rate would drop frames.
public enum RefreshChoice {
  /// How well a refresh rate fits a film.
  public enum Fit: String, Hashable, Sendable {
    /// Each frame is shown for the same number of refreshes, over minutes.
    case exact
    /// As `exact`, except for one frame now and then.
    case near
    /// Some frames are always shown for longer than others.
    case none
  }

  /// Tolerance of an exact fit. Clocks of modes are whole kilohertz, and rates here are thousandths of a hertz:
  /// together they are off by less than 50 millionths. The rates of NTSC differ from the whole ones by 1000.
  static let exactError = 0.000_2
  /// Tolerance of a near fit: at 30 frames a second, one frame is repeated each 7 s, which is hard to see, unlike three
  /// in five. Wide enough for panels that are called 60 Hz and run at 59.8.
  static let nearError = 0.005
  /// The lowest rate that drops no frame of a usual film and shows other films with the least judder. Input needs it
  /// too: screens go down to 24 Hz, where a dragged bar lags.
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
  ///   - items: the item that is about to begin, then those after it; for a list that repeats, each item once.
  ///   - repeats: whether the first item follows the last.
  ///   - isShuffled: whether the items after the first come in another order than this.
  ///   - hold: the least time that a new rate has to be kept for.
  ///   - isFree: whether the screen shows nothing that a change could disturb.
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
    // A thousandth less than the film's rate, such as 59.94 for 60, drops one frame in 17 s.
    case .frames(let rate): Double(millihertz) / 1000 < rate * (1 - nearError)
    }
  }
}

extension ScreenRefresh {
  /// The best kind of fit that any rate of the screen has for this film.
  private func bestFit(_ framesPerSecond: Double) -> RefreshChoice.Fit {
    let fits = rates.map { RefreshChoice.fit($0, framesPerSecond: framesPerSecond) }
    return fits.contains(.exact) ? .exact : fits.contains(.near) ? .near : .none
  }

  /// Whether no other rate of the screen serves the item better.
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

  /// Ranks a rate; more is better: the number of items served, then the nearness to the screen's preferred rate, then
  /// speed.
  fileprivate func rank(_ millihertz: Int, _ items: [RefreshItem]) -> (Int, Int, Int) {
    let served = items.count { item in item.wish.map { serves($0, at: millihertz) } ?? false }
    return (served, -abs(millihertz - preferred), millihertz)
  }

  /// The items in the worst order for this rate: those that it doesn't serve come as early as they can.
  fileprivate func worst(_ millihertz: Int, _ items: [RefreshItem]) -> [RefreshItem] {
    let isServed = { (item: RefreshItem) in item.wish.map { serves($0, at: millihertz) } ?? false }
    let others = items.dropFirst()
    return items.prefix(1) + others.filter { !isServed($0) } + others.filter(isServed)
  }

  /// How long the rate serves the coming items; nil for ever.
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

/// Follows a list and says which refresh rate the screen is to have when its next item begins.
///
/// A value: whoever owns the screen tells it what happens and looks at `wanted`.
public struct RefreshMatcher: Hashable, Sendable {
  /// Televisions are dark for one to two seconds while they change their mode. Once in a minute or less that is at most a
  /// thirtieth of the time.
  public static let usualHold: Duration = .seconds(60)

  /// For how long a new rate has to hold; see `RefreshChoice`.
  public var hold: Duration
  /// The rate to change to before the next item begins, in thousandths of a hertz; nil to stay.
  public private(set) var wanted: Int?
  /// What was changed to last: a screen that goes away because of the change is opened at this rate again.
  public private(set) var matched: Int?

  private var known: [ItemID: RefreshItem] = [:]
  /// Rates that the screen lists and its driver doesn't set.
  private var refused: Set<Int> = []
  /// Nothing was shown since the screen was opened.
  private var isFree = true
  private var started: ItemID?

  public init(hold: Duration = usualHold) { self.hold = hold }

  /// A screen was opened, perhaps another one.
  public mutating func screenOpened() {
    wanted = nil
    refused = []
    isFree = true
  }

  /// The item's first frame is on its way.
  public mutating func itemStarted(_ item: ItemID) {
    wanted = nil
    isFree = false
    started = item
  }

  /// Another item than was thought is to begin, or the same one anew: what was wanted for the one before is void.
  public mutating func itemPreparing() { wanted = nil }

  /// An item was opened and is about to begin.
  ///
  /// - Parameters:
  ///   - isCurrent: whether it takes the current item's place at once, and not when that one is over.
  ///   - screen: nil where the rate isn't ours to choose.
  public mutating func itemReady(
    _ item: ItemID, _ facts: RefreshItem, isCurrent: Bool, in queue: PlayQueue, on screen: ScreenRefresh?
  ) {
    let listed = Set(queue.entries.map(\.id))
    known = known.filter { listed.contains($0.key) }
    known[item] = facts
    wanted = nil
    // An item whose server was lost for a moment goes on as it was.
    guard var screen, isFree || !isCurrent || item != started else { return }
    screen.rates.removeAll { refused.contains($0) && $0 != screen.current }
    wanted = RefreshChoice.choose(
      for: upcoming(from: item, in: queue), repeats: queue.repeatMode != .none, isShuffled: queue.shuffle != nil,
      on: screen, hold: hold, isFree: isFree)
  }

  /// The screen has the rate that was wanted, or its driver doesn't set it.
  public mutating func rateChanged(isDone: Bool) {
    if let wanted {
      if isDone { matched = wanted } else { refused.insert(wanted) }
    }
    wanted = nil
  }

  /// The item and those after it.
  private func upcoming(from item: ItemID, in queue: PlayQueue) -> [RefreshItem] {
    let own = known[item] ?? RefreshItem()
    guard queue.repeatMode != .one, let index = queue.index(of: item) else { return [own] }
    let after = queue.entries[(index + 1)...]
    let before = queue.repeatMode == .all || queue.shuffle != nil ? queue.entries[..<index] : []
    return [own] + (after + before).map { known[$0.id] ?? RefreshItem() }
  }
}

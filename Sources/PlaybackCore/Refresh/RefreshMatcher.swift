/// Follows a list and decides which refresh rate the screen needs when the next item begins.
///
/// A value: the screen's owner reports events to it and reads `wanted`.
public struct RefreshMatcher: Hashable, Sendable {
  /// Default of `hold`. Televisions are dark for one to two seconds while they change their mode; once a minute that is
  /// at most a thirtieth of the time.
  public static let usualHold: Duration = .seconds(60)

  /// The least time that a new rate has to be kept for; see `RefreshChoice`.
  public var hold: Duration
  /// The rate to change to before the next item begins, in thousandths of a hertz; nil to stay.
  public private(set) var wanted: Int?
  /// The rate that was set last: a screen that is lost because of the change is opened at this rate again.
  public private(set) var matched: Int?

  private var known: [ItemID: RefreshItem] = [:]
  /// Rates that the screen lists but its driver fails to set.
  private var refused: Set<Int> = []
  /// Whether the screen has shown nothing since it was opened.
  private var isFree = true
  private var started: ItemID?

  public init(hold: Duration = usualHold) { self.hold = hold }

  /// Resets the choice for a newly opened screen.
  public mutating func screenOpened() {
    wanted = nil
    refused = []
    isFree = true
  }

  /// Notes that the item's first frame is on its way.
  public mutating func itemStarted(_ item: ItemID) {
    wanted = nil
    isFree = false
    started = item
  }

  /// Drops the wanted rate: another item than expected begins, or the same one begins again.
  public mutating func itemPreparing() { wanted = nil }

  /// Chooses the rate for an item that was opened and is about to begin.
  ///
  /// - Parameters:
  ///   - isCurrent: whether it replaces the current item at once, rather than when that one is over.
  ///   - screen: nil where the player can't set the rate.
  public mutating func itemReady(
    _ item: ItemID, _ facts: RefreshItem, isCurrent: Bool, in queue: PlayQueue, on screen: ScreenRefresh?
  ) {
    let listed = Set(queue.entries.map(\.id))
    known = known.filter { listed.contains($0.key) }
    known[item] = facts
    wanted = nil
    // An item that goes on after its server was lost for a moment keeps its rate.
    guard var screen, isFree || !isCurrent || item != started else { return }
    screen.rates.removeAll { refused.contains($0) && $0 != screen.current }
    wanted = RefreshChoice.choose(
      for: upcoming(from: item, in: queue), repeats: queue.repeatMode != .none, isShuffled: queue.shuffle != nil,
      on: screen, hold: hold, isFree: isFree)
  }

  /// Notes that the screen has the wanted rate, or that its driver failed to set it.
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

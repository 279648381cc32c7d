/// The plays between two times, with sums for each item.
public struct PlaySums: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var uri: String
    public var title: String
    /// How many times it was visible; a play that never showed a frame doesn't count.
    public var plays = 0
    public var seconds = 0.0
    public var frames = 0
    public var dropped = 0
    /// How many times it failed.
    public var failures = 0
    /// Plays whose date may be wrong, because the clock wasn't synchronised.
    public var unsynchronised = 0
  }

  public private(set) var entries: [PlayEntry] = []
  /// The items, sorted by their addresses.
  public var items: [Item] { sums.values.sorted { ($0.uri, $0.title) < ($1.uri, $1.title) } }
  private var sums: [String: Item] = [:]
  private let period: PlayPeriod
  private let keepsEntries: Bool

  /// - Parameters:
  ///   - period: the plays that count began in it.
  ///   - keepsEntries: whether to keep `entries` too; a year of them is large.
  public init(_ period: PlayPeriod = PlayPeriod(), keepsEntries: Bool = true) {
    (self.period, self.keepsEntries) = (period, keepsEntries)
  }

  public func takes(_ entry: PlayEntry) -> Bool { period.contains(entry.start) }

  public mutating func add(_ entry: PlayEntry) {
    guard takes(entry) else { return }
    if keepsEntries { entries.append(entry) }
    var item = sums[entry.item.uri] ?? Item(uri: entry.item.uri, title: entry.item.title)
    if !entry.item.title.isEmpty { item.title = entry.item.title }
    // A run that died has no frame counts, but its plays were visible.
    let wasSeen = entry.frames.map { $0 > 0 } ?? true || entry.seconds > 0
    if wasSeen { item.plays += 1 }
    if entry.ending == .failed { item.failures += entry.tries }
    item.seconds += entry.seconds
    item.frames += entry.frames ?? 0
    item.dropped += entry.dropped ?? 0
    if wasSeen, !entry.isClockGood { item.unsynchronised += 1 }
    sums[entry.item.uri] = item
  }
}

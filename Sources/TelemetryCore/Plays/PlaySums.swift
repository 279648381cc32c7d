/// What was played between two times: the plays, and what they come to.
public struct PlaySums: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var uri: String
    public var title: String
    /// How often it was to be seen: what never showed a frame isn't one.
    public var plays = 0
    public var seconds = 0.0
    public var frames = 0
    public var dropped = 0
    /// How often it failed.
    public var failures = 0
    /// Plays of which nobody knows whether the date is right.
    public var unsynchronised = 0
  }

  public private(set) var entries: [PlayEntry] = []
  /// In the order of their addresses.
  public var items: [Item] { sums.values.sorted { ($0.uri, $0.title) < ($1.uri, $1.title) } }
  private var sums: [String: Item] = [:]
  private let (since, until): (Int64?, Int64?)
  private let keepsEntries: Bool

  /// - Parameters:
  ///   - since: plays that began then or later, in milliseconds since 1970.
  ///   - until: plays that began before then.
  ///   - keepsEntries: whether `entries` has them; a year of them is much.
  public init(since: Int64? = nil, until: Int64? = nil, keepsEntries: Bool = true) {
    (self.since, self.until, self.keepsEntries) = (since, until, keepsEntries)
  }

  public func takes(_ entry: PlayEntry) -> Bool {
    (since.map { entry.start >= $0 } ?? true) && (until.map { entry.start < $0 } ?? true)
  }

  public mutating func add(_ entry: PlayEntry) {
    guard takes(entry) else { return }
    if keepsEntries { entries.append(entry) }
    var item = sums[entry.item.uri] ?? Item(uri: entry.item.uri, title: entry.item.title)
    if !entry.item.title.isEmpty { item.title = entry.item.title }
    // Who died has counted nothing, and has shown it all the same.
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

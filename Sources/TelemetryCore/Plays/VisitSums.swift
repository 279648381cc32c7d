/// The time from a visitor's first touch to the loop, as the log of plays has it.
public struct Visit: Hashable, Sendable {
  public var screen: String?
  /// Milliseconds since 1970, UTC: the first frame of the first item, and the moment after the last frame.
  public var start: Int64
  public var end: Int64
  /// What was played, in this order.
  public var plays: [PlayEntry]

  public var seconds: Double { Double(max(0, end - start)) / 1000 }
  /// What the visitor had chosen at the end; nil if nobody touched it.
  public var captions: String? { plays.last?.item.visit?.captions }
  public var language: String? { plays.last?.item.visit?.language }
  public var hadCaptions: Bool { captions != nil && captions != "off" }
  public var isClockGood: Bool { plays.allSatisfy(\.isClockGood) }
}

/// The visits that began between two times, with sums for each item. A visit is the plays in a row that have its
/// number; what plays between two visits on a screen has none.
public struct VisitSums: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var uri: String
    public var title: String
    /// How many times visitors played it, and how many times to its end.
    public var plays = 0
    public var ended = 0
    public var seconds = 0.0
  }

  public private(set) var visits: [Visit] = []
  private let (since, until): (Int64?, Int64?)
  /// For each screen the place of the visit that may go on; "" stands for a screen without a name.
  private var open: [String: Int] = [:]

  /// - Parameters:
  ///   - since: visits that began then or later, in milliseconds since 1970.
  ///   - until: visits that began before then.
  public init(since: Int64? = nil, until: Int64? = nil) { (self.since, self.until) = (since, until) }

  /// Takes the next line of the log, whatever its time: a visit may have begun before `since`.
  public mutating func add(_ entry: PlayEntry) {
    // An alert covers what is played, and is no item of a visit.
    guard !entry.item.isAlert else { return }
    let screen = entry.item.screen ?? ""
    guard let visit = entry.item.visit else {
      open[screen] = nil
      return
    }
    if let place = open[screen], visits[place].plays.first?.item.visit?.number == visit.number {
      visits[place].end = max(visits[place].end, entry.end)
      visits[place].plays.append(entry)
    } else {
      open[screen] = visits.count
      visits.append(Visit(screen: entry.item.screen, start: entry.start, end: entry.end, plays: [entry]))
    }
  }

  /// Those between the two times.
  public var counted: [Visit] {
    visits.filter { visit in (since.map { visit.start >= $0 } ?? true) && (until.map { visit.start < $0 } ?? true) }
  }

  /// The items of these visits, those first that were played most.
  public static func items(of visits: [Visit]) -> [Item] {
    var sums: [String: Item] = [:]
    for play in visits.lazy.flatMap(\.plays) {
      var item = sums[play.item.uri] ?? Item(uri: play.item.uri, title: play.item.title)
      if !play.item.title.isEmpty { item.title = play.item.title }
      item.plays += 1
      if play.ending == .end { item.ended += 1 }
      item.seconds += play.seconds
      sums[play.item.uri] = item
    }
    return sums.values.sorted { ($1.plays, $0.uri) < ($0.plays, $1.uri) }
  }
}

/// The plays from a visitor's first touch until the loop comes back.
public struct Visit: Hashable, Sendable {
  public var screen: String?
  /// Milliseconds since 1970, UTC: the first frame of the first item, and the moment after the last frame.
  public var start: Int64
  public var end: Int64
  /// In the order in which the visitor saw them.
  public var plays: [PlayEntry]

  public var seconds: Double { Double(max(0, end - start)) / 1000 }
  /// The visitor's last choice; nil without one.
  public var captions: String? { plays.last?.item.visit?.captions }
  public var language: String? { plays.last?.item.visit?.language }
  public var hearsDescription: Bool { plays.last?.item.visit?.hearsDescription ?? false }
  public var isSigned: Bool { plays.last?.item.visit?.isSigned ?? false }
  public var hadCaptions: Bool { captions != nil && captions != "off" }
  public var isClockGood: Bool { plays.allSatisfy(\.isClockGood) }
}

/// The visits that began in a period, with sums for each item. A visit is the plays in a row that have its
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

  /// Also those that began outside of the period.
  private var all: [Visit] = []
  private let period: PlayPeriod
  /// For each screen the place of the visit that may go on; "" stands for a screen without a name.
  private var open: [String: Int] = [:]

  /// - Parameter period: the visits that count began in it.
  public init(_ period: PlayPeriod = PlayPeriod()) { self.period = period }

  /// Takes the next line of the log, whatever its time: a visit may have begun before the period.
  public mutating func add(_ entry: PlayEntry) {
    // An alert covers what is played, and is no item of a visit.
    guard !entry.item.isAlert else { return }
    let screen = entry.item.screen ?? ""
    guard let visit = entry.item.visit else {
      open[screen] = nil
      return
    }
    if let place = open[screen], all[place].plays.first?.item.visit?.number == visit.number {
      all[place].end = max(all[place].end, entry.end)
      all[place].plays.append(entry)
    } else {
      open[screen] = all.count
      all.append(Visit(screen: entry.item.screen, start: entry.start, end: entry.end, plays: [entry]))
    }
  }

  public var visits: [Visit] { all.filter { period.contains($0.start) } }

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

public import PlaybackCore

/// Decides when finished plays are written to disk. Pure: receives entries and the time.
///
/// At most one write a minute, and none without a finished play: each costs a card a block or two, however short it is.
public struct PlayLog: Sendable {
  /// From the first unwritten entry to the write that includes it.
  public static let interval: Duration = .seconds(60)
  /// Entries that are kept while writing fails, and as many again during a write: an hour of items of 4 s, some 300 kB.
  public static let limit = 1000

  public private(set) var pending: [PlayEntry] = []
  /// Entries that were dropped because they couldn't be written.
  public private(set) var lost = 0
  private var since: Instant?
  private var isWriting = false
  /// How many of `pending` are being written.
  private var taken = 0
  private var hasFailed = false

  public init() {}

  /// The time of the next write; nil without entries.
  public var due: Instant? { isWriting ? nil : since.map { $0 + Self.interval } }

  public mutating func add(_ entry: PlayEntry, at now: Instant) {
    if since == nil { since = now }
    if let last = pending.indices.last, last >= taken, pending[last].isRepeated(by: entry) {
      pending[last].tries += entry.tries
      pending[last].end = entry.end
      return
    }
    pending.append(entry)
    // Entries that are being written stay until the write has its answer.
    if pending.count - taken > Self.limit {
      pending.remove(at: taken)
      lost += 1
    }
  }

  /// The entries to write now; empty if no write is due. The answer is `wrote`.
  ///
  /// - Parameter isLast: whether the player is ending.
  public mutating func beginWrite(at now: Instant, isLast: Bool = false) -> [PlayEntry] {
    guard !isWriting, !pending.isEmpty, isLast || due.map({ now >= $0 }) == true else { return [] }
    isWriting = true
    taken = pending.count
    return pending
  }

  /// - Returns: whether this is the first failure after a success.
  @discardableResult
  public mutating func wrote(_ isDone: Bool, at now: Instant) -> Bool {
    isWriting = false
    let hadFailed = hasFailed
    hasFailed = !isDone
    if isDone { pending.removeFirst(min(taken, pending.count)) }
    taken = 0
    since = pending.isEmpty ? nil : now
    return !isDone && !hadFailed
  }
}

extension PlayEntry {
  /// Whether the entry repeats a failure: an item that can't be played is tried again and again, which takes only one
  /// line.
  func isRepeated(by other: PlayEntry) -> Bool {
    ending == .failed && other.ending == .failed && frames == 0 && other.frames == 0 && item == other.item
      && error == other.error && isClockGood == other.isClockGood
  }
}

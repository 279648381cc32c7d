public import PlaybackCore

/// When what has been played is written down. Pure: it is told of entries and of time.
///
/// One write a minute at most, and none while nothing has ended: each costs a card a block or two, whatever is in it.
public struct PlayLog: Sendable {
  /// From the first entry that isn't written to the write that has it.
  public static let interval: Duration = .seconds(60)
  /// So many are kept while they can't be written, and as many while they are: an hour of items of 4 s, some 300 kB.
  public static let limit = 1000

  public private(set) var pending: [PlayEntry] = []
  /// Entries that were given up because they couldn't be written.
  public private(set) var lost = 0
  private var since: Instant?
  private var isWriting = false
  /// Of `pending`, so many are being written.
  private var taken = 0
  private var hasFailed = false

  public init() {}

  /// When it is to be written; nil while there is nothing.
  public var due: Instant? { isWriting ? nil : since.map { $0 + Self.interval } }

  public mutating func add(_ entry: PlayEntry, at now: Instant) {
    if since == nil { since = now }
    if let last = pending.indices.last, last >= taken, pending[last].isRepeated(by: entry) {
      pending[last].tries += entry.tries
      pending[last].end = entry.end
      return
    }
    pending.append(entry)
    // What is being written stays until that has had its answer.
    if pending.count - taken > Self.limit {
      pending.remove(at: taken)
      lost += 1
    }
  }

  /// What is to be written now; empty where nothing is. The answer is `wrote`.
  ///
  /// - Parameter isLast: the player ends.
  public mutating func takeEntries(at now: Instant, isLast: Bool = false) -> [PlayEntry] {
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
  /// An item that can't be played is tried again and again: one line says so.
  func isRepeated(by other: PlayEntry) -> Bool {
    ending == .failed && other.ending == .failed && frames == 0 && other.frames == 0 && item == other.item
      && error == other.error && isClockGood == other.isClockGood
  }
}

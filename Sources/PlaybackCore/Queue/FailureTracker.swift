/// Which items of a queue have failed, and when each may be tried again.
///
/// A pass lasts until something plays well (or until the pause after a pass in which everything failed): within it no
/// item is tried twice, so a queue of broken items is never a busy loop. A mark outlives its pass, so that the item can
/// be shown as broken; it goes when the item plays.
///
/// Transitions: untried -> failed (`recordFailure`) -> untried but marked (`recordSuccess` of any item, `beginPass`) ->
/// untried (`recordSuccess` of the item itself) or failed again.
public struct FailureTracker: Hashable, Sendable {
  /// The failures of an item.
  public struct Mark: Hashable, Sendable {
    /// Error of the last failure.
    public var error: VitrineError
    /// Failures since the item last played.
    public var failures: Int
    /// The pass that it last failed in.
    var pass: UInt64
  }

  private var marks: [ItemID: Mark] = [:]
  private var pass: UInt64 = 0
  private var lastFailure = Instant(nanoseconds: 0)

  /// Pause once every item has failed; see `PlaybackPolicy.failedRoundPause`.
  public var pause: Duration

  public init(pause: Duration = PlaybackPolicy().failedRoundPause) { self.pause = pause }

  /// The mark of an item that failed the last time it was tried; nil for one that played or was never tried.
  public func mark(of id: ItemID) -> Mark? { marks[id] }

  /// Whether an item may be tried in this pass.
  public func shouldTry(_ id: ItemID) -> Bool { marks[id].map { $0.pass != pass } ?? true }

  /// Notes that an item has used up its recovery budget.
  public mutating func recordFailure(of id: ItemID, _ error: VitrineError, at now: Instant) {
    marks[id] = Mark(error: error, failures: (marks[id]?.failures ?? 0) + 1, pass: pass)
    lastFailure = now
  }

  /// Notes that an item has played well: it came to its end, or was shown for as long as its owner demands. The first
  /// frame isn't enough, or items that break off right after it would follow each other without a pause. Begins a new
  /// pass.
  public mutating func recordSuccess(of id: ItemID) {
    marks[id] = nil
    beginPass()
  }

  /// Begins a pass, in which every item may be tried again: the pause is over, or the user asks for it.
  public mutating func beginPass() { pass += 1 }

  /// Forgets items that are no longer listed.
  public mutating func forget(_ ids: some Sequence<ItemID>) {
    for id in ids { marks[id] = nil }
  }

  /// Whether every item has failed in this pass. False for an empty queue.
  public func allFailed(in queue: PlayQueue) -> Bool {
    !queue.isEmpty && queue.entries.allSatisfy { !shouldTry($0.id) }
  }

  /// When the next pass is due, if every item has failed in this one; then call `beginPass`. Nil while there is an item
  /// left to try.
  public func retryTime(for queue: PlayQueue) -> Instant? { allFailed(in: queue) ? lastFailure + pause : nil }

  /// The next item that may be tried. Items that may not are skipped, and have had their turn in this round of the
  /// queue.
  ///
  /// - Parameter isAutomatic: whether the item before it came to its end by itself; see `PlayQueue.automaticSuccessor`.
  /// - Returns: nil at the end of the queue, or if nothing may be tried.
  public func nextToTry(after id: ItemID?, isAutomatic: Bool, in queue: inout PlayQueue) -> ItemID? {
    guard !allFailed(in: queue) else { return nil }
    var candidate = isAutomatic ? queue.automaticSuccessor(of: id) : queue.nextOnRequest(after: id)
    // Twice the count: a shuffled round may have to end before a working item comes up in the next.
    for _ in 0...(2 * queue.count) {
      guard let found = candidate else { return nil }
      if shouldTry(found) { return found }
      queue.markPassed(found)
      candidate = queue.nextOnRequest(after: found)
    }
    return nil
  }
}

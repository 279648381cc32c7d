/// Which items of a queue have failed, and when each may be tried again.
///
/// A pass lasts until something plays well (or until the pause after a pass in which everything failed): within it no
/// item is tried twice, so a queue of broken items is never a busy loop. A mark outlives its pass, so that the item can
/// be shown as broken; it goes when the item plays.
///
/// Transitions: untried -> failed (`noteFailure`) -> untried but marked (`noteSuccess` of any item, `beginPass`) ->
/// untried (`noteSuccess` of the item itself) or failed again.
public struct FailureLedger: Hashable, Sendable {
  /// What is known of an item that has failed.
  public struct Mark: Hashable, Sendable {
    /// Why it failed the last time.
    public var error: VitrineError
    /// How often it has failed since it last played.
    public var failures: Int
    /// The pass that it last failed in.
    var pass: UInt64
  }

  private var marks: [ItemID: Mark] = [:]
  private var pass: UInt64 = 0
  private var lastFailure = Instant(nanoseconds: 0)

  /// How long to wait once every item has failed; see `PlaybackPolicy.failedRoundPause`.
  public var pause: Duration

  public init(pause: Duration = PlaybackPolicy().failedRoundPause) { self.pause = pause }

  /// The mark of an item that failed the last time it was tried; nil for one that played or was never tried.
  public func mark(of id: ItemID) -> Mark? { marks[id] }

  /// Whether an item may be tried in this pass.
  public func shouldTry(_ id: ItemID) -> Bool { marks[id].map { $0.pass != pass } ?? true }

  /// An item has used up its recovery budget.
  public mutating func noteFailure(of id: ItemID, _ error: VitrineError, at now: Instant) {
    marks[id] = Mark(error: error, failures: (marks[id]?.failures ?? 0) + 1, pass: pass)
    lastFailure = now
  }

  /// An item has played well: it came to its end, or it has shown for as long as its owner asks for. Not at its first
  /// frame, or items that break off right after it would follow each other without a pause. Begins a new pass.
  public mutating func noteSuccess(of id: ItemID) {
    marks[id] = nil
    beginPass()
  }

  /// Everything may be tried again: the pause is over, or the user asks for it.
  public mutating func beginPass() { pass += 1 }

  /// Drops what is known of items that are no longer listed.
  public mutating func forget(_ ids: some Sequence<ItemID>) {
    for id in ids { marks[id] = nil }
  }

  /// Whether every item has failed in this pass. False for an empty queue, which is no failure.
  public func allFailed(in queue: PlayQueue) -> Bool {
    !queue.isEmpty && queue.entries.allSatisfy { !shouldTry($0.id) }
  }

  /// When the next pass is due, if every item has failed in this one; then call `beginPass`. Nil while there is
  /// something left to try.
  public func retryTime(for queue: PlayQueue) -> Instant? { allFailed(in: queue) ? lastFailure + pause : nil }

  /// The next item that may be tried. Those that may not are passed over, and have had their turn in this round of the
  /// queue.
  ///
  /// - Parameter isAutomatic: whether the item before it came to its end by itself; see `PlayQueue.automaticSuccessor`.
  /// - Returns: nil at the end of the queue, or if nothing may be tried.
  public func nextToTry(after id: ItemID?, isAutomatic: Bool, in queue: inout PlayQueue) -> ItemID? {
    guard !allFailed(in: queue) else { return nil }
    var candidate = isAutomatic ? queue.automaticSuccessor(of: id) : queue.nextOnRequest(after: id)
    // Twice: a shuffled round may have to end before the one that works comes up in the next.
    for _ in 0...(2 * queue.count) {
      guard let found = candidate else { return nil }
      if shouldTry(found) { return found }
      queue.notePassed(found)
      candidate = queue.nextOnRequest(after: found)
    }
    return nil
  }
}

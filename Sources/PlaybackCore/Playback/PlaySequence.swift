/// The order of play: the queue, its failed items, and the place to begin.
struct PlaySequence: Sendable {
  var queue: PlayQueue
  /// The failed items, and when they may be tried again.
  var failures: FailureTracker
  var endAction = EndAction.advance
  /// The place where playback begins, or resumes after the output was lost; without an item, the queue's first one.
  var resumeAt: (item: ItemID?, position: Duration)
  /// Whether the queue has ended without leaving an item on which playback could go back.
  var endedWithoutItem = false

  /// Whether every item of the queue has failed since the last progress.
  var allFailed: Bool { failures.allFailed(in: queue) }

  /// The item with which playback begins; nil for an empty queue.
  var first: ItemID? { resumeAt.item.flatMap { queue.index(of: $0) == nil ? nil : $0 } ?? queue.first }

  func lists(_ item: ItemID) -> Bool { queue.index(of: item) != nil }

  /// Whether another item could be played instead.
  func hasAlternative(to item: ItemID) -> Bool {
    queue.entries.contains { $0.id != item && failures.shouldTry($0.id) }
  }

  /// The item that follows one that comes to its end. The end action decides; backwards nothing follows.
  mutating func following(_ item: ItemID, rate: Double) -> ItemID? {
    guard rate > 0 else { return nil }
    switch endAction {
    case .advance: return failures.nextToTry(after: item, isAutomatic: true, in: &queue)
    case .loopItem: return item
    case .pause, .stop: return nil
    }
  }

  /// The item that replaces one that has failed; nil at the end of the queue.
  mutating func successor(of item: ItemID) -> ItemID? {
    failures.nextToTry(after: item, isAutomatic: false, in: &queue)
  }

  /// The item that replaces one that is skipped; nil without one.
  mutating func pass(_ item: ItemID) -> ItemID? {
    queue.markPassed(item)
    var candidate = queue.nextOnRequest(after: item)
    // Twice the count, as with failures: a shuffled round may have to end first.
    for _ in 0...(2 * queue.count) {
      guard let found = candidate, found == item || !failures.shouldTry(found) else { break }
      queue.markPassed(found)
      candidate = queue.nextOnRequest(after: found)
    }
    return candidate == item ? nil : candidate
  }

  /// The next item that is on this machine and may be tried, and the queue after the items between have had their turn.
  func itemAtHand(after item: ItemID, where isAtHand: (MediaItem) -> Bool) -> (ItemID, PlayQueue)? {
    func isCandidate(_ entry: PlayQueue.Entry) -> Bool { isAtHand(entry.item) && failures.shouldTry(entry.id) }
    guard queue.entries.contains(where: { $0.id != item && isCandidate($0) }) else { return nil }
    var passed = queue
    passed.markPassed(item)
    if queue.shuffle == nil {
      guard let place = queue.index(of: item) else { return nil }
      let behind = queue.entries[(place + 1)...]
      let before = queue.repeatMode == .none ? [] : queue.entries[..<place]
      return (behind.first(where: isCandidate) ?? before.first(where: isCandidate)).map { ($0.id, passed) }
    }
    // Twice the count: a round may have to end before the local item comes up in the next.
    var candidate = passed.nextOnRequest(after: item)
    for _ in 0...(2 * queue.count) {
      guard let found = candidate, let entry = queue.entry(found) else { return nil }
      if found != item, isCandidate(entry) { return (found, passed) }
      passed.markPassed(found)
      candidate = passed.nextOnRequest(after: found)
    }
    return nil
  }

  // MARK: Edits

  /// Replaces the list. False where the list stays the same.
  mutating func replaceAll(_ items: [MediaItem]) -> Bool {
    guard !queue.lists(items) else { return false }
    failures.forget(queue.replaceAll(items).removed)
    failures.beginPass()
    return true
  }

  mutating func adopt(_ edited: PlayQueue) {
    let listed = Set(edited.entries.map(\.id))
    failures.forget(queue.entries.map(\.id).filter { !listed.contains($0) })
    queue = edited
  }

  /// Sets where playback begins after an edit while there is no deck.
  mutating func beginAnew() {
    endedWithoutItem = false
    resumeAt = (resumeAt.item, resumeAt.item.map(lists) == true ? resumeAt.position : .zero)
  }
}

extension PlaybackMachine {
  public var queue: PlayQueue { sequence.queue }
  /// The failed items, and when they may be tried again.
  public var failures: FailureTracker { sequence.failures }
  public var endAction: EndAction { sequence.endAction }
}

// The items after and before the current one.

extension PlayQueue {
  /// Started items that `goBack` remembers: more than a viewer steps back, few enough to keep for years.
  public static let maximumHistory = 256

  /// The item that was started last, whether or not it is still listed; nil before the first.
  public var current: ItemID? { orphan?.id ?? history.last }

  /// The item to start with: the first of the list, or of the shuffled round; nil for an empty queue.
  public var first: ItemID? {
    guard let shuffle else { return entries.first?.id }
    return round.next(among: entries, seed: shuffle, after: nil, playing: current, wraps: true)
  }

  /// The item that follows one that ended by itself: the same one under `RepeatMode.one`, else the next one.
  ///
  /// - Parameter id: nil, or an entry that the queue doesn't know, gives `first`.
  /// - Returns: nil at the end of a queue that isn't repeated, or of an empty one.
  public func automaticSuccessor(of id: ItemID?) -> ItemID? {
    if repeatMode == .one, let id, index(of: id) != nil { return id }
    return nextOnRequest(after: id)
  }

  /// The item that follows when the next one is asked for, or when one fails. Under `RepeatMode.one` it differs from
  /// the current one, and the first follows the last.
  ///
  /// While shuffling, each item has one turn in a round, and the first of a round isn't the last of the one before.
  /// After `goBack`, the items that were gone back over come first again.
  ///
  /// - Parameter id: nil, or an entry that the queue doesn't know, gives `first`.
  /// - Returns: nil at the end of a queue that isn't repeated, or of an empty one.
  public func nextOnRequest(after id: ItemID?) -> ItemID? {
    guard let id else { return first }
    let wraps = repeatMode != .none
    if let shuffle {
      if let again = ahead.last(where: { $0 != id }) { return again }
      return round.next(among: entries, seed: shuffle, after: id, playing: current, wraps: wraps)
    }
    let next: Int
    if let index = index(of: id) {
      next = index + 1
    } else if let orphan, orphan.id == id {
      next = orphan.after.flatMap { index(of: $0) }.map { $0 + 1 } ?? 0
    } else {
      return first
    }
    if next < count { return entries[next].id }
    return wraps ? entries.first?.id : nil
  }

  /// The entry before another one in the list; before the first comes the last, if the queue is repeated.
  ///
  /// - Returns: nil for an entry that isn't listed, and for the first of a queue that isn't repeated.
  public func predecessor(of id: ItemID) -> ItemID? {
    guard let index = index(of: id) else { return nil }
    if index > 0 { return entries[index - 1].id }
    return repeatMode == .none ? nil : entries.last?.id
  }

  /// Notes that an entry is the current one now. An entry that isn't listed changes nothing.
  public mutating func markStarted(_ id: ItemID) {
    guard index(of: id) != nil, id != current else { return }
    orphan = nil
    recordTurn(id, keepsAhead: false)
    if history.last != id { history.append(id) }
    if history.count > Self.maximumHistory { history.removeFirst() }
  }

  /// Notes that an entry has had its turn without being started, because it failed: it isn't offered again before the
  /// next round, and `goBack` doesn't lead to it. The current entry has had its turn already; passing it changes
  /// nothing.
  public mutating func markPassed(_ id: ItemID) {
    guard index(of: id) != nil, id != current else { return }
    recordTurn(id, keepsAhead: true)
  }

  /// Goes back to the item that was played before the current one, and makes it the current one. With nothing played
  /// before, it is the predecessor in the list; none while shuffling.
  ///
  /// - Returns: the item to start; nil, with nothing changed, if there is nothing to go back to.
  public mutating func goBack() -> ItemID? {
    if let orphan {
      // The history ends with the item played before the removed one.
      guard let target = history.last ?? (shuffle == nil ? orphan.after : nil) else { return nil }
      self.orphan = nil
      if history.isEmpty { history = [target] }
      return target
    }
    guard let current = history.last else { return nil }
    if history.count == 1 {
      guard shuffle == nil, let target = predecessor(of: current), target != current else { return nil }
      history = [target]
    } else {
      history.removeLast()
    }
    ahead.append(current)
    if ahead.count > Self.maximumHistory { ahead.removeFirst() }
    return history.last
  }

  private mutating func recordTurn(_ id: ItemID, keepsAhead: Bool) {
    if ahead.last == id {
      // The entry had its turn when it was played for the first time.
      ahead.removeLast()
      round.played.insert(id)
      return
    }
    if !keepsAhead { ahead = [] }
    if shuffle != nil { round.markPlayed(id, among: entries) }
  }
}

// What comes next, what came before.

extension PlayQueue {
  /// How many started items `goBack` remembers: more than a visitor steps back, little enough to keep for years.
  public static let maximumHistory = 256

  /// What was started last, whether or not it is still listed; nil before the first.
  public var current: ItemID? { orphan?.id ?? history.last }

  /// What to start with: the first of the list, or of the shuffled round; nil for an empty queue.
  public var first: ItemID? {
    guard let shuffle else { return entries.first?.id }
    return round.next(among: entries, seed: shuffle, after: nil, playing: current, wraps: true)
  }

  /// What follows when an item comes to its end by itself: the same one under `RepeatMode.one`, else the next one.
  ///
  /// - Parameter id: nil, or an entry that the queue doesn't know, gives `first`.
  /// - Returns: nil at the end of a queue that isn't repeated, or of an empty one.
  public func automaticSuccessor(of id: ItemID?) -> ItemID? {
    if repeatMode == .one, let id, index(of: id) != nil { return id }
    return nextOnRequest(after: id)
  }

  /// What follows when the next item is asked for, or when one fails. Under `RepeatMode.one` it is another item, and the
  /// last is followed by the first.
  ///
  /// While shuffling, each item has one turn in a round, and the first of a round isn't the last of the one before. After
  /// `goBack`, what was gone back over comes again first.
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

  /// Tells the queue that an entry is the current one now. An entry that isn't listed changes nothing.
  public mutating func noteStarted(_ id: ItemID) {
    guard index(of: id) != nil, id != current else { return }
    orphan = nil
    takeTurn(id, keepsAhead: false)
    if history.last != id { history.append(id) }
    if history.count > Self.maximumHistory { history.removeFirst() }
  }

  /// Tells the queue that an entry has had its turn without being started, because it failed: it isn't offered again
  /// before the next round, and `goBack` doesn't lead to it. The current one has had its turn already; passing it changes nothing.
  public mutating func notePassed(_ id: ItemID) {
    guard index(of: id) != nil, id != current else { return }
    takeTurn(id, keepsAhead: true)
  }

  /// Goes back to what was played before the current item, and makes that the current one. With nothing played before, it
  /// is the predecessor in the list; none while shuffling.
  ///
  /// - Returns: what to start, or nil with nothing changed if there is nothing to go back to.
  public mutating func goBack() -> ItemID? {
    if let orphan {
      // What history ends with was played before the removed one.
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

  private mutating func takeTurn(_ id: ItemID, keepsAhead: Bool) {
    if ahead.last == id {
      // It had its turn when it was played for the first time.
      ahead.removeLast()
      round.played.insert(id)
      return
    }
    if !keepsAhead { ahead = [] }
    if shuffle != nil { round.takeItem(id, among: entries) }
  }
}

public import PlaybackCore

// Edits of the queue, at any time: the item shown goes on unless it was removed, and the next deck is rebuilt only
// where another item follows now. All of them run on the loop.

extension Player {
  /// The present queue.
  public var queue: PlayQueue {
    engine?.machine.queue ?? lastQueue
      ?? PlayQueue(configuration.items, repeatMode: configuration.loops ? .all : .none)
  }

  /// The items of the queue, in the order of the list.
  public var items: [MediaItem] { queue.entries.map(\.item) }

  /// Leaves the item shown for the next one. After the last item of a queue that isn't repeated, the queue is at its
  /// end.
  public func next() { skip(.nextRequested) }

  /// Goes back to the item that was played before the one shown; without one, to the one listed before it. Where there
  /// is neither it does nothing.
  public func previous() { skip(.previousRequested) }

  /// Leaves the item shown for another one of the queue.
  ///
  /// - Parameter index: an index of ``items``.
  /// - Returns: false, with nothing changed, for another index.
  @discardableResult
  public func select(index: Int) -> Bool {
    guard !isOver, let item = queue.select(index: index) else { return false }
    skip(.itemSelected(item))
    return true
  }

  /// Whether ``insert(_:after:)`` would insert: `entry` is nil or listed.
  public func canInsert(_ item: MediaItem, after entry: ItemID?) -> Bool { queue.canInsert(item, after: entry) }

  /// Inserts an item behind an entry, or at the end.
  ///
  /// - Parameters:
  ///   - item: may be listed already; each listing is an entry of its own.
  ///   - entry: nil is the end of the queue.
  /// - Returns: the new entry, or nil, with nothing changed, where `entry` isn't listed.
  @discardableResult
  public func insert(_ item: MediaItem, after entry: ItemID?) -> ItemID? {
    isOver ? nil : edit { $0.insert(item, after: entry) }
  }

  /// Adds an item at the end.
  ///
  /// - Returns: the new entry; nil, with nothing changed, after ``stop()``.
  @discardableResult
  public func append(_ item: MediaItem) -> ItemID? { isOver ? nil : edit { $0.append(item) } }

  /// Removes an entry. Where it is the item shown, the one that follows it takes its place at once.
  ///
  /// - Returns: whether it was listed.
  @discardableResult
  public func remove(_ entry: ItemID) -> Bool { !isOver && edit { $0.remove(entry) } }

  /// Removes every item, and pauses. The last frame stays on the output; the player has no item until another is added,
  /// which doesn't play before ``play()``.
  public func removeAll() {
    if isOver { return }
    pause()
    edit { $0.removeAll() }
  }

  /// Moves an entry behind another one, or to the end.
  ///
  /// - Returns: false, with nothing changed, if either isn't listed or both are the same.
  @discardableResult
  public func move(_ entry: ItemID, after other: ItemID?) -> Bool { !isOver && edit { $0.move(entry, after: other) } }

  /// Sets how the queue repeats.
  public func setRepeatMode(_ mode: RepeatMode) { edit { $0.repeatMode = mode } }

  /// Shuffles the order of playing, so that each item has one turn in a round; nil plays in the order of the list.
  ///
  /// - Parameter seed: the same seed gives the same order.
  public func setShuffle(seed: UInt64?) { edit { $0.shuffle = seed } }

  /// Replaces the list. The item shown goes on where it is still listed, by its URI; else the item after its place
  /// follows at once. With an empty list the player waits for items.
  public func replaceItems(_ items: [MediaItem]) { skip(.queueReplaced(items)) }

  /// Whether the player is stopped, so that calls have no effect.
  private var isOver: Bool { life == .stopping || life == .stopped }

  private func edit<Result>(_ change: (inout PlayQueue) -> Result) -> Result {
    prepare()
    var edited = queue
    let result = change(&edited)
    if edited != queue { skip(.queueEdited(edited)) }
    return result
  }

  /// Feeds an event that may leave the item shown before its end.
  private func skip(_ event: PlaybackEvent) {
    prepare()
    turn.isSkipping = true
    engine?.feed(event)
    turn.isSkipping = false
  }
}

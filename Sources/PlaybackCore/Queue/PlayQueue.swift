/// Identifies an entry among all that the queue has or had. Never reused, so a late report about a removed entry can't
/// be taken for one about its successor.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static func < (a: ItemID, b: ItemID) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "item \(rawValue)" }
}

/// How the queue repeats.
public enum RepeatMode: String, Hashable, Sendable, CaseIterable, Codable {
  /// Each item once.
  case none
  /// The current item repeats until another is asked for.
  case one
  /// The whole queue repeats.
  case all
}

/// The items to play, their order, and the record of what was played.
///
/// A value: it decides what comes next but starts nothing. Its owner tells it what was started (`markStarted`) and what
/// was given up before it could be (`markPassed`). No edit ever touches what is being played: when that entry itself is
/// removed, the queue remembers where it was, and goes on from there.
///
/// The same medium may be listed several times, unlike in AVQueuePlayer, whose items are objects that can be in one
/// place only; each listing is an entry with an identity of its own.
public struct PlayQueue: Hashable, Sendable, Codable {
  /// One listing of an item.
  public struct Entry: Hashable, Sendable, Identifiable, Codable {
    public let id: ItemID
    public var item: MediaItem
  }

  /// The result of `replaceAll`.
  public struct Replacement: Hashable, Sendable {
    /// Entries that were listed before and still are, in their new order.
    public var kept: [ItemID] = []
    /// Entries that are gone, in their old order.
    public var removed: [ItemID] = []
    /// New entries, in order.
    public var inserted: [ItemID] = []
  }

  /// In the order of the list, which isn't the order of playing while `shuffle` is set.
  public private(set) var entries: [Entry] = []
  public var repeatMode: RepeatMode
  /// Seed of the order of playing; nil plays in the order of the list. Another seed starts a new round, in which the
  /// current item counts as played.
  public var shuffle: UInt64? {
    didSet { if shuffle != oldValue { restartRound() } }
  }

  var round = ShuffleRound()
  /// Started entries, oldest first, without those that were removed since.
  var history: [ItemID] = []
  /// Entries that `goBack` has gone back over; the last one comes again first.
  var ahead: [ItemID] = []
  /// The current entry, if it has been removed while it was current.
  var orphan: Orphan?
  private var lastID: UInt64 = 0

  /// The place of an entry that is still playing but no longer listed.
  struct Orphan: Hashable, Sendable, Codable {
    var id: ItemID
    /// The entry that it followed; nil where it was the first.
    var after: ItemID?
  }

  public init(_ items: [MediaItem] = [], repeatMode: RepeatMode = .none, shuffle: UInt64? = nil) {
    self.repeatMode = repeatMode
    self.shuffle = shuffle
    entries.reserveCapacity(items.count)
    for item in items { append(item) }
  }

  public var count: Int { entries.count }
  public var isEmpty: Bool { entries.isEmpty }

  /// Index in the list; nil for an entry that isn't listed.
  public func index(of id: ItemID) -> Int? { entries.firstIndex { $0.id == id } }

  public func entry(_ id: ItemID) -> Entry? { entries.first { $0.id == id } }

  /// Whether these are the items of the list, in its order.
  public func lists(_ items: [MediaItem]) -> Bool {
    items.count == count && zip(items, entries).allSatisfy { $0 == $1.item }
  }

  /// The entry at an index, to be started by the owner; nil outside `0..<count`.
  public func select(index: Int) -> ItemID? { entries.indices.contains(index) ? entries[index].id : nil }

  // MARK: Edits

  /// Whether `insert(_:after:)` would insert: `after` is nil or listed. The item itself never matters, because it may
  /// be listed more than once.
  public func canInsert(_ item: MediaItem, after: ItemID?) -> Bool { after.map { index(of: $0) != nil } ?? true }

  /// Inserts an item after an entry.
  ///
  /// While shuffling, the place in the list doesn't decide when the item is played: it gets a random turn in the rest
  /// of this round, and no item is played again because of it.
  ///
  /// - Parameter after: nil inserts at the end, as in AVQueuePlayer.
  /// - Returns: the new entry, or nil if `after` isn't listed.
  @discardableResult
  public mutating func insert(_ item: MediaItem, after: ItemID?) -> ItemID? {
    guard let after else { return insert(item, at: count) }
    return index(of: after).map { insert(item, at: $0 + 1) }
  }

  /// Inserts an item at a place of the list; places outside `0...count` count as the nearest end.
  @discardableResult
  public mutating func insert(_ item: MediaItem, at index: Int) -> ItemID {
    lastID += 1
    let id = ItemID(rawValue: lastID)
    entries.insert(Entry(id: id, item: item), at: clamped(index))
    return id
  }

  @discardableResult
  public mutating func append(_ item: MediaItem) -> ItemID { insert(item, at: count) }

  /// Removes an entry. Other entries keep their turns; the successor of a removed current entry stays the same.
  ///
  /// - Returns: whether it was listed.
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Bool {
    guard let index = index(of: id) else { return false }
    let predecessor = index > 0 ? entries[index - 1].id : nil
    detach(id, predecessor: predecessor)
    if history.last == id, orphan == nil { orphan = Orphan(id: id, after: predecessor) }
    entries.remove(at: index)
    forget { $0 == id }
    return true
  }

  /// Removes every entry. Entries inserted afterwards follow the item that was current.
  public mutating func removeAll() { replaceAll([]) }

  /// Moves an entry after another one.
  ///
  /// - Parameter after: nil moves it to the end, like `insert(_:after:)`.
  /// - Returns: false, with nothing changed, if either isn't listed or both are the same.
  @discardableResult
  public mutating func move(_ id: ItemID, after: ItemID?) -> Bool {
    guard id != after, let from = index(of: id) else { return false }
    guard let after else { return move(from: from, to: count - 1) }
    guard let place = index(of: after) else { return false }
    return move(from: from, to: place < from ? place + 1 : place)
  }

  /// Moves an entry so that it ends up at a place of the list; places outside `0..<count` count as the nearest end.
  ///
  /// - Returns: false if it isn't listed.
  @discardableResult
  public mutating func move(_ id: ItemID, to index: Int) -> Bool {
    guard let from = self.index(of: id) else { return false }
    return move(from: from, to: max(0, min(index, count - 1)))
  }

  /// Replaces the list, as after a new configuration. An item with the URI and checksum of a listed one keeps that
  /// entry; where one is listed several times, the first listings pair up, then the second ones, and so on. The other
  /// properties of a kept entry (title, volume) are taken from the new list.
  ///
  /// If the current entry is removed, the entry after its nearest kept predecessor follows it.
  ///
  /// - Parameter guest: an entry that belongs to no list and stays, after its nearest kept predecessor.
  @discardableResult
  public mutating func replaceAll(_ items: [MediaItem], keeping guest: ItemID? = nil) -> Replacement {
    // With another checksum it is another item: the old one must not play on.
    struct Identity: Hashable {
      let uri: String
      let sha256: String?
    }
    var known: [Identity: ArraySlice<ItemID>] = [:]
    func key(_ item: MediaItem) -> Identity { Identity(uri: item.uri, sha256: item.sha256) }
    for entry in entries where entry.id != guest { known[key(entry.item), default: []].append(entry.id) }
    var replacement = Replacement()
    var listed: [Entry] = []
    listed.reserveCapacity(items.count)
    for item in items {
      if let id = known[key(item)]?.popFirst() {
        listed.append(Entry(id: id, item: item))
        replacement.kept.append(id)
      } else {
        lastID += 1
        let id = ItemID(rawValue: lastID)
        listed.append(Entry(id: id, item: item))
        replacement.inserted.append(id)
      }
    }
    if let place = guest.flatMap({ index(of: $0) }) {
      let stays = Set(replacement.kept)
      let before = entries[..<place].last { stays.contains($0.id) }?.id
      let index = listed.firstIndex { $0.id == before }.map { $0 + 1 } ?? 0
      listed.insert(entries[place], at: index)
      replacement.kept.append(entries[place].id)
    }
    let kept = Set(replacement.kept)
    replacement.removed = entries.map(\.id).filter { !kept.contains($0) }
    anchorOrphan(keeping: kept)
    entries = listed
    let removed = Set(replacement.removed)
    forget { removed.contains($0) }
    return replacement
  }

  // MARK: Helpers

  private func clamped(_ index: Int) -> Int { max(0, min(index, count)) }

  private mutating func move(from: Int, to: Int) -> Bool {
    guard from != to else { return true }
    let entry = entries[from]
    detach(entry.id, predecessor: from > 0 ? entries[from - 1].id : nil)
    entries.remove(at: from)
    entries.insert(entry, at: to)
    return true
  }

  /// Notes that an entry leaves its place: an orphan behind it follows its predecessor from now on.
  private mutating func detach(_ id: ItemID, predecessor: ItemID?) {
    if orphan?.after == id { orphan?.after = predecessor }
  }

  /// Ties the place of the current entry, if it won't be listed, to the nearest entry before it that will.
  private mutating func anchorOrphan(keeping kept: Set<ItemID>) {
    let place: Int?
    if let orphan {
      place = orphan.after.flatMap { index(of: $0) }
    } else if let current = history.last, !kept.contains(current), let index = index(of: current) {
      orphan = Orphan(id: current, after: nil)
      place = index - 1
    } else {
      return
    }
    let before = entries.prefix((place ?? -1) + 1)
    orphan?.after = before.last { kept.contains($0.id) }?.id
  }

  private mutating func forget(_ isRemoved: (ItemID) -> Bool) {
    round.played = round.played.filter { !isRemoved($0) }
    ahead.removeAll(where: isRemoved)
    var left: [ItemID] = []
    // Without B, A B A becomes one A: going back must lead to another item.
    for id in history where !isRemoved(id) && left.last != id { left.append(id) }
    history = left
  }

  private mutating func restartRound() {
    round = ShuffleRound()
    if let current, index(of: current) != nil { round.played = [current] }
  }
}

public import PlaybackCore

/// What the entries of a playlist stand for, entry by entry: a directory or a list is several items, and one that isn't there none.
/// One array of all, because there may be a hundred thousand.
public struct ListedItems: Sendable, RandomAccessCollection {
  /// Of all entries, in order.
  public private(set) var all: [MediaItem] = []
  /// Where each entry's items end in `all`.
  private var ends: [Int32] = []

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { ends.count }
  public subscript(entry: Int) -> ArraySlice<MediaItem> {
    all[(entry > 0 ? Int(ends[entry - 1]) : 0)..<Int(ends[entry])]
  }

  mutating func reserve(_ count: Int) {
    all.reserveCapacity(count)
    ends.reserveCapacity(count)
  }

  /// What the next entry stands for.
  mutating func append(_ items: [MediaItem]) {
    all += items
    ends.append(Int32(clamping: all.count))
  }

  /// `usualPictureDuration` of all.
  mutating func setUsualPictureDuration(_ duration: Duration) {
    MediaItem.setUsualPictureDuration(duration, of: &all)
  }

  /// Of some entries, by their indexes in order. Those that aren't there have none.
  func items(of entries: [Int]) -> [MediaItem] {
    // All of them is what it is nearly always, and no copy.
    if entries.count == count, entries.first == 0, entries.last == count - 1 { return all }
    return entries.flatMap { indices.contains($0) ? self[$0] : [] }
  }
}

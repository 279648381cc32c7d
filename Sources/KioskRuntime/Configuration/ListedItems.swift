public import PlaybackCore

/// The media items of a playlist's entries: a directory or a list gives several items, a missing file gives none. All
/// items are in one array, because there may be a hundred thousand.
public struct ListedItems: Sendable, RandomAccessCollection {
  /// The items of all entries, in order.
  public private(set) var all: [MediaItem] = []
  /// For each entry, the index in `all` after its last item.
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

  /// Adds the items of the next entry.
  mutating func append(_ items: [MediaItem]) {
    all += items
    ends.append(Int32(clamping: all.count))
  }

  /// Sets `usualPictureDuration` of all items.
  mutating func setUsualPictureDuration(_ duration: Duration) {
    MediaItem.setUsualPictureDuration(duration, of: &all)
  }

  /// The items of some entries, by the entries' indexes in order. An index out of range gives no item.
  func items(of entries: [Int]) -> [MediaItem] {
    // Nearly always all entries are wanted: that needs no copy.
    if entries.count == count, entries.first == 0, entries.last == count - 1 { return all }
    return entries.flatMap { indices.contains($0) ? self[$0] : [] }
  }
}

/// Stretches of an item's time, sorted, apart from each other and none empty: the loaded or the seekable parts.
///
/// Ranges are half-open: 0..<5 and 5..<9 touch and are one range.
public struct TimeRanges: Hashable, Sendable {
  /// Ascending; there is a gap between any two.
  public private(set) var ranges: [Range<Duration>] = []

  public init(_ ranges: some Sequence<Range<Duration>> = []) {
    for range in ranges { insert(range) }
  }

  public var isEmpty: Bool { ranges.isEmpty }

  /// The length of all ranges together.
  public var total: Duration { ranges.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) } }

  /// From the first start to the last end; nil if empty.
  public var bounds: Range<Duration>? {
    guard let first = ranges.first, let last = ranges.last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  /// Adds a range and merges what it overlaps or touches. An empty one changes nothing.
  public mutating func insert(_ range: Range<Duration>) {
    guard !range.isEmpty else { return }
    // Ranges that end before the new one stay in front; it merges with first..<end.
    let first = partition { $0.upperBound >= range.lowerBound }
    let end = partition { $0.lowerBound > range.upperBound }
    var merged = range
    if first < end {
      merged = min(range.lowerBound, ranges[first].lowerBound)..<max(range.upperBound, ranges[end - 1].upperBound)
    }
    ranges.replaceSubrange(first..<end, with: [merged])
  }

  /// Inserts the range between two times that a pipeline reports; an end before the start changes nothing.
  public mutating func insert(from start: Duration, to end: Duration) {
    if start < end { insert(start..<end) }
  }

  /// Removes a range, as when a live window moves on. An empty one changes nothing.
  public mutating func remove(_ range: Range<Duration>) {
    guard !range.isEmpty else { return }
    let first = partition { $0.upperBound > range.lowerBound }
    let end = partition { $0.lowerBound >= range.upperBound }
    guard first < end else { return }
    let left = ranges[first].lowerBound
    let right = ranges[end - 1].upperBound
    var rest: [Range<Duration>] = []
    if left < range.lowerBound { rest.append(left..<range.lowerBound) }
    if range.upperBound < right { rest.append(range.upperBound..<right) }
    ranges.replaceSubrange(first..<end, with: rest)
  }

  public mutating func removeAll() { ranges = [] }

  public func contains(_ time: Duration) -> Bool { range(containing: time) != nil }

  /// The range that contains a time; its upper bound says how far it extends from there.
  public func range(containing time: Duration) -> Range<Duration>? {
    let index = partition { $0.upperBound > time }
    guard index < ranges.count, ranges[index].contains(time) else { return nil }
    return ranges[index]
  }

  /// The first stretch at or after `time` that no range covers, cut to `time..<limit`; nil without one.
  public func nextGap(after time: Duration, before limit: Duration) -> Range<Duration>? {
    let index = partition { $0.upperBound > time }
    var start = time
    var following = index
    if index < ranges.count, ranges[index].contains(time) {
      start = ranges[index].upperBound
      following = index + 1
    }
    let end = following < ranges.count ? min(limit, ranges[following].lowerBound) : limit
    return start < end ? start..<end : nil
  }

  /// Index of the first range for which the condition holds; it holds for all that follow.
  private func partition(_ holds: (Range<Duration>) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if holds(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

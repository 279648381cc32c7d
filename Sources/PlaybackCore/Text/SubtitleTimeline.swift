/// Cues indexed by time: finds quickly those that are shown at a position.
public struct SubtitleTimeline: Hashable, Sendable {
  /// In the order of their starts.
  public let cues: [SubtitleCue]

  /// Most cues returned at once: more than a screen has lines, few enough for a file whose cues all overlap.
  public static let maximumAtOnce = 16

  private let ends: [Duration]
  /// The latest end within each part of `cues`: a binary tree with its root at 1 and its leaves, one for each cue, from
  /// `leaves` on.
  private let latestEnds: [Duration]
  private let leaves: Int

  /// - Parameter cues: in any order. Cues whose end isn't after their start are left out.
  public init(_ cues: [SubtitleCue] = []) {
    let shown = cues.enumerated().filter { $0.element.start < $0.element.end }
    let sorted = shown.sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    var leaves = 1
    while leaves < sorted.count { leaves *= 2 }
    var tree = [Duration](repeating: .zero, count: 2 * leaves)
    for (index, cue) in sorted.enumerated() { tree[leaves + index] = cue.end }
    for node in stride(from: leaves - 1, to: 0, by: -1) { tree[node] = max(tree[2 * node], tree[2 * node + 1]) }
    self.cues = sorted
    self.leaves = leaves
    latestEnds = tree
    ends = sorted.map(\.end).sorted()
  }

  /// The cues that are shown at a position, in the order of their starts: each from its start to just before its end.
  /// At most `maximumAtOnce`. Takes O(log n) for each cue returned.
  public func cues(at time: Duration) -> [SubtitleCue] {
    let started = Self.count(of: cues) { $0.start <= time }
    var found: [SubtitleCue] = []
    var index = 0
    while found.count < Self.maximumAtOnce, let next = first(from: index, endingAfter: time), next < started {
      found.append(cues[next])
      index = next + 1
    }
    return found
  }

  /// The first time after a position at which the shown cues change; nil after the end of the last cue.
  public func nextChange(after time: Duration) -> Duration? {
    let started = Self.count(of: cues) { $0.start <= time }
    let ended = Self.count(of: ends) { $0 <= time }
    let start = started < cues.count ? cues[started].start : nil
    let end = ended < ends.count ? ends[ended] : nil
    guard let start, let end else { return start ?? end }
    return min(start, end)
  }

  /// Index of the first cue at or after an index that ends after a time.
  private func first(from index: Int, endingAfter time: Duration) -> Int? {
    guard index < cues.count else { return nil }
    var node = leaves + index
    // Upwards and to the right, to the first part that contains such a cue...
    while latestEnds[node] <= time {
      while node % 2 == 1 {
        node /= 2
        // The right edge of the tree: there are no more cues.
        if node <= 1 { return nil }
      }
      node += 1
    }
    // ...and down to the first cue in it.
    while node < leaves { node = latestEnds[2 * node] > time ? 2 * node : 2 * node + 1 }
    return node - leaves
  }

  /// Number of elements at the front of a sorted array for which the condition holds.
  private static func count<Element>(of elements: [Element], _ holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if holds(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

import Testing

@testable import PlaybackCore

@Suite("Time ranges")
struct TimeRangesTests {
  private func seconds(_ range: Range<Int>) -> Range<Duration> {
    .seconds(range.lowerBound)..<(.seconds(range.upperBound))
  }

  @Test(
    "Ranges that overlap or touch are merged",
    arguments: [
      ([0..<5, 5..<9], [0..<9]), ([5..<9, 0..<5], [0..<9]), ([0..<5, 6..<9], [0..<5, 6..<9]),
      ([0..<2, 4..<6, 8..<9, 1..<8], [0..<9]), ([0..<9, 3..<4], [0..<9]), ([3..<3], []),
      ([7..<8, 0..<1], [0..<1, 7..<8]),
    ])
  func insert(ranges: [Range<Int>], expected: [Range<Int>]) {
    #expect(TimeRanges(ranges.map(seconds)).ranges == expected.map(seconds))
  }

  @Test("A pipeline's reversed range changes nothing")
  func reversed() {
    var ranges = TimeRanges([seconds(1..<2)])
    ranges.insert(from: .seconds(9), to: .seconds(3))
    ranges.insert(from: .seconds(9), to: .seconds(9))
    #expect(ranges.ranges == [seconds(1..<2)])
    ranges.insert(from: .seconds(3), to: .seconds(9))
    #expect(ranges.ranges == [seconds(1..<2), seconds(3..<9)])
    #expect(ranges.total == .seconds(7))
    #expect(ranges.bounds == seconds(1..<9))
    ranges.removeAll()
    #expect(ranges.isEmpty && ranges.bounds == nil)
  }

  @Test(
    "A range includes its start, not its end", arguments: [(0, false), (1, true), (3, true), (4, false), (5, false)])
  func contains(time: Int, expected: Bool) {
    #expect(TimeRanges([seconds(1..<4)]).contains(.seconds(time)) == expected)
  }

  @Test(
    "The next gap starts after the range at hand",
    arguments: [
      (0, 20, 0..<2), (2, 20, 5..<7), (4, 20, 5..<7), (6, 20, 6..<7), (8, 20, 9..<20), (12, 20, 12..<20), (3, 6, 5..<6),
      (3, 5, nil), (20, 20, nil), (30, 20, nil),
    ] as [(Int, Int, Range<Int>?)])
  func nextGap(time: Int, limit: Int, expected: Range<Int>?) {
    let ranges = TimeRanges([seconds(2..<5), seconds(7..<9)])
    #expect(ranges.nextGap(after: .seconds(time), before: .seconds(limit)) == expected.map(seconds))
  }

  @Test("Random edits agree with a set of seconds", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    var ranges = TimeRanges()
    var model: Set<Int> = []
    for _ in 0..<5000 {
      let start = Int.random(in: -5..<60, using: &generator)
      let range = start..<(start + Int.random(in: 0..<9, using: &generator))
      if Bool.random(using: &generator) {
        ranges.insert(seconds(range))
        model.formUnion(range)
      } else {
        ranges.remove(seconds(range))
        model.subtract(range)
      }
      for (a, b) in zip(ranges.ranges, ranges.ranges.dropFirst()) { try #require(a.upperBound < b.lowerBound) }
      try #require(ranges.ranges.allSatisfy { !$0.isEmpty })
      try #require(ranges.total == .seconds(model.count))
      for time in -6..<70 { try #require(ranges.contains(.seconds(time)) == model.contains(time)) }
      let from = Int.random(in: -6..<70, using: &generator)
      let limit = Int.random(in: -6..<70, using: &generator)
      var gap: Range<Int>?
      if let first = (from..<max(from, limit)).first(where: { !model.contains($0) }) {
        let end = (first..<limit).first { model.contains($0) } ?? limit
        gap = first..<end
      }
      try #require(ranges.nextGap(after: .seconds(from), before: .seconds(limit)) == gap.map(seconds))
    }
  }
}

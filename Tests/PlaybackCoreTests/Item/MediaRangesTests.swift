import PlaybackCore
import Testing

@Suite("Buffered ranges of an item")
struct MediaRangesTests {
  @Test("Shares of an item become times, merged where they touch")
  func shares() {
    let times = MediaRanges.times(of: [0.0..<0.25, 0.25..<0.5, 0.9..<1.0], duration: .seconds(100))
    #expect(times.ranges == [.zero..<Duration.seconds(50), .seconds(90)..<Duration.seconds(100)])
  }

  @Test("The end counts as loaded when the last range reaches it up to a small rest")
  func end() {
    func ranges(_ start: Double, _ end: Double) -> MediaRanges {
      MediaRanges(loaded: TimeRanges([Duration.seconds(start)..<Duration.seconds(end)]))
    }
    #expect(ranges(0, 10).reachEnd(of: .seconds(10)))
    #expect(ranges(4, 9.9).reachEnd(of: .seconds(10)))
    #expect(!ranges(0, 9).reachEnd(of: .seconds(10)))
    #expect(!ranges(0, 10).reachEnd(of: nil))
    #expect(!MediaRanges().reachEnd(of: .seconds(10)))
  }
}

import CGStreamer
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Another speed for data that was decoded already: running times and segments")
struct RateMapTests {
  private let second: Int64 = 1_000_000_000

  @Test("From its moment on a map changes the speed of time; both directions agree, and the moment stays in place")
  func times() {
    let twice = RateMap().changed(to: 2, at: 10 * second)
    #expect(twice.down(10 * second) == 10 * second && twice.down(14 * second) == 12 * second)
    #expect(twice.up(12 * second) == 14 * second)
    // And slower from there: 14 s became 12 s.
    let half = twice.changed(to: 0.5, at: 14 * second)
    #expect(half.down(14 * second) == 12 * second && half.down(15 * second) == 14 * second)
    #expect(half.up(14 * second) == 15 * second)
    // Back at plain speed, time stays as late as it was early.
    let plain = half.changed(to: 1, at: 15 * second)
    #expect(plain.down(16 * second) == 15 * second && !plain.isPlain)
    #expect(RateMap().isPlain)
  }

  @Test(
    "A segment that has begun restarts at the moment of the change; a later segment starts where the map puts it"
  )
  func segments() throws {
    // Entered at 5 s of the item; its own times begin at 100 s.
    let segment = StreamSegment(start: 105 * second, stop: 200 * second, time: 5 * second, base: 3 * second)
    let twice = RateMap().changed(to: 2, at: 7 * second)
    let now = segment.mapped(twice)
    #expect(now.start == 109 * second && now.time == 9 * second && now.base == 7 * second && now.rate == 2)
    #expect(now.stop == 200 * second && now.appliedRate == 1)
    // The same sample: 2 s later in the item is a second later on the clock.
    #expect(segment.running(111 * second) == 9 * second && now.running(111 * second) == 8 * second)
    // The next segment of a stream.
    let later = StreamSegment(start: 300 * second, time: 30 * second, base: 20 * second).mapped(twice)
    #expect(later.start == 300 * second && later.time == 30 * second && later.base == 13_500_000_000)
    #expect(later.rate == 2)
    try GStreamerLibrary.start()
    let event = try #require(StreamSegment(rate: 2, start: 1, stop: 9, time: 3, base: 2).event())
    #expect(StreamSegment(event) == StreamSegment(rate: 2, start: 1, stop: 9, time: 3, base: 2))
    gst_event_unref(event)
  }

  @Test("In a medium that was sought at double speed, a factor of one half is the plain speed")
  func sought() {
    let sought = StreamSegment(rate: 2, start: 10 * second, time: 10 * second, base: 0)
    let plain = sought.mapped(RateMap().changed(to: 0.5, at: 4 * second))
    #expect(plain.rate == 1 && plain.start == 18 * second && plain.time == 18 * second && plain.base == 4 * second)
    #expect(plain.running(20 * second) == 6 * second)
  }

  @Test("The first sample at the moment of the change lies inside the new segment, however the moment is rounded")
  func rounding() throws {
    for (rate, factor) in [(2.0, 0.5), (4, 0.25), (3, 0.5), (1, 2), (0.5, 4), (0.25, 8)] {
      let segment = StreamSegment(rate: rate, start: 7, time: 3, base: 5)
      for time in Int64(8)...60 {
        let moment = try #require(segment.running(time))
        let mapped = segment.mapped(RateMap().changed(to: factor, at: moment), holding: time)
        #expect(mapped.start <= time && mapped.start > time - 8, "\(rate), \(time): \(mapped)")
        #expect(mapped.time - mapped.start == segment.time - segment.start && mapped.base == moment)
      }
    }
    // A later sample doesn't move the segment.
    let late = StreamSegment().mapped(RateMap().changed(to: 2, at: 7 * second), holding: 9 * second)
    #expect(late.start == 7 * second && late.time == 7 * second)
  }

  @Test("Times beyond 64 bits are clamped")
  func outside() throws {
    try GStreamerLibrary.start()
    let map = RateMap(up: .max, down: .max, factor: 0.25)
    #expect(map.down(.min) == .min || map.down(.min) < 0)
    #expect(RateMap(up: .min, down: .max, factor: 4).up(.min) == .min)
    let segment = StreamSegment(rate: 0.001, start: .max, time: .max, base: .max)
    _ = segment.mapped(RateMap(up: .max, down: .min, factor: .infinity))
    #expect(StreamSegment(base: -1).event() == nil)
    #expect(segment.running(.max) == .max)
  }
}

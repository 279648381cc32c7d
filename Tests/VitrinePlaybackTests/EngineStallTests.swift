import EngineTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Stalls that the engine counts (0160)")
struct EngineStallTests {
  private static let holds: [(PlaybackEvent, PlaybackEvent)] = [
    (.pauseRequested, .playRequested), (.suppressed(.scrubbing), .unsuppressed(.scrubbing)),
    (.suppressed(.screenOff), .unsuppressed(.screenOff)),
  ]

  @Test(
    "A pause isn't a stall, even with frames on their way; a late frame is one", arguments: 0..<3)
  func held(by number: Int) async throws {
    let (hold, release) = Self.holds[number]
    try await EngineHealthTests.bench().run { bench in
      await bench.begin()
      for frame in 0..<3 {
        await bench.showFrame(at: .milliseconds(40 * frame))
        await bench.advance(by: .milliseconds(40))
      }
      bench.engine.feed(hold)
      // The frame was in the sink already.
      await bench.showFrame(at: .milliseconds(120))
      await bench.advance(by: .seconds(3600))
      bench.engine.feed(release)
      await bench.advance(by: .milliseconds(20))
      await bench.showFrame(at: .milliseconds(160))
      #expect(bench.engine.ledger.counters[.stalls] == 0)
      await bench.advance(by: .milliseconds(600))
      await bench.showFrame(at: .milliseconds(200))
      #expect(bench.engine.ledger.counters[.stalls] == 1)
    }
  }
}

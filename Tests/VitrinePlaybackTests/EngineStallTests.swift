import EngineTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("What the engine counts as a stall (0160)")
struct EngineStallTests {
  private static let holds: [(PlaybackEvent, PlaybackEvent)] = [
    (.pauseRequested, .playRequested), (.suppressed(.scrubbing), .unsuppressed(.scrubbing)),
    (.suppressed(.screenOff), .unsuppressed(.screenOff)),
  ]

  @Test(
    "What somebody holds is no stall, though frames were on their way; what is late by itself is one", arguments: 0..<3)
  func held(by number: Int) async throws {
    let (hold, release) = Self.holds[number]
    try await EngineHealthTests.bench().run { bench in
      await bench.begin()
      for frame in 0..<3 {
        await bench.showFrame(at: .milliseconds(40 * frame))
        await bench.advance(by: .milliseconds(40))
      }
      bench.engine.feed(hold)
      // It was in the sink already.
      await bench.showFrame(at: .milliseconds(120))
      await bench.advance(by: .seconds(3600))
      bench.engine.feed(release)
      await bench.advance(by: .milliseconds(20))
      await bench.showFrame(at: .milliseconds(160))
      #expect(bench.engine.ledger.counters.stalls == 0)
      await bench.advance(by: .milliseconds(600))
      await bench.showFrame(at: .milliseconds(200))
      #expect(bench.engine.ledger.counters.stalls == 1)
    }
  }
}

import Testing

@testable import PlaybackCore

@Suite("Playback machine: films whose frames stay for long")
struct PlaybackMachineSlowFilmTests {
  private let policy = ReconnectPolicy()

  private func isBuilding(_ actions: [PlaybackAction]) -> Bool {
    actions.contains { if case .buildDeck = $0 { true } else { false } }
  }

  @Test(
    "A frame each minute, or each ten: the next one has come and waits, and nothing is stuck", arguments: [60, 600])
  func slow(seconds: Int) throws {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin(DeckReadiness(duration: .seconds(7200)))
    for frame in 1...5 {
      let due = Duration.seconds(seconds * frame)
      bench.feed(.gapAhead(first, until: due), after: .milliseconds(10))
      // Its timer is as late as a frame that is just on its way.
      let actions = bench.feed(.timerFired(.stuck(first)), after: .seconds(seconds) - .milliseconds(10))
      #expect(!isBuilding(actions), "frame \(frame)")
      bench.feed(.frameShown(first, streamTime: due), after: .milliseconds(20))
      #expect(bench.machine.current?.id == first)
    }
    // The one that was told doesn't come.
    bench.feed(.gapAhead(first, until: .seconds(seconds * 6)), after: .milliseconds(10))
    #expect(
      !isBuilding(bench.feed(.timerFired(.stuck(first)), after: .seconds(seconds) + policy.stuckLocal - .seconds(1))))
    #expect(isBuilding(bench.feed(.timerFired(.stuck(first)), after: .seconds(2))))
  }
}

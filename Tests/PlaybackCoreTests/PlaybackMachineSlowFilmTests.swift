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

  /// Whether a fresh deck is built at the ordinary time after a frame, though the next one says that it is due then.
  private func isFound(_ item: MediaItem, _ readiness: DeckReadiness, until: Duration, limit: Duration) -> Bool {
    var bench = Bench([item] + files(1), loops: true)
    let first = bench.begin(readiness)
    bench.feed(.gapAhead(first, until: until), after: .milliseconds(10))
    let isEarly = isBuilding(bench.feed(.timerFired(.stuck(first)), after: limit - .seconds(1)))
    bench.feed(.timerFired(.stuck(first)), after: .seconds(2))
    return !isEarly && bench.machine.current?.id != first
  }

  @Test("A stamp that has jumped isn't waited for: of a stream without an end, and behind the end of a file")
  func jumped() {
    let (hour, turn) = (Duration.seconds(3600), Duration.seconds(95_443))
    for uri in ["http://server/live.webm", "udp://239.0.0.1:5000"] {
      let item = MediaItem(uri: uri, kind: .progressive)
      #expect(isFound(item, DeckReadiness(duration: nil), until: hour, limit: policy.stuck), "\(uri)")
    }
    #expect(isFound(files(1)[0], DeckReadiness(duration: .seconds(7200)), until: turn, limit: policy.stuckLocal))
    // Its end isn't known.
    let longest = Duration.seconds(600) + policy.stuckLocal
    #expect(isFound(files(1)[0], DeckReadiness(duration: nil), until: turn, limit: longest))
  }

  @Test("Before a seek a frame waited: after it nothing does")
  func sought() {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin(DeckReadiness(duration: .seconds(7200)))
    bench.feed(.gapAhead(first, until: .seconds(600)), after: .milliseconds(10))
    bench.feed(.seekRequested(to: .seconds(1000), .exact))
    #expect(bench.machine.current?.frameWaitsUntil == nil)
  }
}

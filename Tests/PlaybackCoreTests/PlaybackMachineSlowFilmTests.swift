import Testing

@testable import PlaybackCore

@Suite("Playback machine: films of long frames")
struct PlaybackMachineSlowFilmTests {
  private let policy = ReconnectPolicy()

  private func isBuilding(_ actions: [PlaybackAction]) -> Bool {
    actions.contains { if case .buildDeck = $0 { true } else { false } }
  }

  @Test(
    "With a frame each minute, or each ten, the next frame waits, and the film isn't stuck", arguments: [60, 600])
  func slow(seconds: Int) throws {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin(DeckReadiness(duration: .seconds(7200)))
    for frame in 1...5 {
      let due = Duration.seconds(seconds * frame)
      bench.feed(.gapAhead(first, until: due), after: .milliseconds(10))
      // The stuck timer is due only as late as a frame that is on its way.
      let actions = bench.feed(.timerFired(.stuck(first)), after: .seconds(seconds) - .milliseconds(10))
      #expect(!isBuilding(actions), "frame \(frame)")
      bench.feed(.frameShown(first, streamTime: due), after: .milliseconds(20))
      #expect(bench.machine.current?.id == first)
    }
    // The announced frame doesn't come.
    bench.feed(.gapAhead(first, until: .seconds(seconds * 6)), after: .milliseconds(10))
    #expect(
      !isBuilding(bench.feed(.timerFired(.stuck(first)), after: .seconds(seconds) + policy.stuckLocal - .seconds(1))))
    #expect(isBuilding(bench.feed(.timerFired(.stuck(first)), after: .seconds(2))))
  }

  /// Whether a fresh deck is built at the ordinary time after a frame, although the next frame is announced for
  /// `until`.
  private func isFound(_ item: MediaItem, _ readiness: DeckReadiness, until: Duration, limit: Duration) -> Bool {
    var bench = Bench([item] + files(1), loops: true)
    let first = bench.begin(readiness)
    bench.feed(.gapAhead(first, until: until), after: .milliseconds(10))
    let isEarly = isBuilding(bench.feed(.timerFired(.stuck(first)), after: limit - .seconds(1)))
    bench.feed(.timerFired(.stuck(first)), after: .seconds(2))
    return !isEarly && bench.machine.current?.id != first
  }

  @Test("A jumped timestamp isn't waited for, in an endless stream or beyond a file's end")
  func jumped() {
    let (hour, turn) = (Duration.seconds(3600), Duration.seconds(95_443))
    for uri in ["http://server/live.webm", "udp://239.0.0.1:5000"] {
      let item = MediaItem(uri: uri, kind: .progressive)
      #expect(isFound(item, DeckReadiness(duration: nil), until: hour, limit: policy.stuck), "\(uri)")
    }
    #expect(isFound(files(1)[0], DeckReadiness(duration: .seconds(7200)), until: turn, limit: policy.stuckLocal))
    // The file's end isn't known.
    let longest = Duration.seconds(600) + policy.stuckLocal
    #expect(isFound(files(1)[0], DeckReadiness(duration: nil), until: turn, limit: longest))
  }

  @Test(
    "In a pause a step reaches the last slide's start, and a seek past the end stops just before the end"
  )
  func paused() {
    var bench = Bench(files(2))
    _ = bench.begin(DeckReadiness(duration: .seconds(30), frameInterval: .seconds(15)))
    bench.feed(.pauseRequested)
    let step = bench.machine.stepTarget(1)
    #expect(step.map { $0 >= .seconds(15) && $0 < .milliseconds(15_200) } == true, "\(String(describing: step))")
    bench.feed(.seekRequested(to: .seconds(25), .exact))
    #expect(bench.machine.shownPosition == .seconds(25))
    bench.feed(.seekRequested(to: .seconds(40), .exact))
    #expect(bench.machine.shownPosition == .milliseconds(29_625))
  }

  @Test("A seek drops a frame that waited before it")
  func sought() {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin(DeckReadiness(duration: .seconds(7200)))
    bench.feed(.gapAhead(first, until: .seconds(600)), after: .milliseconds(10))
    bench.feed(.seekRequested(to: .seconds(1000), .exact))
    #expect(bench.machine.current?.shown.waitsUntil == nil)
  }
}

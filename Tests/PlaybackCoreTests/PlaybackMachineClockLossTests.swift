import Testing

@testable import PlaybackCore

@Suite("Playback machine: pipelines that lose their clock (0140)")
struct ClockLossTests {
  private func restarts(_ actions: [PlaybackAction], of id: DeckID) -> Bool {
    actions.starts(with: [.pauseDeck(id)]) && actions.contains { if case .playDeck(id, _) = $0 { true } else { false } }
  }

  @Test("A playing pipeline that loses its clock goes to PAUSED and back to PLAYING at its position")
  func restart() throws {
    var bench = Bench(files(2))
    let id = bench.begin()
    let base = try #require(bench.machine.current?.base)
    #expect(bench.feed(.clockLost(id), after: .seconds(1)) == [.pauseDeck(id), .playDeck(id, base: base)])
    #expect(bench.machine.current?.base == base)
  }

  @Test("A paused, preparing, seeking or buffering pipeline isn't disturbed; it picks a clock when it goes on")
  func deferred() throws {
    var paused = Bench(files(1))
    let id = paused.begin()
    paused.feed(.pauseRequested, after: .seconds(1))
    #expect(paused.feed(.clockLost(id)) == [])
    #expect(paused.feed(.playRequested, after: .seconds(1)).count == 1, "as without")

    var preparing = Bench(files(1))
    preparing.feed(.start)
    preparing.feed(.outputReady)
    #expect(preparing.feed(.clockLost(deck(1))) == [])

    var seeking = Bench(files(1))
    let sought = seeking.begin()
    seeking.feed(.seekRequested(to: .seconds(2), .exact), after: .seconds(1))
    let number = try #require(seeking.machine.seekInFlight)
    #expect(seeking.feed(.clockLost(sought)) == [])
    let ready = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4))
    let after = seeking.feed(.seekFinished(sought, seek: number, ready))
    #expect(after.count { if case .playDeck = $0 { true } else { false } } == 1)

    // The next deck is in PAUSED.
    var waiting = Bench(files(2))
    _ = waiting.begin()
    #expect(waiting.feed(.clockLost(deck(2))) == [])
  }

  @Test("A live pipeline that waits for data plays on, and is restarted when data flow")
  func live() {
    var bench = Bench([MediaItem(uri: "rtsp://camera/1", kind: .rtsp)])
    let id = bench.begin(DeckReadiness(isLive: true, isSeekable: false))
    bench.feed(.frameShown(id, streamTime: .seconds(1)), after: .seconds(1))
    bench.feed(.bufferingChanged(id, percent: 0))
    let isDry = bench.machine.current?.buffering.isDry == true
    let told = bench.feed(.clockLost(id))
    if isDry {
      #expect(told == [])
      #expect(restarts(bench.feed(.bufferingChanged(id, percent: 100), after: .seconds(1)), of: id))
    } else {
      #expect(restarts(told, of: id))
    }
  }

  @Test("The fourth clock loss in ten seconds rebuilds the deck at its position; after that time the count restarts")
  func limit() throws {
    var bench = Bench(files(2))
    let id = bench.begin(DeckReadiness(duration: .seconds(60)))
    bench.feed(.frameShown(id, streamTime: .seconds(5)), after: .seconds(5))
    for _ in 0..<3 { #expect(restarts(bench.feed(.clockLost(id), after: .seconds(2)), of: id)) }
    let fourth = bench.feed(.clockLost(id), after: .seconds(2))
    #expect(fourth.contains(.dropDeck(id)))
    #expect(fourth.contains { if case .buildDeck(_, _, _, .seconds(5), _) = $0 { true } else { false } })
    #expect(bench.machine.failures.mark(of: 0) == nil, "the item has done nothing")

    var patient = Bench(files(1))
    let same = patient.begin(DeckReadiness(duration: .seconds(600)))
    for _ in 0..<20 {
      patient.feed(.frameShown(same, streamTime: .seconds(5)), after: .seconds(1))
      #expect(restarts(patient.feed(.clockLost(same), after: .milliseconds(2400)), of: same))
    }
  }

  @Test("There are never more than three restarts in ten seconds")
  func rule() {
    var random = SplitMix64(state: 4)
    var losses = ClockLosses()
    var now = Instant(nanoseconds: 0)
    var restarts: [Instant] = []
    for _ in 0..<10_000 {
      now = now + .milliseconds(Int64(random.next() % 6000))
      switch losses.answer(at: now) {
      case .restart:
        restarts.append(now)
        #expect(restarts.filter { now - $0 < ClockLosses.window }.count <= ClockLosses.limit)
      case .rebuild:
        #expect(restarts.filter { now - $0 < ClockLosses.window }.count == ClockLosses.limit)
        restarts = []
      }
    }
  }
}

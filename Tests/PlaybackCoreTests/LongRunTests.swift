import Testing

@testable import PlaybackCore

/// A machine and a ledger, joined as the engine joins them. The test says when decks are down; the sink reports some of
/// their frames only after that.
private struct LongRun {
  var bench: Bench
  var ledger: PlaybackStatistics
  var dropped: [DeckID] = []
  /// The newest decks that are gone or were abandoned.
  var past: [DeckID] = []
  var abandoned = 0
  var lateDrops = 0

  init(decodesOneStream: Bool) throws {
    var policy = PlaybackPolicy()
    policy.decodesOneStream = decodesOneStream
    bench = Bench(files(5), loops: true, policy: policy)
    ledger = PlaybackStatistics(processStart: bench.now, queue: bench.machine.queue)
    feed(.outputReady)
    feed(.start)
  }

  mutating func feed(_ event: PlaybackEvent, after wait: Duration = .milliseconds(10)) {
    bench.now = bench.now + wait
    for action in bench.machine.handle(event, at: bench.now) {
      switch action {
      case .buildDeck(let id, _, let item, _, _): ledger.deckBuilt(id, of: item)
      case .dropDeck(let id): dropped.append(id)
      case .abandonDeck(let id):
        abandoned += 1
        ledger.count(.decksAbandoned)
        ledger.deckGone(id)
        past.append(id)
      case .tell(.itemStarted(let item, let id, _, let isAutomatic)):
        ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
      case .tell(.itemFailed(let item, let error)): ledger.itemFailed(item, error)
      default: break
      }
    }
  }

  mutating func show(_ id: DeckID, _ index: UInt32) {
    let time = Duration.milliseconds(Int(index) * 40)
    ledger.record(RenderedFrame(deck: id, index: index, streamTime: time, at: bench.now, wasRendered: true))
    feed(.frameShown(id, streamTime: time, epoch: bench.machine.current?.epoch ?? .start))
  }

  /// Reports the dropped decks as gone, then frames of theirs that the sink left out.
  mutating func settle() {
    for id in dropped {
      ledger.deckGone(id)
      feed(.deckGone(id))
      past.append(id)
    }
    dropped = []
    past = past.suffix(4)
    for id in past where id != bench.machine.current?.id {
      ledger.record(
        RenderedFrame(deck: id, index: 3, streamTime: .milliseconds(120), at: bench.now, wasRendered: false))
      lateDrops += 1
    }
  }

  mutating func begin() -> DeckID? {
    guard let deck = bench.machine.current else {
      feed(.timerFired(.nextRound), after: .seconds(10))
      return bench.machine.current?.id
    }
    if case .preparing = deck.phase { feed(.deckReady(deck.id, DeckReadiness(duration: .seconds(4)))) }
    for index in 0..<3 as Range<UInt32> { show(deck.id, index) }
    return deck.id
  }

  mutating func run(_ step: Int) {
    switch step % 5 {
    case 0, 1:
      guard let id = begin() else { return }
      if let next = bench.machine.next?.id { feed(.deckReady(next, DeckReadiness(duration: .seconds(4)))) }
      feed(.streamEnded(id, .video, at: .seconds(4)), after: .seconds(4))
      feed(.timerFired(.end(id)), after: .seconds(1))
    case 2: if let id = bench.machine.current?.id { feed(.timerFired(.preroll(id)), after: .seconds(4)) }
    case 3:
      _ = begin()
      feed(.seekRequested(to: .seconds(Int64(step % 3)), .exact))
      if let seek = bench.machine.seekInFlight { feed(.timerFired(.seekGuard(seek: seek)), after: .seconds(2)) }
    default:
      guard let id = begin() else { return }
      feed(.deckFailed(id, VitrineError(4001, subject: "s", message: "m", remedy: "r")))
    }
    settle()
  }
}

@Suite("Memory over a long run")
struct LongRunTests {
  @Test("After thousands of abandoned decks only the living ones are kept", arguments: [false, true])
  func decks(decodesOneStream: Bool) throws {
    var run = try LongRun(decodesOneStream: decodesOneStream)
    for step in 0..<10_000 {
      run.run(step)
      try #require(run.ledger.deckCount <= 3, "after step \(step)")
      try #require(run.bench.machine.behind.leaving.count <= 2, "after step \(step)")
    }
    #expect(run.abandoned > 1000)
    let report = run.ledger.report(version: "t", output: .headless, screen: nil, exitCode: 0, at: run.bench.now)
    #expect(report.decksAbandoned == run.abandoned && report.transitionsTotal > 1000)
    // Each late report counts as one dropped frame, without the frames before it.
    #expect(report.framesDropped == run.lateDrops && run.lateDrops > 1000)
  }
}

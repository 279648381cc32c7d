import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline
@testable import VitrinePlayback

/// An engine on its own loop, with an output into memory.
private actor BookBench: PlayerEngineOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var engine: PlayerEngine?
  private var isReady: CheckedContinuation<Void, Never>?

  init() throws {
    try GStreamerLibrary.start()
    executor = try GLibExecutor.start(name: "book")
  }

  /// Plays a film until it is ready.
  func begin(_ items: [MediaItem]) async {
    let machine = PlaybackMachine(queue: items, loops: true, seed: 0)
    let engine = PlayerEngine(
      on: EventLoop(executor: executor), machine: machine,
      ledger: PlaybackStatistics(processStart: Instant.monotonicNow, queue: machine.queue))
    engine.owner = self
    self.engine = engine
    await withCheckedContinuation { continuation in
      isReady = continuation
      engine.feed(.start)
      engine.attach(to: .memory(size: PixelSize(width: 64, height: 36)), sound: SoundSettings(isEnabled: false))
    }
  }

  /// Makes each deck that comes up miss its preroll deadline; returns how many decks have an entry then, how many hang
  /// and how many were abandoned.
  func giveUp(_ count: Int) -> (kept: Int, hung: Int, abandoned: Int) {
    guard let engine else { return (0, 0, 0) }
    // An item that isn't built yet: its deck is still being prepared, whatever became of the others.
    engine.feed(.itemSelected(engine.machine.queue.entries[6].id))
    for _ in 0..<count {
      if let id = engine.machine.current?.id { engine.feed(.timerFired(.preroll(id))) }
    }
    let report = engine.ledger.report(version: "", output: nil, screen: nil, exitCode: 0, at: Instant.monotonicNow)
    return (engine.book.count, engine.hungDecks.count, report.decksAbandoned)
  }

  func end() async {
    await withCheckedContinuation { done in
      guard let engine else { return done.resume() }
      engine.end { done.resume() }
    }
    engine = nil
  }

  nonisolated func engine(_ engine: PlayerEngine, tells notice: EngineNotice) {
    guard case .settled = notice else { return }
    assumeIsolated { bench in
      guard let current = bench.engine?.machine.current, !current.isPreparing else { return }
      bench.isReady?.resume()
      bench.isReady = nil
    }
  }
}

@Suite("The engine's book of decks", .serialized)
struct DeckBookTests {
  @Test("The engine forgets a deck that it gave up, except that it counts as hung")
  func givenUp() async throws {
    let film = try await clip(twoSeconds)
    let bench = try BookBench()
    await bench.begin(Array(repeating: film, count: 12))
    let (kept, hung, abandoned) = await bench.giveUp(16)
    #expect(abandoned == 16 && hung == 16)
    // Two left decks on their way down, and the newest.
    #expect(kept <= 3, "\(kept) decks are known")
    await bench.end()
  }
}

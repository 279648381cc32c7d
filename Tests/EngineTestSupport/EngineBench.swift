package import MainLoop
package import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

/// An engine with a fake stage and a time of its own, on a loop. A test runs inside of it (`run`).
package actor EngineBench: PlayerEngineOwner {
  package nonisolated let executor: GLibExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// What the engine has told.
  package enum Told: Hashable {
    case notice(PlaybackNotice)
    case ready
    case avoids(String)
    case gaveUp(DeckID)
  }

  private struct Parts {
    let engine: PlayerEngine
    let playback: FakePlayback
  }

  private let items: [MediaItem]
  private let start: Instant
  private var made: Parts?
  package private(set) var told: [Told] = []
  /// What was to be done about an output that shows nothing.
  package private(set) var stuck: [OutputHealth.Step] = []
  /// How often it has told that something may be another thing, and how often that only a film has gone on.
  package private(set) var settled = 0
  package private(set) var followed = 0
  /// Those that are to be seen.
  package private(set) var subtitles: [SubtitleCue] = []

  /// - Parameters:
  ///   - items: a queue that doesn't loop.
  ///   - executor: nil is a loop of its own.
  ///   - start: the time at which it begins.
  package init(
    _ items: [MediaItem], executor: GLibExecutor? = nil, start: Instant = Instant(nanoseconds: 1_000_000_000_000)
  ) throws {
    self.executor = try executor ?? GLibExecutor.start(name: "engine-bench")
    self.items = items
    self.start = start
  }

  private var parts: Parts {
    if let made { return made }
    let playback = FakePlayback(executor: executor, start: start)
    let machine = PlaybackMachine(queue: items, loops: false, seed: 0)
    let engine = PlayerEngine(
      on: EventLoop(executor: executor), machine: machine,
      ledger: PlaybackLedger(processStart: start, queue: machine.queue), clock: playback.clock,
      makeOutput: playback.stage.makeOutput)
    engine.owner = self
    let parts = Parts(engine: engine, playback: playback)
    made = parts
    return parts
  }

  package var engine: PlayerEngine { parts.engine }
  package var stage: FakeStage { parts.playback.stage }
  package var clock: ManualClock { parts.playback.clock }
  package var machine: PlaybackMachine { parts.engine.machine }
  package var report: PlaybackReport {
    engine.ledger.report(version: "", output: nil, screen: nil, exitCode: 0, at: clock.now)
  }

  package func run(_ body: @Sendable (isolated EngineBench) async throws -> Void) async throws { try await body(self) }

  /// Starts playback on a screen, up to what comes of that without time going on.
  package func begin() async {
    engine.feed(.start)
    attach()
    await settle()
  }

  package func attach() {
    engine.attach(to: .memory(size: PixelSize(width: 64, height: 36)), sound: SoundSettings(isEnabled: false))
  }

  /// Until all that was told has been handled, and what came of that.
  package func settle() async { await parts.playback.settle() }

  /// Has time go on, with every timer in its turn.
  package func advance(by duration: Duration) async { await parts.playback.advance(by: duration) }

  /// Has the newest output show a frame of the current deck.
  package func showFrame(at position: Duration) async {
    await parts.playback.showFrame(of: machine.current?.id, at: position)
  }

  package nonisolated func engine(_ engine: PlayerEngine, tells notice: PlaybackNotice) {
    assumeIsolated { $0.told.append(.notice(notice)) }
  }
  package nonisolated func engine(_ engine: PlayerEngine, output event: OutputEvent) {
    if case .ready = event { assumeIsolated { $0.told.append(.ready) } }
  }
  package nonisolated func engine(_ engine: PlayerEngine, deck: DeckID, tells event: DeckEvent) {}
  package nonisolated func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue]) {
    assumeIsolated { $0.subtitles = subtitles }
  }
  package nonisolated func engine(_ engine: PlayerEngine, avoids decoder: String) {
    assumeIsolated { $0.told.append(.avoids(decoder)) }
  }
  package nonisolated func engine(_ engine: PlayerEngine, gaveUp deck: DeckID) {
    assumeIsolated { $0.told.append(.gaveUp(deck)) }
  }
  package nonisolated func engine(
    _ engine: PlayerEngine, outputIsStuck step: OutputHealth.Step, _ error: VitrineError
  ) {
    assumeIsolated { $0.stuck.append(step) }
  }
  package nonisolated func engineDidSettle(_ engine: PlayerEngine) { assumeIsolated { $0.settled += 1 } }
  package nonisolated func engineShowedFrame(_ engine: PlayerEngine) { assumeIsolated { $0.followed += 1 } }
}

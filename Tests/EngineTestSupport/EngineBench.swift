package import MainLoop
import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

/// An engine with a fake stage and a simulated time, on a loop. A test runs within it (`run`).
package actor EngineBench: PlayerEngineOwner {
  package nonisolated let executor: GLibExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Reports that the engine has sent to its owner.
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
  /// Steps that were to be taken about an output that shows nothing.
  package private(set) var stuck: [OutputHealth.Step] = []
  /// How often the engine has settled, and how often after a frame alone.
  package private(set) var settled = 0
  package private(set) var followed = 0
  /// The subtitles shown now.
  package private(set) var subtitles: [SubtitleCue] = []

  /// - Parameters:
  ///   - items: a queue that doesn't loop.
  ///   - executor: nil makes a loop of its own.
  ///   - start: the first instant of the simulated time.
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
      ledger: PlaybackStatistics(processStart: start, queue: machine.queue), clock: playback.clock,
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

  /// Starts playback on a screen, and handles everything that happens without time going on.
  package func begin() async {
    engine.feed(.start)
    attach()
    await settle()
  }

  package func attach() {
    engine.attach(to: .memory(size: PixelSize(width: 64, height: 36)), sound: SoundSettings(isEnabled: false))
  }

  /// Waits until all events have been handled, with their consequences.
  package func settle() async { await parts.playback.settle() }

  /// Advances the time, firing each timer when it is due.
  package func advance(by duration: Duration) async { await parts.playback.advance(by: duration) }

  /// Makes the newest output show a frame of the current deck.
  package func showFrame(at position: Duration) async {
    await parts.playback.showFrame(of: machine.current?.id, at: position)
  }

  package nonisolated func engine(_ engine: PlayerEngine, tells notice: EngineNotice) {
    assumeIsolated { $0.note(notice) }
  }

  private func note(_ notice: EngineNotice) {
    switch notice {
    case .playback(let notice): told.append(.notice(notice))
    case .output(.ready): told.append(.ready)
    case .subtitlesChanged(let shown): subtitles = shown
    case .decoderAvoided(let decoder): told.append(.avoids(decoder))
    case .deckGivenUp(let deck): told.append(.gaveUp(deck))
    case .outputStuck(let step, _): stuck.append(step)
    case .settled(let isOnlyFrame): if isOnlyFrame { followed += 1 } else { settled += 1 }
    case .output, .deck, .outputRecovered: break
    }
  }
}

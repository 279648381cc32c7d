import EngineTestSupport
import MediaPipeline
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("The engine and an output that fails without an error (0139)")
struct EngineHealthTests {
  private let limit = OutputHealth.Policy().limit + OutputHealth.Policy().interval * 2

  static func bench(_ names: [String] = ["a", "b"]) throws -> EngineBench {
    try EngineBench(names.map { MediaItem(uri: "file:///\($0).mp4", kind: .file) })
  }

  @Test("A sink that holds a frame past its time is reported once and counted; a paused one isn't")
  func blocks() async throws {
    let limit = limit
    try await Self.bench().run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.advance(by: .seconds(60))
      #expect(bench.stuck.isEmpty, "nothing came that it could have shown")
      let output = try #require(bench.stage.outputs.last)
      output.activity = OutputActivity(deck: bench.machine.current?.id, waitingSince: bench.clock.now)
      await bench.advance(by: limit)
      #expect(bench.stuck == [.rebuild] && bench.report.outputFaults == 1)
    }
  }

  @Test("A paused engine, or one with frames of a deck that was left, waits for nothing, and no timer wakes the loop")
  func quiet() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      let output = try #require(bench.stage.outputs.last)
      output.activity = OutputActivity(deck: DeckID(generation: 99), waitingSince: bench.clock.now)
      await bench.advance(by: .seconds(30))
      #expect(bench.stuck.isEmpty)
      bench.engine.feed(.pauseRequested)
      await bench.advance(by: .seconds(2))
      #expect(bench.engine.watch.timer == nil)
      bench.engine.feed(.playRequested)
      #expect(bench.engine.watch.timer != nil)
    }
  }

  @Test("A picture wakes no timer until its time is over, but an overlay above it is watched")
  func picture() async throws {
    let limit = limit
    try await EngineBench([MediaItem(uri: "file:///a.png", kind: .picture, pictureDuration: .seconds(3600))]).run {
      bench in
      bench.stage.medium = { _ in .film(.seconds(3600)) }
      await bench.begin()
      let output = try #require(bench.stage.outputs.last)
      let deck = try #require(bench.machine.current?.id)
      output.activity = OutputActivity(deck: deck)
      output.show(try #require(bench.stage.deck(deck)), at: .zero, now: bench.clock.now, stays: .seconds(3600))
      await bench.settle()
      await bench.advance(by: .seconds(5))
      let before = bench.clock.wakeUps
      await bench.advance(by: .seconds(600))
      #expect(bench.clock.wakeUps == before && bench.engine.watch.isAtRest)
      // An overlay is drawn above it, and the overlay's thread doesn't return.
      let begun = bench.clock.now
      bench.engine.watchOverlay { begun }
      bench.engine.watchOutput()
      await bench.advance(by: limit + .seconds(1))
      #expect(bench.stuck == [.replace])
    }
  }

  @Test(
    "An output that fails three times with one item is tried with another; once that is shown, the first item fails"
  )
  func fails() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      let (first, second) = (bench.machine.queue.entries[0].id, bench.machine.queue.entries[1].id)
      for count in 1...3 {
        #expect(bench.machine.current?.item == first && bench.stuck.isEmpty, "\(count)")
        bench.stage.outputs.last?.emit(.failed(VitrineError(5401, subject: "", message: "", remedy: "")))
        await bench.settle()
        bench.engine.detach()
        await bench.settle()
        bench.attach()
        await bench.settle()
      }
      #expect(bench.stuck == [.passOver] && bench.machine.current?.item == second)
      for second in 0..<12 {
        await bench.showFrame(at: .seconds(second) / 2)
        await bench.advance(by: .seconds(1))
      }
      #expect(bench.machine.failures.mark(of: first)?.error.number == 3060)
    }
  }

  @Test("If a sink drops all frames of an item, another is tried; once that is shown, the first item fails")
  func drops() async throws {
    let limit = limit
    try await Self.bench().run { bench in
      await bench.begin()
      let (first, second) = (bench.machine.queue.entries[0].id, bench.machine.queue.entries[1].id)
      let output = try #require(bench.stage.outputs.last)
      output.activity = OutputActivity(deck: bench.machine.current?.id, waitingSince: bench.clock.now, dropped: 9)
      await bench.advance(by: limit)
      #expect(bench.stuck == [.passOver] && bench.machine.current?.item == second)
      #expect(bench.machine.failures.mark(of: first) == nil)
      output.activity = OutputActivity(deck: bench.machine.current?.id)
      for second in 0..<12 {
        await bench.showFrame(at: .seconds(second) / 2)
        await bench.advance(by: .seconds(1))
      }
      #expect(bench.machine.failures.mark(of: first)?.error.number == 3060)
      #expect(bench.stuck == [.passOver] && bench.stage.outputs.count == 1)
    }
  }

  @Test("An output that isn't ready in time is reported too")
  func opening() async throws {
    let limit = limit
    try await Self.bench().run { bench in
      bench.stage.opening = .hangs
      await bench.begin()
      await bench.advance(by: limit)
      #expect(bench.stuck == [.rebuild])
      // An output that reports a failed opening isn't watched further.
      bench.engine.detach()
      bench.stage.opening = .failed(VitrineError(5401, subject: "s", message: "m", remedy: "r"))
      bench.attach()
      await bench.advance(by: .seconds(60))
      #expect(bench.stuck == [.rebuild])
    }
  }

  @Test("An overlay that isn't finished in time is reported, during a pause too")
  func overlay() async throws {
    let limit = limit
    try await Self.bench().run { bench in
      await bench.begin()
      bench.engine.feed(.pauseRequested)
      await bench.advance(by: .seconds(5))
      let begun = bench.clock.now
      bench.engine.watchOverlay { begun }
      bench.engine.watchOutput()
      await bench.advance(by: limit)
      #expect(bench.stuck == [.replace])
    }
  }

  @Test("Retired outputs are listened to until they are down, even after the end of playback")
  func endWithRetired() async throws {
    try await Self.bench().run { bench in
      bench.stage.outputHangs = true
      await bench.begin()
      var (detached, ended) = (0, 0)
      bench.engine.detach { detached += 1 }
      bench.engine.end { ended += 1 }
      await bench.settle()
      #expect(ended == 1 && detached == 0)
      bench.stage.outputs[0].emit(.closed)
      await bench.settle()
      #expect(detached == 1 && !bench.engine.hasAbandonedOutput)
    }
  }

  @Test("A live deck that is rebuilt because of a silent decoder is told to play again")
  func liveRebuilt() async throws {
    let camera = MediaItem(uri: "rtsp://camera/1", kind: .rtsp)
    try await EngineBench([camera]).run { bench in
      bench.stage.medium = { _ in
        FakeStage.Medium(readiness: DeckReadiness(isLive: true, isSeekable: false), decoder: nil)
      }
      await bench.begin()
      let first = try #require(bench.stage.decks.first)
      #expect(first.commands.contains { if case .play = $0 { true } else { false } })
      // A live source is ready before its decoder has data.
      first.emit(.decoding("v4l2h264dec"))
      await bench.settle()
      await bench.advance(by: DecoderFallback.firstPicture)
      #expect(bench.stage.decks.count == 2 && first.wasDropped)
      let base = try #require(bench.machine.current?.base)
      #expect(bench.stage.decks[1].commands.last == .play(base: base))
    }
  }

  @Test("A lost clock is counted, and the deck restarted")
  func clock() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      let deck = try #require(bench.machine.current.flatMap { bench.stage.deck($0.id) })
      let base = try #require(bench.machine.current?.base)
      deck.emit(.clockLost)
      bench.stage.outputs[0].emit(.clockLost)
      await bench.settle()
      #expect(deck.commands.suffix(2) == [.pause, .play(base: base)] && bench.report.clockLosses == 2)
      #expect(bench.engine.ledger.counters[.clockLosses] == 2)
    }
  }
}

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

  @Test("A sink that isn't done with a frame for its time is told, once, and counted; one that is paused is not")
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

  @Test("Paused, at the end, or with frames of a deck that was left, nothing is waited for and nothing wakes the loop")
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

  @Test("A picture that stays wakes nobody until its time is over; what comes above it is watched")
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
      // A bar is drawn above it, and its thread doesn't come back.
      let begun = bench.clock.now
      bench.engine.watchOverlay { begun }
      bench.engine.watchOutput()
      await bench.advance(by: limit + .seconds(1))
      #expect(bench.stuck == [.replace])
    }
  }

  @Test("A sink that drops all: the other item is tried without a mark; shown, the first one is told as failed")
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

  @Test("An output that isn't ready in time is told too")
  func opening() async throws {
    let limit = limit
    try await Self.bench().run { bench in
      bench.stage.opening = .hangs
      await bench.begin()
      await bench.advance(by: limit)
      #expect(bench.stuck == [.rebuild])
      // One that says that it can't be opened has said all there is.
      bench.engine.detach()
      bench.stage.opening = .failed(VitrineError(5401, subject: "s", message: "m", remedy: "r"))
      bench.attach()
      await bench.advance(by: .seconds(60))
      #expect(bench.stuck == [.rebuild])
    }
  }

  @Test("A picture above the video that isn't done is told, in a pause too")
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

  @Test("Outputs of the past are heard until they are down, though playback is over")
  func endWithRetired() async throws {
    try await Self.bench().run { bench in
      bench.stage.outputHangs = true
      await bench.begin()
      var (detached, ended) = (0, 0)
      bench.engine.detach { detached += 1 }
      bench.engine.end { ended += 1 }
      await bench.settle()
      #expect(ended == 1 && detached == 0)
      bench.stage.outputs[0].tell(.closed)
      await bench.settle()
      #expect(detached == 1 && !bench.engine.hasAbandonedOutput)
    }
  }

  @Test("A deck on air whose decoder was silent is told to play when it is built anew")
  func liveRebuilt() async throws {
    let camera = MediaItem(uri: "rtsp://camera/1", kind: .rtsp)
    try await EngineBench([camera]).run { bench in
      bench.stage.medium = { _ in
        FakeStage.Medium(readiness: DeckReadiness(isLive: true, isSeekable: false), decoder: nil)
      }
      await bench.begin()
      let first = try #require(bench.stage.decks.first)
      #expect(first.commands.contains { if case .play = $0 { true } else { false } })
      // On air a source is ready before its decoder has data.
      first.tell(.decoding("v4l2h264dec"))
      await bench.settle()
      await bench.advance(by: DecoderLadder.firstPicture)
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
      deck.tell(.clockLost)
      bench.stage.outputs[0].tell(.clockLost)
      await bench.settle()
      #expect(deck.commands.suffix(2) == [.pause, .play(base: base)] && bench.report.clockLosses == 2)
      #expect(bench.engine.ledger.counters.clockLosses == 2)
    }
  }
}

import CGStreamer
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline
@testable import VitrinePlayback

/// An engine on its own loop that records every event and action.
private actor TraceBench: PlayerEngineOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var engine: PlayerEngine?
  private var trace: BusTrace
  private var waiting: (isMet: (PlaybackMachine) -> Bool, done: CheckedContinuation<Void, Never>)?
  private var deadline: EventSource?

  init(_ items: [MediaItem], loops: Bool = false, remarks: [String]) throws {
    try GStreamerLibrary.start()
    executor = try GLibExecutor.start(name: "trace")
    trace = BusTrace(remarks: remarks, start: BusTrace.Start(items: items, loops: loops))
  }

  func begin() {
    let machine = PlaybackMachine(queue: trace.start.items, loops: trace.start.loops, seed: 0)
    let engine = PlayerEngine(
      on: EventLoop(executor: executor), machine: machine,
      ledger: PlaybackStatistics(processStart: Instant.monotonicNow, queue: machine.queue))
    engine.owner = self
    engine.trace = { [weak self] at, event, actions in
      self?.assumeIsolated { $0.trace.steps.append(BusTrace.Step(at: at, event: event, actions: actions)) }
    }
    self.engine = engine
    engine.feed(.start)
    engine.attach(to: .memory(size: PixelSize(width: 640, height: 360)), sound: SoundSettings(isEnabled: false))
  }

  func feed(_ event: PlaybackEvent) { engine?.feed(event) }

  /// Posts a message on the current deck's bus.
  func post(_ message: @Sendable (UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstMessage>?) {
    guard let engine, let id = engine.machine.current?.id, let pipeline = engine.deck(id)?.parts.pipeline.pointer,
      let message = message(pipeline)
    else { return }
    gst_element_post_message(pipeline, message)
  }

  /// Waits until the condition holds; at most a minute.
  func wait(until isMet: @escaping @Sendable (PlaybackMachine) -> Bool) async {
    guard let engine, !isMet(engine.machine) else { return }
    let giveUp = EventLoop(executor: executor).after(.seconds(60)) { [weak self] in
      self?.assumeIsolated { $0.met() }
    }
    deadline = giveUp
    await withCheckedContinuation { waiting = (isMet, $0) }
  }

  private func met() {
    let done = waiting?.done
    waiting = nil
    deadline = nil
    done?.resume()
  }

  func wait(_ time: Duration) async {
    await withCheckedContinuation { done in
      deadline = EventLoop(executor: executor).after(time) { done.resume() }
    }
  }

  func end() async -> BusTrace {
    await withCheckedContinuation { done in
      guard let engine else { return done.resume() }
      engine.end { done.resume() }
    }
    engine = nil
    return trace
  }

  nonisolated func engine(_ engine: PlayerEngine, tells notice: EngineNotice) {
    guard case .settled = notice else { return }
    assumeIsolated { $0.check() }
  }

  private func check() {
    guard let machine = engine?.machine, let waiting, waiting.isMet(machine) else { return }
    met()
  }
}

/// Runs of real pipelines, which Tests/Tools/record-bus-trace writes to Tests/PlaybackCoreTests/Traces. An ordinary
/// test run checks them and writes nothing.
@Suite("Bus traces of real runs", .serialized)
struct TraceRecorder {
  private func record(
    _ name: String, _ what: String, _ items: [MediaItem], hiding address: (String, by: String)? = nil,
    _ run: (TraceBench) async throws -> Void
  ) async throws -> BusTrace {
    let bench = try TraceBench(items, remarks: ["\(what) Recorded by Tests/Tools/record-bus-trace."])
    await bench.begin()
    try await run(bench)
    let trace = await bench.end()
    #expect(trace.steps.last?.event == .stopRequested || trace.steps.contains { $0.event == .stopRequested })
    if isRecordingTraces {
      var replacing = ["file://" + (try await clip("").uri.dropFirst(7)): "file:///media/"]
      if let address { replacing[address.0] = address.by }
      try trace.save(as: name, replacing: replacing)
    }
    return trace
  }

  private func facts(_ trace: BusTrace, _ isMeant: (PlaybackEvent) -> Bool) -> Int {
    trace.steps.count { isMeant($0.event) }
  }

  @Test("A clean file plays from its start to its end")
  func cleanFile() async throws {
    let trace = try await record(
      "clean-file", "A clip of two seconds, played to its end.", [try await clip(twoSeconds)]
    ) {
      await $0.wait { $0.isAtEnd }
    }
    #expect(facts(trace) { if case .frameShown = $0 { true } else { false } } > 20)
  }

  @Test("A queue of a film, a picture and another film plays to its end")
  func endOfQueue() async throws {
    var picture = try await clip("picture-640x480.jpg", kind: .picture)
    picture.pictureDuration = .milliseconds(500)
    let items = [try await clip(twoSeconds), picture, try await clip("vp8-vorbis-320x240-25.webm")]
    let trace = try await record("end-of-queue", "A film, a picture and another film; nothing follows.", items) {
      await $0.wait { $0.isAtEnd }
    }
    #expect(facts(trace) { if case .deckReady = $0 { true } else { false } } == 3)
  }

  @Test(
    "On a slow link playback waits for data, and runs dry again",
    .enabled(if: isRecordingTraces, "it takes half a minute; Tests/Tools/record-bus-trace runs it"))
  func buffering() async throws {
    let served = try await ServedClip(minute, "rate=100000&burst=500000")
    let trace = try await record(
      "buffering", "A clip of 200 kB/s over a link of 100 kB/s, the first 0.5 MB at once.", [served.item],
      hiding: (served.origin, "http://media.test")
    ) { bench in
      await bench.wait { if case .playing = $0.current?.phase { true } else { false } }
      await bench.wait { $0.waitingReason == .buffering }
      await bench.wait(.seconds(2))
    }
    #expect(facts(trace) { if case .bufferingChanged = $0 { true } else { false } } > 2)
  }

  @Test("Many seeks in quick succession, during playback and during a pause")
  func seekStorm() async throws {
    let trace = try await record(
      "seek-storm", "Forty seeks, two hundredths of a second apart; a pause among them.", [try await clip(minute)]
    ) { bench in
      await bench.wait { ($0.current?.framesShownSoFar ?? 0) > 5 }
      for index in 0..<40 {
        let target = Duration.milliseconds(1500 * (index * 7 % 40))
        await bench.feed(.seekRequested(to: target, index % 3 == 0 ? .exact : .nearestKeyframe))
        if index == 15 { await bench.feed(.pauseRequested) }
        if index == 30 { await bench.feed(.playRequested) }
        await bench.wait(.milliseconds(20))
      }
      await bench.wait { $0.seekTarget == nil }
      await bench.wait(.milliseconds(500))
    }
    #expect(facts(trace) { if case .seekFinished = $0 { true } else { false } } > 1)
  }

  @Test("A broken item between two good ones fails once")
  func failingItem() async throws {
    let items = [try await clip(twoSeconds), try await clip("text.mp4"), try await clip("vp8-vorbis-320x240-25.webm")]
    let trace = try await record("failing-item", "The second of three items is no video.", items) {
      await $0.wait { $0.isAtEnd }
    }
    #expect(facts(trace) { if case .deckFailed = $0 { true } else { false } } == 1)
  }

  @Test("A seek in a live stream isn't sent to its deck")
  func live() async throws {
    let source = try LiveClip()
    let trace = try await record(
      "live", "A live stream over UDP; a seek is asked for in vain.", [source.item],
      hiding: (source.item.uri, "udp://239.0.0.1:5004")
    ) {
      bench in
      await bench.wait { ($0.current?.framesShownSoFar ?? 0) > 10 }
      await bench.feed(.seekRequested(to: .seconds(5), .exact))
      await bench.wait(.seconds(1))
    }
    #expect(!trace.steps.flatMap(\.actions).contains { if case .seekDeck = $0 { true } else { false } })
    withExtendedLifetime(source) {}
  }

  @Test("A deck that loses its clock in the middle of an item is restarted at its position")
  func clockLost() async throws {
    let trace = try await record(
      "clock-lost", "A deck's bus says CLOCK_LOST in the middle of the item; it goes to PAUSED and back to PLAYING.",
      [try await clip(twoSeconds)]
    ) { bench in
      await bench.wait { ($0.current?.framesShownSoFar ?? 0) > 10 }
      await bench.post { pipeline in
        guard let clock = gst_system_clock_obtain() else { return nil }
        defer { gst_object_unref(clock) }
        return gst_message_new_clock_lost(
          UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self), clock)
      }
      await bench.wait { $0.isAtEnd }
    }
    #expect(facts(trace) { if case .frameShown = $0 { true } else { false } } > 20)
    // Between its start and its end the deck is held once, and played again at once.
    let end = trace.steps.firstIndex { if case .timerFired(.end) = $0.event { true } else { false } }
    let early = trace.steps.prefix(end ?? trace.steps.count).flatMap(\.actions)
    #expect(early.count { if case .pauseDeck = $0 { true } else { false } } == 1)
    #expect(early.count { if case .playDeck = $0 { true } else { false } } == 2)
  }
}

extension PlaybackDeck {
  fileprivate var framesShownSoFar: Int { hasShownFrames ? Int(position / .milliseconds(33)) : 0 }
}

import Testing

@testable import PlaybackCore

@Suite("Playback machine: a board whose decoder takes one stream")
struct OneStreamTests {
  private static let policy: PlaybackPolicy = {
    var policy = PlaybackPolicy()
    policy.decodesOneStream = true
    return policy
  }()
  private let ready = DeckReadiness(duration: .seconds(4))
  private let picture = MediaItem(uri: "file:///a.png", kind: .picture)

  private func bench(_ queue: [MediaItem], loops: Bool = false) -> Bench {
    Bench(queue, loops: loops, policy: Self.policy)
  }

  @Test("The next film opens when the one before has ended and is gone, and begins as soon as it can")
  func films() throws {
    var bench = bench(files(2))
    let first = bench.begin(ready)
    #expect(bench.machine.next == nil, "nothing is prepared beside a film")
    let base = try #require(bench.machine.current?.base)
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .seconds(3))
    let end = try #require(bench.due(.end(first)))
    #expect(end == base + .seconds(4))
    #expect(bench.feed(.timerFired(.end(first)), after: end - bench.now) == [.dropDeck(first)])
    #expect(bench.machine.current?.item == 1)
    #expect(bench.machine.waitingReason == .preparing)
    #expect(bench.feed(.deckGone(first), after: .milliseconds(50)) == [.building(deck(2), 1)])
    let actions = bench.feed(.deckReady(deck(2), ready), after: .milliseconds(80))
    #expect(actions == [.playDeck(deck(2), base: bench.now + lead)])
    #expect(
      bench.notices.contains(.itemStarted(item: 1, deck(2), at: bench.now + lead, isAutomatic: true)),
      "the gap counts as one of a seam")
  }

  @Test("A repeated film, and one that is selected again and again, opens once at a time")
  func requests() throws {
    var bench = bench(files(3), loops: true)
    let first = bench.begin(ready)
    #expect(bench.feed(.nextRequested) == [.dropDeck(first)])
    #expect(bench.feed(.nextRequested) == [], "the second was never built")
    #expect(bench.machine.current?.item == 2)
    let third = try #require(bench.machine.current?.id)
    #expect(bench.feed(.deckGone(first)) == [.building(third, 2)])
    bench.feed(.endActionChanged(.loopItem))
    bench.feed(.deckReady(third, ready))
    bench.feed(.frameShown(third, streamTime: .zero), after: .milliseconds(20))
    bench.feed(.streamEnded(third, .video, at: .seconds(4)))
    #expect(bench.feed(.timerFired(.end(third)), after: .seconds(5)) == [.dropDeck(third)])
    #expect(bench.machine.current?.item == 2)
  }

  @Test("A picture is prepared while a film plays, and a film while a picture is shown")
  func pictures() {
    var bench = bench([files(1)[0], picture, files(3)[2]])
    let first = bench.begin(ready)
    #expect(bench.machine.next?.item == 1)
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(10), isSeekable: false)))
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3990))
    #expect(bench.machine.current?.id == deck(2), "armed")
    bench.feed(.frameShown(deck(2), streamTime: .zero), after: .milliseconds(20))
    #expect(bench.feed(.deckGone(first)) == [.building(deck(3), 2)])
  }

  @Test("A broken item and a replaced next film that both wait for the decoder are opened when it is free")
  func bothWait() throws {
    let song = MediaItem(uri: "http://server/song.mp3", kind: .progressive)
    let films = ["b", "c"].map { MediaItem(uri: "http://server/\($0).mp4", kind: .progressive) }
    var bench = bench([song] + films)
    let first = bench.begin(DeckReadiness(duration: .seconds(60), hasVideo: false))
    let second = try #require(bench.machine.next?.id)
    var edited = bench.machine.queue
    edited.remove(1)
    bench.feed(.queueEdited(edited))
    let third = try #require(bench.machine.next?.id)
    #expect(bench.machine.next?.wait == .decoder && third != second)
    bench.feed(.deckFailed(first, VitrineError(2001, subject: "s", message: "m", remedy: "r")), after: .seconds(1))
    bench.feed(.timerFired(.starved(first)), after: .seconds(10))
    #expect(bench.machine.current?.wait == .decoder)
    bench.feed(.deckGone(second))
    bench.feed(.deckGone(first))
    #expect(bench.machine.current?.wait == nil && bench.machine.next?.wait == nil)
  }

  @Test("A film whose source breaks off is opened again when its broken deck is gone")
  func broken() {
    var bench = bench([MediaItem(uri: "http://server/clip.mp4", kind: .progressive)])
    let first = bench.begin(ready)
    let error = VitrineError(2001, subject: "s", message: "m", remedy: "r")
    bench.feed(.deckFailed(first, error), after: .seconds(1))
    #expect(bench.feed(.timerFired(.starved(first)), after: .seconds(10)) == [.dropDeck(first)])
    let actions = bench.feed(.deckGone(first))
    #expect(actions.count == 1)
    #expect(bench.machine.current?.isPreparing == true)
  }

  @Test("After an edit at the queue's end the last frame stays until play is requested")
  func appended() {
    var bench = bench(files(1))
    let first = bench.begin(ready)
    bench.feed(.streamEnded(first, .video, at: .seconds(4)))
    bench.feed(.timerFired(.end(first)), after: .seconds(5))
    #expect(bench.machine.isAtEnd)
    var queue = bench.machine.queue
    queue.append(files(2)[1])
    #expect(bench.feed(.queueEdited(queue)) == [])
    #expect(bench.machine.current?.id == first)
    bench.feed(.playRequested)
    #expect(bench.feed(.timerFired(.end(first)), after: .milliseconds(1)) == [.dropDeck(first)])
  }

  @Test("No sequence of requests opens two films at once", arguments: [5, 6, 7, 8] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    func fresh() throws -> World {
      var world = World(bench(files(2) + [picture], loops: true))
      world.decodesOneStream = true
      try world.feed(.outputReady)
      try world.feed(.start)
      return world
    }
    var world = try fresh()
    for _ in 0..<25_000 {
      try world.run(Int(generator.next() % 100_000))
      if world.isFinished { world = try fresh() }
    }
  }
}

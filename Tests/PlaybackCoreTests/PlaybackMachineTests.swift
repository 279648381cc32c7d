import Testing

@testable public import PlaybackCore

/// The machine, with a clock that the test sets and a record of its actions.
struct Bench {
  var machine: PlaybackMachine
  var now = Instant(nanoseconds: 0)
  var actions: [PlaybackAction] = []

  init(
    _ queue: [MediaItem], loops: Bool = false, startAt: Duration = .zero, policy: PlaybackPolicy = PlaybackPolicy()
  ) {
    machine = PlaybackMachine(queue: queue, loops: loops, startAt: startAt, policy: policy, seed: 0)
  }

  /// Feeds an event after `wait`; gives the actions without timers.
  @discardableResult
  mutating func feed(_ event: PlaybackEvent, after wait: Duration = .zero) -> [PlaybackAction] {
    now = now + wait
    actions = machine.handle(event, at: now)
    return actions.filter { action in
      switch action {
      case .startTimer, .cancelTimer, .tell: false
      default: true
      }
    }
  }

  var notices: [PlaybackNotice] {
    actions.compactMap { action in
      if case .tell(let notice) = action { return notice }
      return nil
    }
  }

  /// The network sends no more data, and the buffer runs dry.
  @discardableResult
  mutating func drain() -> [PlaybackAction] {
    guard let id = machine.current?.id else { return [] }
    feed(.bufferingChanged(id, percent: 0))
    return feed(.timerFired(.drained(id)), after: .milliseconds(200))
  }

  func due(_ timer: PlaybackTimer) -> Instant? {
    for action in actions.reversed() {
      if case .startTimer(timer, let at) = action { return at }
    }
    return nil
  }

  /// Plays up to the first item's first frame; gives its deck.
  mutating func begin(_ readiness: DeckReadiness = DeckReadiness(duration: .seconds(4))) -> DeckID {
    feed(.outputReady)
    feed(.start)
    let deck = deck(1)
    feed(.deckReady(deck, readiness))
    feed(.frameShown(deck, streamTime: .zero), after: .milliseconds(20))
    return deck
  }
}

func deck(_ generation: UInt32) -> DeckID { DeckID(generation: generation) }

/// The ids of the first items of a new queue, in order.
extension ItemID: ExpressibleByIntegerLiteral {
  public init(integerLiteral place: UInt64) { self.init(rawValue: place + 1) }
}

extension PlaybackAction {
  /// The action that builds a deck for one of `files`.
  static func building(_ id: DeckID, _ item: ItemID, from: Duration = .zero, rate: Double = 1) -> PlaybackAction {
    let media = MediaItem(uri: "file:///clip\(item.rawValue - 1).mp4", kind: .file)
    return .buildDeck(id, media, item: item, from: from, rate: rate)
  }
}

func files(_ count: Int) -> [MediaItem] {
  (0..<count).map { MediaItem(uri: "file:///clip\($0).mp4", kind: .file) }
}

let lead = PlaybackPolicy().openingLead

@Suite("Playback machine: start and transitions")
struct TransitionTests {
  @Test("The first deck is built when both the start and the output are there, in either order")
  func start() {
    var bench = Bench(files(1))
    #expect(bench.feed(.start) == [])
    #expect(bench.machine.waitingReason == .noOutput)
    #expect(bench.feed(.outputReady) == [.building(deck(1), 0, from: .zero, rate: 1)])
    var other = Bench(files(1))
    #expect(other.feed(.outputReady) == [])
    #expect(other.feed(.start) == [.building(deck(1), 0, from: .zero, rate: 1)])
  }

  @Test("A ready deck plays so that its first frame is due after the opening lead")
  func firstFrame() {
    var bench = Bench(files(1))
    bench.feed(.start)
    bench.feed(.outputReady)
    let actions = bench.feed(
      .deckReady(deck(1), DeckReadiness(firstRunningTime: .milliseconds(7))), after: .milliseconds(50))
    #expect(actions == [.playDeck(deck(1), base: Instant(nanoseconds: 50_000_000) + lead - .milliseconds(7))])
    #expect(bench.machine.waitingReason == nil)
  }

  @Test(
    "An item with sound begins late enough for its sound to be heard; at a seam the picture goes first")
  func firstSound() {
    var bench = Bench(files(3))
    bench.feed(.start)
    bench.feed(.outputReady)
    let sounding = DeckReadiness(duration: .seconds(4), hasSound: true)
    let policy = PlaybackPolicy()
    #expect(
      bench.feed(.deckReady(deck(1), sounding)) == [
        .playDeck(deck(1), base: Instant(nanoseconds: 0) + policy.openingLeadWithSound)
      ])
    bench.feed(.frameShown(deck(1), streamTime: .zero))
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(4)))
    bench.feed(.streamEnded(deck(1), .sound, at: .seconds(4)), after: .seconds(4))
    bench.feed(.timerFired(.end(deck(1))), after: .seconds(1))
    let late = bench.feed(.deckReady(deck(2), sounding))
    #expect(late.contains(.playDeck(deck(2), base: bench.now + policy.openingLead)), "\(late)")
  }

  @Test("The next deck is built once the first frame of the current one is on the screen")
  func prepareNext() {
    var bench = Bench(files(2))
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.deckReady(deck(1), DeckReadiness()))
    #expect(bench.feed(.frameShown(deck(1), streamTime: .zero)) == [.building(deck(2), 1, from: .zero, rate: 1)])
    #expect(bench.feed(.frameShown(deck(1), streamTime: .milliseconds(33))) == [])
  }

  @Test(
    "At the end of a stream the next deck is armed exactly at the end; the old one goes at its second frame")
  func seam() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), DeckReadiness(firstRunningTime: .milliseconds(5))))
    let armed = bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3930))
    #expect(armed == [.playDeck(deck(2), base: base + .seconds(4) - .milliseconds(5))])
    #expect(
      bench.notices.contains(
        .itemStarted(item: 1, deck(2), at: base + .seconds(4), isAutomatic: true)))
    #expect(bench.feed(.frameShown(deck(2), streamTime: .zero), after: .milliseconds(50)) == [])
    #expect(bench.feed(.frameShown(deck(2), streamTime: .milliseconds(33))) == [.dropDeck(first)])
    #expect(bench.feed(.frameShown(deck(2), streamTime: .milliseconds(66))) == [])
  }

  @Test("A looping queue builds the first item after the last, and never more than two decks live")
  func loop() {
    var bench = Bench(files(1), loops: true)
    let first = bench.begin()
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3930))
    bench.feed(.frameShown(deck(2), streamTime: .zero))
    #expect(bench.feed(.frameShown(deck(2), streamTime: .milliseconds(33))) == [.dropDeck(first)])
    #expect(bench.feed(.deckGone(first)) == [.building(deck(3), 0, from: .zero, rate: 1)])
  }

  @Test("A picture reports its end at once: the next deck is armed only shortly before that")
  func pictureEndsLater() throws {
    var bench = Bench([MediaItem(uri: "file:///a.png", kind: .picture), files(1)[0]])
    let first = bench.begin(DeckReadiness(duration: .seconds(10), isSeekable: false))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), DeckReadiness()))
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(10))) == [])
    #expect(bench.due(.arm(first)) == base + .seconds(10) - PlaybackPolicy().armLead)
    let armed = bench.feed(.timerFired(.arm(first)), after: .milliseconds(9600))
    #expect(armed == [.playDeck(deck(2), base: base + .seconds(10))])
  }

  @Test(
    "The last item of a queue without a loop stays after its last frame's time, and the end is reported (S24)")
  func endOfQueue() throws {
    var bench = Bench(files(1))
    let first = bench.begin()
    let base = try #require(bench.machine.current?.base)
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3900)) == [])
    #expect(bench.due(.end(first)) == base + .seconds(4))
    #expect(bench.feed(.timerFired(.end(first)), after: .milliseconds(100)) == [.pauseDeck(first)])
    #expect(bench.notices == [.itemEnded(item: 0, first), .queueEnded])
    #expect(bench.feed(.stopRequested) == [.dropDeck(first)])
    #expect(bench.notices == [.finished])
    #expect(bench.feed(.start) == [])
  }

  @Test("Sound that ends a little after the picture is cut, and longer sound delays the next item")
  func soundTail() {
    var bench = Bench(files(2))
    let first = bench.begin(DeckReadiness(duration: .milliseconds(4021), hasSound: true))
    bench.feed(.deckReady(deck(2), DeckReadiness()))
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3930)).count == 1)

    var long = Bench(files(2))
    let other = long.begin(DeckReadiness(duration: .seconds(6), hasSound: true))
    long.feed(.deckReady(deck(2), DeckReadiness()))
    #expect(long.feed(.streamEnded(other, .video, at: .seconds(4)), after: .milliseconds(3930)) == [])
    #expect(long.feed(.streamEnded(other, .sound, at: .seconds(6)), after: .seconds(2)).count == 1)
  }

  @Test("A next deck that isn't ready at the end takes over when it is")
  func lateNext() {
    var bench = Bench(files(2))
    let first = bench.begin()
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3930)) == [])
    bench.feed(.timerFired(.end(first)), after: .milliseconds(60))
    #expect(bench.machine.waitingReason == .preparing)
    let actions = bench.feed(.deckReady(deck(2), DeckReadiness()), after: .seconds(1))
    #expect(actions == [.playDeck(deck(2), base: bench.now + lead)])
  }

  @Test("Events of a deck that is gone change nothing")
  func staleGeneration() {
    var bench = Bench(files(1))
    _ = bench.begin()
    let before = bench.machine.current
    for event: PlaybackEvent in [
      .deckReady(deck(9), DeckReadiness()), .streamEnded(deck(9), .video, at: .zero),
      .bufferingChanged(deck(9), percent: 0), .frameShown(deck(9), streamTime: .zero), .deckGone(deck(9)),
      .seekFinished(deck(9), seek: 1, DeckReadiness()), .timerFired(.arm(deck(9))), .timerFired(.end(deck(9))),
    ] {
      #expect(bench.feed(event) == [])
    }
    #expect(bench.machine.current == before)
  }
}

@Suite("Playback machine: failures")
struct FailureTests {
  let broken = VitrineError(3001, subject: "x", message: "y", remedy: "z")

  @Test("A broken item is skipped; its last good neighbour stays on the screen until the next one shows")
  func skip() {
    var bench = Bench(files(2))
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(bench.feed(.deckFailed(deck(1), broken)) == [.building(deck(2), 1, from: .zero, rate: 1)])
    #expect(bench.notices.contains(.itemFailed(item: 0, broken)))
  }

  @Test("A broken next item is skipped while the current one plays on")
  func skipNext() {
    var bench = Bench(files(3))
    _ = bench.begin()
    let actions = bench.feed(.deckFailed(deck(2), broken))
    #expect(actions == [.dropDeck(deck(2)), .building(deck(3), 2, from: .zero, rate: 1)])
    #expect(bench.machine.current?.id == deck(1))
  }

  @Test("When every item has failed, a queue that doesn't loop ends and a looping one pauses before the next round")
  func everythingFails() {
    var bench = Bench(files(2))
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.deckFailed(deck(1), broken))
    bench.feed(.deckFailed(deck(2), broken))
    #expect(bench.notices.contains(.queueEnded))
    #expect(bench.machine.isAtEnd && bench.feed(.playRequested) == [])
    bench.feed(.deckGone(deck(1)))
    bench.feed(.deckGone(deck(2)))
    #expect(bench.feed(.itemSelected(1)) == [.building(deck(3), 1)])

    var looping = Bench(files(2), loops: true)
    looping.feed(.start)
    looping.feed(.outputReady)
    looping.feed(.deckFailed(deck(1), broken))
    looping.feed(.deckFailed(deck(2), broken))
    #expect(looping.due(.nextRound) == looping.now + PlaybackPolicy().failedRoundPause)
    #expect(looping.machine.waitingReason == .allItemsFailed)
    #expect(looping.feed(.timerFired(.nextRound)) == [.building(deck(3), 0, from: .zero, rate: 1)])
  }

  @Test("Next items that all fail aren't built in a busy loop while a good one plays")
  func boundedNext() {
    var bench = Bench(files(2), loops: true)
    _ = bench.begin()
    var built = 0
    for generation: UInt32 in 2..<10 {
      let actions = bench.feed(.deckFailed(deck(generation), broken))
      built += actions.filter { if case .buildDeck = $0 { true } else { false } }.count
    }
    #expect(built == 1)
  }

  @Test("A preroll that hangs is given up and tried again with a fresh deck, then the item counts as failed")
  func prerollHangs() {
    var bench = Bench(files(1))
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(bench.due(.preroll(deck(1))) == bench.now + PlaybackPolicy().localPrerollDeadline)
    #expect(
      bench.feed(.timerFired(.preroll(deck(1))), after: .seconds(4))
        == [.abandonDeck(deck(1)), .building(deck(2), 0, from: .zero, rate: 1)])
    #expect(bench.feed(.timerFired(.preroll(deck(2))), after: .seconds(4)).first == .abandonDeck(deck(2)))
    #expect(bench.notices.contains(.queueEnded))
  }

  @Test("A lost output drops every deck and keeps the position, from where playback continues on the next output")
  func outputLost() {
    var bench = Bench(files(2))
    let first = bench.begin()
    bench.feed(.frameShown(first, streamTime: .seconds(2)), after: .seconds(2))
    #expect(bench.feed(.outputLost) == [.dropDeck(first), .dropDeck(deck(2))])
    #expect(bench.machine.waitingReason == .noOutput)
    #expect(bench.feed(.outputReady) == [.building(deck(3), 0, from: .seconds(2), rate: 1)])
  }
}

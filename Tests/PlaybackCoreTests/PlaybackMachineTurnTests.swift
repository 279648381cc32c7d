import Testing

@testable import PlaybackCore

@Suite("Playback machine: network items that aren't ready at their turn")
struct PlaybackMachineTurnTests {
  private let refused = VitrineError(2001, subject: "s", message: "m", remedy: "r")
  private let policy = TurnPolicy()

  private func remote(_ place: Int) -> MediaItem {
    MediaItem(uri: "http://server/clip\(place).mp4", kind: .progressive)
  }

  /// `l` is a local file, and `r` is remote.
  private func queue(_ text: String) -> [MediaItem] {
    zip(text, files(text.count)).enumerated().map { $1.0 == "l" ? $1.1 : remote($0) }
  }

  /// Plays the current item to its end.
  private func end(_ bench: inout Bench, after: Duration = .seconds(4)) throws {
    let id = try #require(bench.machine.current?.id)
    bench.feed(.frameShown(id, streamTime: after - .milliseconds(100)), after: after - .milliseconds(100))
    bench.feed(.streamEnded(id, .video, at: after), after: .milliseconds(100))
    bench.feed(.timerFired(.end(id)), after: .milliseconds(20))
  }

  /// Shows the first frame of the deck in preparation.
  private func show(_ bench: inout Bench) throws {
    let waited = bench.machine.current?.hasEnded == true ? bench.machine.next : bench.machine.current
    let id = try #require(waited?.id)
    bench.feed(.deckReady(id, DeckReadiness(duration: .seconds(4))), after: .milliseconds(100))
    bench.feed(.frameShown(id, streamTime: .zero), after: .milliseconds(20))
    bench.feed(.frameShown(id, streamTime: .milliseconds(40)), after: .milliseconds(40))
    if let retiring = bench.machine.retiring?.id { bench.feed(.deckGone(retiring), after: .milliseconds(10)) }
  }

  private func played(_ bench: Bench) -> ItemID? { bench.machine.current?.item }

  @Test("At a seam a network item is waited for a few seconds; then the next local item plays")
  func seam() throws {
    var bench = Bench(queue("lrrll"), loops: true)
    _ = bench.begin()
    try end(&bench)
    #expect(bench.machine.next?.item == 1)
    let ended = bench.now
    let due = try #require(bench.due(.turn))
    #expect(due == ended + policy.opening)
    #expect(bench.feed(.timerFired(.turn), after: policy.opening - .milliseconds(1)) == [])
    let actions = bench.feed(.timerFired(.turn), after: .milliseconds(1))
    #expect(actions == [.dropDeck(deck(2)), .building(deck(3), 3)])
    #expect(bench.notices.contains(.itemPassed(item: 1)))
    #expect(bench.machine.failures.mark(of: 1) == nil, "it is no failure")
    try show(&bench)
    #expect(played(bench) == 3)
    // The list continues from there and comes back to the item.
    try end(&bench)
    try show(&bench)
    #expect(played(bench) == 4)
    try end(&bench)
    try show(&bench)
    #expect(played(bench) == 0 && bench.machine.next?.item == 1)
  }

  @Test("A network item that is ready within that time plays")
  func inTime() throws {
    var bench = Bench(queue("lrl"), loops: true)
    _ = bench.begin()
    try end(&bench)
    let actions = bench.feed(
      .deckReady(deck(2), DeckReadiness(duration: .seconds(4))), after: policy.opening - .milliseconds(1))
    #expect(actions == [.playDeck(deck(2), base: bench.now + lead)])
    #expect(bench.actions.contains(.cancelTimer(.turn)))
    #expect(bench.feed(.timerFired(.turn), after: .seconds(1)) == [])
    #expect(played(bench) == 1)
  }

  @Test("An item passed over isn't waited for the next time, unless the item before it was too short")
  func again() throws {
    for length in [Duration.seconds(4), .seconds(1)] {
      var bench = Bench(queue("lr"), loops: true)
      _ = bench.begin()
      try end(&bench, after: length)
      bench.feed(.timerFired(.turn), after: policy.opening)
      #expect(bench.machine.next?.item == 0)
      try show(&bench)
      let begun = bench.now
      #expect(bench.machine.next?.item == 1)
      try end(&bench, after: length)
      if length >= policy.opening {
        #expect(bench.machine.next?.item == 0, "at once")
      } else {
        let due = try #require(bench.machine.turns.waits?.due)
        #expect(due > bench.now && due <= begun + policy.opening)
      }
      // After it has played, the item is waited for again.
      if length < policy.opening { bench.feed(.timerFired(.turn), after: policy.opening) }
      try show(&bench)
      bench.feed(.deckReady(try #require(bench.machine.next?.id), DeckReadiness(duration: .seconds(4))))
      try end(&bench, after: length)
      #expect(played(bench) == 1)
      try show(&bench)
      #expect(bench.machine.turns.passedOver == [])
    }
  }

  @Test("At the start a network item is waited for as long before a file's first frame")
  func start() throws {
    var bench = Bench(queue("rrl"), loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(bench.feed(.timerFired(.turn), after: policy.opening - .milliseconds(1)) == [])
    #expect(bench.feed(.timerFired(.turn), after: .milliseconds(1)) == [.building(deck(2), 2)])
    try show(&bench)
    #expect(played(bench) == 2 && bench.machine.next?.item == 0)
  }

  @Test("Several network items that fail in turn make the screen wait once")
  func failing() throws {
    var bench = Bench(queue("lrrrl"), loops: true)
    _ = bench.begin()
    try end(&bench)
    for _ in 0..<2 {
      let id = try #require(bench.machine.next?.id)
      bench.feed(.deckFailed(id, refused), after: .seconds(1))
    }
    #expect(bench.machine.next?.item == 3)
    bench.feed(.timerFired(.turn), after: policy.opening - .seconds(2))
    #expect(bench.machine.next?.item == 4)
  }

  @Test("A network item is waited for when no local one can play: alone, among network items, beside bad files")
  func nothingElse() throws {
    for text in ["r", "rr", "lr"] {
      var bench = Bench(queue(text), loops: true)
      bench.feed(.start)
      bench.feed(.outputReady)
      if text == "lr" {
        bench.feed(.deckFailed(deck(1), VitrineError(3002, subject: "s", message: "m", remedy: "r")))
      }
      let waited = try #require(bench.machine.current)
      #expect(bench.feed(.timerFired(.turn), after: .seconds(20)) == [], "\(text)")
      #expect(bench.machine.current?.id == waited.id)
    }
    // A copy that comes meanwhile counts as local.
    var bench = Bench(queue("rr"), loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.timerFired(.turn), after: .seconds(20))
    bench.feed(.copiesChanged(["http://server/clip1.mp4": MediaCopy(uri: "file:///store/1.mp4")]))
    #expect(played(bench) == 1 && bench.machine.current?.media.isCopy == true)
    // A list without a loop has no item after its end.
    var once = Bench(queue("lr"))
    _ = once.begin()
    try end(&once)
    once.feed(.timerFired(.turn), after: .seconds(20))
    #expect(once.machine.next?.item == 1)
  }

  @Test("A network item that has its first frame and fills its buffer is given longer")
  func filling() throws {
    var bench = Bench(queue("lrl"), loops: true)
    _ = bench.begin()
    try end(&bench)
    bench.feed(.bufferingChanged(deck(2), percent: 1))
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    for _ in 0..<9 {
      bench.feed(.bufferingChanged(deck(2), percent: 2), after: .seconds(1))
      #expect(bench.machine.next?.item == 1)
    }
    bench.feed(.bufferingChanged(deck(2), percent: 3), after: .seconds(1))
    #expect(bench.machine.next?.item == 2)
  }

  @Test("A selected item is waited for; an item that breaks off has the time of skip_after")
  func asked() throws {
    var chosen = Bench(queue("lrl"), loops: true)
    _ = chosen.begin()
    chosen.feed(.itemSelected(1))
    #expect(chosen.feed(.timerFired(.turn), after: .seconds(20)) == [])
    #expect(played(chosen) == 1)

    var broken = Bench(queue("rl"), loops: true)
    _ = broken.begin(DeckReadiness(duration: .seconds(60)))
    broken.feed(.frameShown(deck(1), streamTime: .seconds(5)), after: .seconds(5))
    broken.feed(.deckFailed(deck(1), refused))
    broken.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    broken.feed(.timerFired(.turn), after: .seconds(20))
    #expect(played(broken) == 0)

    // A skip goes to the next item that can be shown.
    var skipped = Bench(queue("lrl"), loops: true)
    _ = skipped.begin()
    skipped.feed(.nextRequested)
    skipped.feed(.timerFired(.turn), after: policy.opening)
    #expect(played(skipped) == 2)

    var lost = Bench(queue("rl"), loops: true)
    _ = lost.begin(DeckReadiness(duration: .seconds(60)))
    lost.feed(.outputLost, after: .seconds(5))
    lost.feed(.outputReady, after: .seconds(5))
    lost.feed(.timerFired(.turn), after: .seconds(20))
    #expect(played(lost) == 0)
  }

  @Test("No item is passed over in a pause, with the screen off, or while one item repeats")
  func held() throws {
    for event in [PlaybackEvent.pauseRequested, .suppressed(.screenOff), .endActionChanged(.loopItem)] {
      var bench = Bench(queue("rl"), loops: true)
      bench.feed(.start)
      bench.feed(.outputReady)
      bench.feed(event)
      bench.feed(.timerFired(.turn), after: .seconds(20))
      #expect(played(bench) == 0, "\(event)")
    }
    // The wait starts when the screen needs the item.
    var bench = Bench(queue("rl"), loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.pauseRequested)
    bench.feed(.playRequested, after: .seconds(100))
    #expect(bench.due(.turn) == bench.now + policy.opening)
  }

  @Test("A shuffled list passes over to a file of the same round or the next, and no item is lost")
  func shuffled() throws {
    for seed in UInt64(0)..<20 {
      let items = queue("rlrlr")
      var bench = Bench(items, loops: true)
      var edited = bench.machine.queue
      edited.shuffle = seed
      bench.feed(.queueEdited(edited))
      bench.feed(.start)
      bench.feed(.outputReady)
      var seen: Set<ItemID> = []
      for _ in 0..<12 {
        let waited = bench.machine.current?.hasEnded == true ? bench.machine.next : bench.machine.current
        if waited?.media.isRemote == true { bench.feed(.timerFired(.turn), after: .seconds(4)) }
        for retiring in [bench.machine.retiring?.id].compactMap({ $0 }) { bench.feed(.deckGone(retiring)) }
        try show(&bench)
        seen.insert(try #require(played(bench)))
        try end(&bench)
      }
      #expect(seen == [1, 3], "\(seed)")
    }
  }

  @Test("skip_after limits the wait for an item's turn too")
  func bound() throws {
    var policy = PlaybackPolicy()
    policy.reconnect.budget = .seconds(1)
    var bench = Bench(queue("rl"), loops: true, policy: policy)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.timerFired(.turn), after: .seconds(1))
    #expect(played(bench) == 1)
  }
}

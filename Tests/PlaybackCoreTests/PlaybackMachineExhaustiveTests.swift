import Testing

@testable import PlaybackCore

/// A world whose decks answer their actions, so that random sequences of operations go deep.
struct World {
  var bench: Bench
  var alive: Set<DeckID> = []
  var playing: Set<DeckID> = []
  var seeks: [(DeckID, UInt32)] = []
  var isFinished = false
  var wanted = true
  /// At most one deck may decode a film, counting dropped decks until they are gone.
  var decodesOneStream = false
  var films: Set<DeckID> = []

  /// Items from the network and from the disk alternate.
  init(loops: Bool) {
    var items = (0..<3).map { place in
      MediaItem(
        uri: place == 1 ? "file:///clip1.mp4" : "http://server/clip\(place).mp4",
        kind: place == 1 ? .file : .progressive)
    }
    items[1].signed = "file:///signed.mp4"
    bench = Bench(items, loops: loops)
  }

  /// Uses a machine with another queue.
  init(_ bench: Bench) { self.bench = bench }

  mutating func feed(_ event: PlaybackEvent) throws { try feed(event, at: bench.now + .milliseconds(10)) }

  /// Returns the actions too, for tests that compare them.
  @discardableResult
  mutating func feed(_ event: PlaybackEvent, at now: Instant) throws -> [PlaybackAction] {
    bench.now = now
    if case .deckGone(let id) = event { films.remove(id) }
    let actions = bench.machine.handle(event, at: now)
    for action in actions {
      switch action {
      case .buildDeck(let id, let media, _, _, _):
        alive.insert(id)
        if media.kind != .picture { films.insert(id) }
        try #require(!decodesOneStream || films.count <= 1, "two films at once after \(event)")
      case .playDeck(let id, _):
        try #require(alive.contains(id), "played a deck that is gone")
        playing.insert(id)
      case .pauseDeck(let id): playing.remove(id)
      case .seekDeck(let id, _, _, _, let seek, _):
        try #require(!playing.contains(id), "sought a deck that plays")
        seeks.append((id, seek))
      case .dropDeck(let id), .abandonDeck(let id):
        if !decodesOneStream { films.remove(id) }
        try #require(alive.remove(id) != nil, "dropped a deck twice")
        playing.remove(id)
        seeks.removeAll { $0.0 == id }
      case .tell(.finished): isFinished = true
      case .tell(.stoppedAtEnd), .tell(.queueEnded): wanted = false
      case .previewDeck(let id):
        try #require(alive.contains(id) && !playing.contains(id), "previewed a deck that plays or is gone")
      case .retimeDeck(let id, let rate):
        try #require(
          alive.contains(id) && seeks.allSatisfy { $0.0 != id } && rate > 0, "another speed in the middle of a seek")
      case .startTimer, .cancelTimer, .tell, .checkFile, .cancelCheck: break
      }
    }
    try checkInvariants(after: event)
    return actions
  }

  /// Notes the effect of a request on the intent before it is fed.
  mutating func expect(_ event: PlaybackEvent) {
    switch event {
    case .playRequested: if !bench.machine.isAtEnd { wanted = true }
    case .pauseRequested, .rateRequested(0): wanted = false
    case .seekFinished(let deck, let seek, _): seeks.removeAll { $0 == (deck, seek) }
    default: break
    }
  }

  func checkInvariants(after event: PlaybackEvent) throws {
    let machine = bench.machine
    // The current deck, the next one, and the one whose last frame is still up.
    try #require(alive.count <= 3, "\(alive) after \(event)")
    if isFinished { try #require(alive.isEmpty, "decks left at the end: \(alive)") }
    let ofCurrent = seeks.filter { $0.0 == machine.current?.id }
    try #require(ofCurrent.count <= 1, "more than one seek in flight after \(event)")
    try #require(machine.wantsToPlay == wanted || isFinished, "the pipeline changed the intent: \(event)")
    guard let deck = machine.current else { return }
    let isPlaying = playing.contains(deck.id)
    let isStarved = !deck.readiness.isLive && (machine.seekInFlight != nil || deck.buffering.isDry)
    if !machine.wantsToPlay || !machine.suppressions.isEmpty || isStarved {
      try #require(!isPlaying, "plays while it is held back, after \(event)")
    }
    if case .playing = deck.phase {
      try #require(isPlaying, "thinks that it plays, after \(event)")
    }
  }

  /// Runs one of the tests' operations on the machine's present state.
  mutating func run(_ operation: Int) throws {
    let current = bench.machine.current?.id
    let next = bench.machine.next?.id
    let ready = DeckReadiness(duration: .seconds(4), canPlayReverse: true, frameInterval: .milliseconds(40))
    switch operation % ExhaustiveTests.operations {
    case 0:
      if !bench.machine.isAtEnd { wanted = true }
      try feed(.playRequested)
    case 1:
      wanted = false
      try feed(.pauseRequested)
    case 2: try feed(.seekRequested(to: .milliseconds(operation % 4000), .nearestKeyframe))
    case 3: if let current { try feed(.bufferingChanged(current, percent: 0)) }
    case 4: if let current { try feed(.bufferingChanged(current, percent: 50)) }
    case 5: if let current { try feed(.bufferingChanged(current, percent: 100)) }
    case 6:
      if let current {
        try feed(.deckFailed(current, VitrineError(4002, subject: "s", message: "m", remedy: "r")))
      }
    case 7:
      if let current { try feed(.streamEnded(current, .video, at: .milliseconds(4000))) }
    case 8: try feed(.nextRequested)
    case 9: if let current { try feed(.durationChanged(current, .seconds(9))) }
    case 10: if let current { try feed(.deckReady(current, ready)) }
    case 11: if let next { try feed(.deckReady(next, ready)) }
    case 12:
      if let current, bench.machine.current?.base != nil { try feed(.frameShown(current, streamTime: .seconds(1))) }
    case 13:
      if let index = seeks.firstIndex(where: { $0.0 == current }) {
        let (id, seek) = seeks.remove(at: index)
        try feed(.seekFinished(id, seek: seek, ready))
      }
    case 14:
      // Dropped decks report that they are gone.
      if let retiring = bench.machine.retiring, retiring.isGoing { try feed(.deckGone(retiring.id)) }
      for id in films where !alive.contains(id) { try feed(.deckGone(id)) }
    case 15:
      if let next { try feed(.deckFailed(next, VitrineError(3001, subject: "s", message: "m", remedy: "r"))) }
    case 16:
      try feed(.outputLost)
      seeks = []
      try feed(.outputReady)
    case 17: try feed(.rateRequested(Double(1 + operation % 4)))
    case 18: try feed(.rateRequested(-1))
    case 19: try feed(.stepRequested(frames: operation % 2 == 0 ? 1 : -1))
    case 21:
      var queue = bench.machine.queue
      let at = queue.isEmpty ? 0 : operation % queue.count
      queue.insert(MediaItem(uri: "file:///n\(operation % 7).mp4", kind: .file), at: at)
      try feed(.queueEdited(queue))
    case 22:
      var queue = bench.machine.queue
      if queue.count > 1 {
        queue.remove(queue.entries[operation % queue.count].id)
        try feed(.queueEdited(queue))
      }
    case 23:
      var queue = bench.machine.queue
      queue.repeatMode = RepeatMode.allCases[operation % 3]
      queue.shuffle = operation % 2 == 0 ? nil : UInt64(operation % 5)
      try feed(.queueEdited(queue))
    case 24: try feed(.previousRequested)
    case 25:
      let entries = bench.machine.queue.entries
      if !entries.isEmpty { try feed(.itemSelected(entries[operation % entries.count].id)) }
    case 26: try feed(.suppressed(operation % 2 == 0 ? .scrubbing : .screenOff))
    case 27:
      for reason in Suppression.allCases { try feed(.unsuppressed(reason)) }
    case 28: if let current { try feed(.deckReady(current, DeckReadiness(isLive: true, isSeekable: false))) }
    case 32:
      if let deck = bench.machine.current, deck.motion.comingRate != nil || operation % 5 == 0 {
        try feed(
          .rateChanged(
            deck.id, deck.motion.comingRate ?? 1.5, at: .seconds(1), position: .milliseconds(operation % 4000)))
      }
    case 31: try feed(.outputChangeWanted(operation % 3 != 0))
    case 33: try feed(.versionChosen(isSigned: operation % 2 == 0))
    case 20: try feed(.endActionChanged([.advance, .pause, .loopItem, .stop][operation % 4]))
    case 29:
      if let current {
        try feed(.deckFailed(current, VitrineError(2001, subject: "s", message: "m", remedy: "r")))
      }
    case 30:
      if let current {
        bench.now = bench.now + .seconds(operation % 40)
        for timer in [PlaybackTimer.starved(current), .drained(current), .stuck(current), .silent(current)] {
          try feed(.timerFired(timer))
        }
        if let id = bench.machine.current?.id { try feed(.timerFired(.reconnect(id))) }
        try feed(.timerFired(.turn))
      }
    default:
      if let current {
        try feed(.timerFired(.arm(current)))
        try feed(.timerFired(.end(current)))
      }
      try feed(.timerFired(.nextRound))
      if let retiring = bench.machine.retiring?.id { try feed(.timerFired(.retire(retiring))) }
    }
  }
}

@Suite("Playback machine: every order of operations")
struct ExhaustiveTests {
  static let operations = 35

  private func startedWorld(loops: Bool) throws -> World {
    var world = World(loops: loops)
    try world.feed(.outputReady)
    try world.feed(.start)
    return world
  }

  @Test("Every triple of operations keeps the invariants", arguments: [false, true])
  func triples(loops: Bool) throws {
    let fresh = try startedWorld(loops: loops)
    var playing = fresh
    for operation in [10, 12, 11] { try playing.run(operation) }
    for start in [fresh, playing] {
      for a in 0..<Self.operations {
        for b in 0..<Self.operations {
          for c in 0..<Self.operations {
            var world = start
            for operation in [a, b, c] { try world.run(operation) }
          }
        }
      }
    }
  }

  @Test("100,000 random operations keep the invariants", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    var world = try startedWorld(loops: true)
    for _ in 0..<25_000 {
      try world.run(Int(generator.next() % 100_000))
      if world.isFinished { world = try startedWorld(loops: true) }
    }
  }
}

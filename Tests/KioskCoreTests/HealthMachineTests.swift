import KioskCore
import PlaybackCore
import Testing

@Suite("Health machine: a picture that stands still")
struct HealthMachineTests {
  /// One screen with a look each second.
  private struct Bench {
    var machine = HealthMachine(at: Instant(nanoseconds: 0))
    var now = Instant(nanoseconds: 0)
    var state = ScreenMachine.State.shown(isOutdated: false)
    var owed = OwedProgress.nothing
    var frames = 0
    var remedies = 0
    var deck = DeckID(generation: 1)
    var item = ItemID(rawValue: 1)
    var hasOthers = true
    /// A film: each due frame comes at once.
    var isFilm = false

    /// Looks for `time`; gives the time until a fault was found.
    mutating func run(_ time: Duration, every step: Duration = .seconds(1)) -> Duration? {
      let begin = now
      while now - begin < time {
        now = now + step
        if isFilm {
          frames += 25
          owed = .frame(from: now, isRemote: false)
        }
        let screen = HealthMachine.Screen(
          name: "hall", state: state, owed: owed, frames: frames, remedies: remedies, deck: deck,
          item: item, hasOthers: hasOthers)
        if machine.evaluate([screen], at: now) != .well { return now - begin }
      }
      return nil
    }

    /// Makes frames due from now on, none of which comes.
    mutating func stall(isRemote: Bool = false) {
      isFilm = false
      owed = .frame(from: now, isRemote: isRemote)
    }
  }

  @Test("A film that stands still is found within ten seconds")
  func noFrames() {
    var bench = Bench(isFilm: true)
    #expect(bench.run(.seconds(100)) == nil)
    bench.stall()
    #expect(bench.run(.seconds(60)) == .seconds(7))
    guard case .stuck("hall", .noFrames, let owed) = bench.machine.verdict else {
      Issue.record("\(bench.machine.verdict)")
      return
    }
    #expect(owed == .seconds(7))
    // A frame makes it well again.
    bench.frames += 1
    #expect(bench.run(.seconds(5)) == nil)
    #expect(bench.run(.seconds(60)) != nil)
  }

  @Test("The only item without a frame is blamed; no item is if several gave none, or there is no output")
  func suspect() {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    // The next item has begun and shown its first frames.
    (bench.deck, bench.item) = (DeckID(generation: 2), ItemID(rawValue: 2))
    _ = bench.run(.seconds(3))
    bench.stall()
    #expect(bench.run(.seconds(60)) != nil && bench.machine.suspect == bench.deck)
    bench.frames += 1
    _ = bench.run(.seconds(1))
    #expect(bench.machine.suspect == nil)
    // An item that shows no frame, after one that did.
    bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    (bench.deck, bench.item) = (DeckID(generation: 2), ItemID(rawValue: 2))
    bench.stall()
    #expect(bench.run(.seconds(60)) != nil && bench.machine.suspect == bench.deck)
    // The same item on a fresh deck.
    bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    bench.stall()
    _ = bench.run(.seconds(4))
    bench.deck = DeckID(generation: 2)
    #expect(bench.run(.seconds(60)) != nil && bench.machine.suspect == bench.deck)
    // Two items in a row without a frame: the output is the cause.
    bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    bench.stall()
    _ = bench.run(.seconds(4))
    (bench.deck, bench.item) = (DeckID(generation: 2), ItemID(rawValue: 2))
    #expect(bench.run(.seconds(60)) != nil && bench.machine.suspect == nil)
    bench = Bench(owed: .output)
    #expect(bench.run(.seconds(60)) != nil && bench.machine.suspect == nil)
    bench = Bench(owed: .soon)
    #expect(bench.run(.seconds(1000)) != nil && bench.machine.suspect == bench.deck)
  }

  @Test("The only item of a list isn't blamed: every standstill would be its fault")
  func onlyOne() {
    var bench = Bench(isFilm: true)
    bench.hasOthers = false
    _ = bench.run(.seconds(10))
    bench.stall()
    #expect(bench.run(.seconds(60)) == .seconds(7) && bench.machine.suspect == nil)
    bench = Bench(owed: .soon)
    bench.hasOthers = false
    #expect(bench.run(.seconds(1000)) != nil && bench.machine.suspect == nil)
  }

  @Test(
    "For a network item, playback has ten seconds first, and each of its remedies some more, up to a limit"
  )
  func remote() {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    bench.stall(isRemote: true)
    #expect(bench.run(.seconds(13)) == nil)
    bench.remedies += 1
    #expect(bench.run(.seconds(13)) == nil)
    #expect(bench.run(.seconds(5)) == .seconds(2))

    bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    bench.stall()
    var owed = Duration.zero
    while owed < .seconds(200) {
      bench.remedies += 1
      guard let found = bench.run(.seconds(5)) else {
        owed += .seconds(5)
        continue
      }
      owed += found
      break
    }
    #expect(owed == .seconds(60))
  }

  @Test("Owed time adds up over items that end without a frame")
  func items() {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    var found: Duration?
    var time = Duration.zero
    while found == nil, time < .seconds(60) {
      bench.deck = DeckID(generation: bench.deck.generation + 1)
      bench.isFilm = false
      for owed in [OwedProgress.soon, .frame(from: bench.now, isRemote: false), .later] where found == nil {
        bench.owed = owed
        found = bench.run(.seconds(1))
        time += .seconds(1)
      }
    }
    #expect(found != nil && time <= .seconds(14), "\(time)")
  }

  @Test("A film with a frame each five minutes is well: its frames say how long they stay")
  func slow() {
    var bench = Bench()
    for _ in 0..<20 {
      bench.frames += 1
      bench.owed = .frame(from: bench.now + .seconds(300), isRemote: false)
      #expect(bench.run(.seconds(299)) == nil)
    }
    #expect(bench.run(.seconds(20)) != nil)
  }

  @Test("A screen without an output, and one that is never opened, are found within ten seconds")
  func noOutput() {
    for (state, owed) in [
      (ScreenMachine.State.shown(isOutdated: false), OwedProgress.output), (.opening, .nothing), (.opening, .output),
    ] {
      var bench = Bench(state: state, owed: owed)
      #expect(bench.run(.seconds(60)) == .seconds(8))
      guard case .stuck(_, .noOutput, _) = bench.machine.verdict else {
        Issue.record("\(bench.machine.verdict)")
        continue
      }
    }
  }

  @Test("A start that goes past all its deadlines is found; a round of items that can't be reached isn't")
  func noStart() {
    var bench = Bench(owed: .soon)
    #expect(bench.run(.seconds(1000)) == .seconds(330))
    bench = Bench(owed: .soon)
    for _ in 0..<50 {
      bench.deck = DeckID(generation: bench.deck.generation + 1)
      #expect(bench.run(.seconds(60)) == nil)
    }
  }

  @Test(
    "A screen with a reason to stand still is well for a day",
    arguments: [
      (ScreenMachine.State.shown(isOutdated: false), OwedProgress.nothing),
      (.shown(isOutdated: true), .nothing), (.shown(isOutdated: false), .later), (.asleep(isOutdated: false), .nothing),
      (.asleep(isOutdated: false), .output), (.waiting(.no), .output), (.waiting(.wanted), .output),
      (.waiting(.playing), .frame(from: Instant(nanoseconds: 0), isRemote: false)), (.ended, .output),
    ])
  func stands(state: ScreenMachine.State, owed: OwedProgress) {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(60))
    bench.isFilm = false
    (bench.state, bench.owed) = (state, owed)
    #expect(bench.run(.seconds(86_400)) == nil)
  }

  @Test("A pause clears the owed time")
  func pause() {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    for _ in 0..<10 {
      bench.stall()
      #expect(bench.run(.seconds(6)) == nil)
      bench.owed = .nothing
      #expect(bench.run(.seconds(2)) == nil)
    }
  }

  @Test("A loop that stood still for a minute doesn't count as a still picture")
  func stoodStill() {
    var bench = Bench(isFilm: true)
    _ = bench.run(.seconds(10))
    bench.stall()
    bench.now = bench.now + .seconds(60)
    #expect(bench.run(.seconds(4)) == nil)
  }

  @Test("A process is ready when its screens show a frame or have a reason not to, and in any case after ten seconds")
  func ready() {
    func isReady(
      _ state: ScreenMachine.State, _ owed: OwedProgress, frames: Int = 0, after time: Duration = .seconds(1)
    )
      -> Bool
    {
      var bench = Bench(state: state, owed: owed, frames: frames)
      _ = bench.run(time)
      return bench.machine.isReady
    }
    let shown = ScreenMachine.State.shown(isOutdated: false)
    for owed in [OwedProgress.soon, .output, .frame(from: Instant(nanoseconds: 0), isRemote: false)] {
      #expect(!isReady(shown, owed))
      #expect(!isReady(.opening, owed))
      #expect(isReady(shown, owed, frames: 1))
      #expect(isReady(.waiting(.no), owed) && isReady(.asleep(isOutdated: false), owed))
    }
    // A card is shown; a network item is awaited.
    #expect(isReady(shown, .nothing) && isReady(shown, .later))
    #expect(!isReady(.opening, .nothing))
    var bench = Bench(owed: .soon)
    _ = bench.run(.seconds(10))
    #expect(bench.machine.isReady)
    // It stays ready.
    bench.state = .opening
    _ = bench.run(.seconds(2))
    #expect(bench.machine.isReady)
  }

  @Test(
    "Of several screens the one that stands still is named, whatever the others show; a removed screen is forgotten")
  func screens() {
    var machine = HealthMachine(at: Instant(nanoseconds: 0))
    var verdicts: [HealthMachine.Verdict] = []
    func screen(_ name: String, _ owed: OwedProgress, _ frames: Int) -> HealthMachine.Screen {
      HealthMachine.Screen(
        name: name, state: .shown(isOutdated: false), owed: owed, frames: frames, remedies: 0, deck: nil)
    }
    for second in 1...20 {
      let now = Instant(nanoseconds: 0) + .seconds(second)
      let good = screen("a", .frame(from: now, isRemote: false), second)
      let bad = screen("b", .frame(from: Instant(nanoseconds: 0), isRemote: false), 0)
      verdicts.append(machine.evaluate(second < 15 ? [good, bad] : [good], at: now))
    }
    #expect(verdicts[..<6].allSatisfy { $0 == .well } && verdicts[14...].allSatisfy { $0 == .well })
    guard case .stuck("b", .noFrames, _) = verdicts[10] else {
      Issue.record("\(verdicts)")
      return
    }
  }

  /// A day in a shop: films, pictures of an hour, pauses, nights, an unplugged screen, a camera without a known frame
  /// rate, a network that comes and goes; one after the other, for random times.
  @Test("A day without a false alarm, and each real one within ten seconds", arguments: 1...20)
  func day(seed: UInt64) {
    var random = SplitMix64(state: seed)
    func seconds(_ range: ClosedRange<Int>) -> Duration {
      .seconds(range.lowerBound + Int(random.next() % UInt64(range.count)))
    }
    var bench = Bench(isFilm: true)
    var alarms = 0
    while bench.now < Instant(nanoseconds: 0) + .seconds(86_400) {
      bench.isFilm = false
      bench.state = .shown(isOutdated: false)
      bench.deck = DeckID(generation: bench.deck.generation + 1)
      var length = seconds(1...600)
      switch random.next() % 10 {
      case 0, 1: bench.isFilm = true
      case 2: (bench.owed, length) = (.nothing, .seconds(3600))
      case 3: bench.state = .asleep(isOutdated: false)
      case 4: (bench.state, bench.owed) = (.waiting(.no), .output)
      case 5: bench.owed = .later
      // A preroll, then its first frame.
      case 6: (bench.owed, length) = (.soon, seconds(1...30))
      case 7:
        bench.frames += 1
        bench.owed = .frame(from: bench.now + length, isRemote: false)
      // A slow disk stops for one to three seconds, then a frame comes.
      case 8:
        (bench.owed, length) = (.frame(from: bench.now, isRemote: false), seconds(1...3))
        #expect(bench.run(length) == nil)
        bench.isFilm = true
      default:
        bench.isFilm = true
        _ = bench.run(.seconds(5))
        bench.stall()
        let found = bench.run(.seconds(60))
        #expect(found.map { $0 <= .seconds(10) } ?? false)
        alarms += 1
        // A new process takes over.
        bench.machine = HealthMachine(at: bench.now)
        bench.isFilm = true
      }
      #expect(bench.run(length) == nil, "\(bench)")
    }
    #expect(alarms > 3)
  }
}

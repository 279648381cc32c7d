import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Cues: when one is sent")
struct CueMachineTests {
  private let hall = MediaItem(uri: "file:///hall.mp4", kind: .file)
  private let lobby = MediaItem(uri: "file:///lobby.mp4", kind: .file)
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)

  private func cue(
    _ moment: CueMoment, at: Double? = nil, _ playlist: String? = nil, item: Int? = nil, screen: String? = nil
  ) -> Cue {
    var cue = Cue()
    (cue.moment, cue.at, cue.playlist, cue.item, cue.screen) = (moment, at.map { .seconds($0) }, playlist, item, screen)
    cue.address = CueAddress("udp://127.0.0.1:4000")
    return cue
  }

  /// A machine with cues, and what it has sent. The clock stands still: an allowance is for a hundred.
  private struct Bench {
    var machine = CueMachine()
    var deck = DeckID(generation: 1)
    var epoch = FrameEpoch.start

    init(_ cues: [Cue], lists: [String: [MediaItem]] = [:]) {
      _ = machine.handle(.configured(cues, lists: lists), at: CueMachineTests.begin)
    }

    mutating func feed(_ event: CueMachine.Event, on screen: String? = nil) -> [String] {
      machine.handle(event, of: screen, at: CueMachineTests.begin).map { action in
        switch action {
        case .send(let cue): cue.moment.rawValue + (cue.at.map { " \($0.inSeconds)" } ?? "")
        case .tellTooMany: "too many"
        }
      }
    }

    /// An item begins in the next deck; its first frame isn't shown yet.
    mutating func start(_ number: UInt64, _ media: MediaItem, isForward: Bool = true) -> [String] {
      deck = deck.next
      return feed(.started(.init(ItemID(rawValue: number), media, deck: deck, isForward: isForward)))
    }

    /// The item of the deck ends; which one it is, the deck tells.
    mutating func end() -> [String] { feed(.ended(ItemID(rawValue: 99), deck)) }

    mutating func show(_ seconds: Double..., isRunning: Bool = true) -> [String] {
      seconds.flatMap { at in
        feed(.shown(.init(deck, item: nil, epoch: epoch, at: .seconds(at), isRunning: isRunning)))
      }
    }

    mutating func seek(to seconds: Double, isForward: Bool = true) -> [String] {
      epoch = FrameEpoch(rawValue: epoch.rawValue &+ 1)
      return feed(.sought(epoch, to: .seconds(seconds), isForward: isForward))
    }
  }

  // MARK: Times

  @Test("A time is sent with the first frame at or after it, once, and frames that were dropped don't hide it")
  func once() {
    var bench = Bench([cue(.time, at: 0), cue(.time, at: 0.1), cue(.time, at: 5)])
    #expect(bench.start(1, hall).isEmpty)
    #expect(bench.show(0.02) == ["time 0.0"])
    #expect(bench.show(0.06).isEmpty)
    #expect(bench.show(0.1) == ["time 0.1"])
    #expect(bench.show(0.1, 0.14, 4.98).isEmpty)
    #expect(bench.show(5.5, 5.54) == ["time 5.0"])
  }

  @Test("A pause on it sends it once, and so does the same frame on a screen that comes back")
  func pause() {
    var bench = Bench([cue(.time, at: 1)])
    _ = bench.start(1, hall)
    #expect(bench.show(0.96, 1) == ["time 1.0"])
    #expect(bench.show(1, isRunning: false).isEmpty)
    #expect(bench.start(1, hall).isEmpty)
    #expect(bench.show(1, 1.04).isEmpty)
  }

  @Test("A seek over it sends nothing, in either direction; what is played again after a seek is sent again")
  func seeks() {
    var bench = Bench([cue(.time, at: 1), cue(.time, at: 3)])
    _ = bench.start(1, hall)
    #expect(bench.show(0.5) + bench.seek(to: 2) + bench.show(2, 2.04) == [])
    #expect(bench.seek(to: 0.5) + bench.show(0.5, 0.96) == [])
    #expect(bench.show(1) == ["time 1.0"])
    #expect(bench.seek(to: 0.9) + bench.show(0.88, 1.0) == ["time 1.0"])
    // A frame from before the seek was shown all the same.
    #expect(bench.show(2.98).isEmpty)
    let old = bench.epoch
    #expect(bench.seek(to: 0.5).isEmpty)
    #expect(bench.feed(.shown(.init(bench.deck, item: nil, epoch: old, at: .seconds(3)))) == ["time 3.0"])
    #expect(bench.show(0.5).isEmpty)
  }

  @Test("A seek to the very frame sends it when playback runs: at once, or with the next frame after a pause")
  func landing() {
    var bench = Bench([cue(.time, at: 1)])
    _ = bench.start(1, hall)
    #expect(bench.show(0) + bench.seek(to: 1) + bench.show(1) == ["time 1.0"])
    #expect(bench.show(1.04).isEmpty)
    #expect(bench.seek(to: 1) + bench.show(1, isRunning: false) == [])
    #expect(bench.show(1.04) == ["time 1.0"])
  }

  @Test("A finger that drags the film over it sends nothing")
  func scrubbing() {
    var bench = Bench([cue(.time, at: 1)])
    _ = bench.start(1, hall)
    var sent = bench.show(0)
    for place in [0.5, 1, 1.5, 1, 0.5, 1] {
      sent += bench.seek(to: place) + bench.show(place, place, place + 1, isRunning: false)
    }
    #expect(sent + bench.show(2.04) == [])
  }

  @Test("A change of rate goes on where it is; backwards nothing is sent, and forwards again it is sent again")
  func rates() {
    var bench = Bench([cue(.time, at: 1), cue(.time, at: 2)])
    _ = bench.start(1, hall)
    #expect(bench.show(0.96, 1) == ["time 1.0"])
    // The flush of the new rate shows the same frame again.
    #expect(bench.seek(to: 1) + bench.show(1, 1.08) == [])
    #expect(bench.seek(to: 1.08, isForward: false) + bench.show(1.08, 1, 0.96) == [])
    #expect(bench.seek(to: 0.96) + bench.show(0.96, 1.04, 2.04) == ["time 1.0", "time 2.0"])
  }

  @Test("An item that begins far in, after a restart, sends nothing of what is before")
  func resumed() {
    var bench = Bench([cue(.time, at: 1), cue(.time, at: 600), cue(.time, at: 601)])
    _ = bench.start(1, hall)
    #expect(bench.show(600, 601) == ["time 600.0", "time 601.0"])
  }

  @Test("An item that breaks off and goes on in another deck isn't begun again")
  func reopened() {
    var bench = Bench([cue(.itemStarted), cue(.time, at: 1), cue(.time, at: 2), cue(.itemEnded)])
    _ = bench.start(1, hall)
    #expect(bench.show(0, 1.5) == ["item-started", "time 1.0"])
    bench.deck = bench.deck.next
    let frame = CueMachine.ShownFrame(bench.deck, item: ItemID(rawValue: 1), at: .seconds(0.9))
    #expect(bench.feed(.shown(frame)).isEmpty)
    #expect(bench.show(1, 2) == ["time 2.0"])
    // A deck that didn't answer a seek was replaced by one at its target.
    #expect(bench.seek(to: 0.5).isEmpty)
    bench.deck = bench.deck.next
    bench.epoch = .start
    #expect(
      bench.feed(.shown(.init(bench.deck, item: ItemID(rawValue: 1), at: .seconds(0.5)))) + bench.show(1) == [
        "time 1.0"
      ])
  }

  @Test("Cues of a new configuration hold from the next frame on; those before it are over")
  func reloaded() {
    var bench = Bench([cue(.itemStarted)])
    _ = bench.start(1, hall)
    #expect(bench.show(0) == ["item-started"])
    #expect(!bench.machine.followsFrames(of: nil))
    let cues = [cue(.time, at: 1), cue(.time, at: 30)]
    #expect(bench.feed(.configured(cues, lists: [:])).isEmpty)
    #expect(bench.machine.followsFrames(of: nil))
    #expect(bench.show(20, 30) == ["time 30.0"])
    #expect(
      bench.feed(.configured([cue(.time, at: 31), cue(.time, at: 29)], lists: [:])) + bench.show(31) == ["time 31.0"])
    #expect(bench.feed(.configured([], lists: [:])) + bench.show(32) == [])
  }

  // MARK: Items

  @Test("An item begins with its first frame, and the one before ends with it")
  func items() {
    var bench = Bench([cue(.itemStarted), cue(.itemEnded), cue(.time, at: 9)])
    _ = bench.start(1, hall)
    #expect(bench.show(0) == ["item-started"])
    let first = bench.deck
    // The next one is armed before the last frames of this one.
    #expect(bench.feed(.ended(ItemID(rawValue: 1), first)) + bench.start(2, lobby) == [])
    #expect(bench.feed(.shown(.init(first, item: nil, at: .seconds(9)))) == ["time 9.0"])
    #expect(bench.show(0) == ["item-ended", "item-started"])
    // Nothing follows: the last picture stays.
    #expect(bench.end().isEmpty)
    #expect(bench.feed(.stays) == ["item-ended"])
    #expect(bench.feed(.stays).isEmpty)
    // From there somebody goes back, and it ends once more.
    #expect(bench.seek(to: 8) + bench.show(8, 9) == ["time 9.0"])
    #expect(bench.end() + bench.start(1, hall) == [])
    #expect(bench.show(0) == ["item-ended", "item-started"])
  }

  @Test("An item that loops begins and ends each round, with its times")
  func loop() {
    var bench = Bench([cue(.itemStarted), cue(.itemEnded), cue(.time, at: 1)])
    _ = bench.start(1, hall)
    #expect(bench.show(0, 1) == ["item-started", "time 1.0"])
    for _ in 0..<3 {
      _ = bench.end()
      _ = bench.start(1, hall)
      #expect(bench.show(0, 1) == ["item-ended", "item-started", "time 1.0"])
    }
  }

  @Test("An item without a frame neither begins nor ends; one that was previewed begins when it plays")
  func unseen() {
    var bench = Bench([cue(.itemStarted), cue(.itemEnded), cue(.itemFailed)])
    _ = bench.start(1, hall)
    let failed = bench.feed(.failed(ItemID(rawValue: 1), hall))
    #expect(failed + bench.end() + bench.show(0) == ["item-failed"])
    let start = CueMachine.Start(ItemID(rawValue: 2), lobby, deck: DeckID(generation: 9), isShown: true)
    #expect(bench.feed(.started(start)) == ["item-started"])
  }

  @Test("A playlist, one of its items, and a screen choose")
  func chosen() {
    let cues = [
      cue(.itemStarted, "hall"), cue(.itemStarted, "hall", item: 2), cue(.itemStarted, screen: "right"),
      cue(.visitStarted, screen: "left"), cue(.alertShown),
    ]
    var machine = CueMachine()
    let lists = ["hall": [hall, lobby], "other": [lobby]]
    _ = machine.handle(.configured(cues, lists: lists), at: Self.begin)
    func start(_ media: MediaItem, on screen: String, list: String? = nil) -> [Int] {
      let deck = DeckID(generation: 1)
      _ = machine.handle(.closed, of: screen, at: Self.begin)
      _ = machine.handle(
        .started(.init(ItemID(rawValue: 1), media, list: list, deck: deck)), of: screen, at: Self.begin)
      return machine.handle(.shown(.init(deck, item: nil, at: .zero)), of: screen, at: Self.begin).compactMap {
        if case .send(let cue) = $0 { cues.firstIndex(of: cue) } else { nil }
      }
    }
    #expect(start(hall, on: "left") == [0])
    #expect(start(lobby, on: "left") == [0, 1])
    #expect(start(MediaItem(uri: "file:///other.mp4", kind: .file), on: "right") == [2])
    // An entry of a server's list, in place of which it plays.
    #expect(start(MediaItem(uri: "http://a/b.mp4", kind: .file), on: "left", list: "hall") == [0])
    #expect(machine.handle(.happened(.visitStarted), of: "right", at: Self.begin).isEmpty)
    #expect(machine.handle(.happened(.visitStarted), of: "left", at: Self.begin).count == 1)
    #expect(machine.handle(.happened(.alertShown), of: nil, at: Self.begin).count == 1)
  }

  // MARK: The rate

  @Test("Cues that start each other are cut to a hundred a second, and told once a minute")
  func flood() {
    var machine = CueMachine()
    _ = machine.handle(.configured([cue(.alertShown)], lists: [:]), at: Self.begin)
    var (sent, told) = (0, 0)
    for turn in 0..<120_000 {
      // A thousand a second, for two minutes.
      let now = Self.begin + .milliseconds(turn)
      for action in machine.handle(.happened(.alertShown), at: now) {
        if case .send = action { sent += 1 } else { told += 1 }
      }
    }
    #expect((12_000...12_101).contains(sent), "\(sent)")
    #expect(told == 2)
  }

  @Test("Health is told once it has held for five seconds: the first one, and each change; not a moment between items")
  func health() {
    var machine = CueMachine()
    var now = Self.begin
    #expect(!machine.followsHealth)
    _ = machine.handle(.configured([cue(.healthy), cue(.trouble), cue(.visitStarted)], lists: [:]), at: now)
    #expect(machine.followsHealth)
    /// The cues that are sent in so many seconds of this health.
    func hold(_ health: KioskStatus.Health, _ seconds: Int) -> [String] {
      (0..<seconds).flatMap { _ in
        now = now + .seconds(1)
        return machine.handle(.health(health), at: now).map { "\($0)" }
      }
    }
    let (healthy, trouble) = ("\(CueMachine.Action.send(cue(.healthy)))", "\(CueMachine.Action.send(cue(.trouble)))")
    #expect(hold(.trouble, 3) == [] && hold(.healthy, 9) == [healthy])
    #expect(hold(.trouble, 5) == [] && hold(.healthy, 9) == [])
    // Without a cue of its own, a state parts two others all the same.
    #expect(hold(.trouble, 9) == [trouble] && hold(.attention, 9) == [] && hold(.trouble, 9) == [trouble])
    #expect(hold(.attention, 2) == [] && hold(.healthy, 6) == [healthy])
    _ = machine.handle(.configured([cue(.visitStarted)], lists: [:]), at: now)
    #expect(!machine.followsHealth && hold(.trouble, 9) == [])
  }
}

import Testing

@testable import PlaybackCore

@Suite("Playback machine: its invariants")
struct PlaybackMachineInvariantTests {
  /// A change that breaks one invariant of a playing machine.
  struct Broken: Sendable, CustomTestStringConvertible {
    var name: String
    var change: @Sendable (inout Bench) -> Void
    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout Bench) -> Void) {
      self.name = name
      self.change = change
    }
  }

  static func flying(_ number: UInt32, in bench: inout Bench) {
    let request = SeekState.Request(target: .zero, tolerance: .exact, rate: 1)
    let seeking = PlaybackDeck.Seeking(request: request, mode: .exact, sentAt: bench.now, heldAt: .zero)
    bench.machine.current?.phase = .seeking(seeking)
    bench.machine.current?.lastSeek = number
  }

  static let broken: [Broken] = [
    Broken("No two decks have the same number") { $0.machine.next = $0.machine.current },
    Broken("There is no next deck without a current one") { $0.machine.current = nil },
    Broken("Without an output there is no deck") { $0.machine.output.isReady = false },
    Broken("When playback is finished there is no deck") { bench in
      let current = bench.machine.current
      bench.feed(.stopRequested)
      bench.machine.current = current
    },
    Broken("The next deck doesn't play before it is the current one") { $0.machine.next?.phase = .held(at: .zero) },
    Broken("The next deck drains nothing") { $0.machine.next?.buffering = .underrun(since: $0.now) },
    Broken("The current item is listed") { $0.machine.sequence.queue.removeAll() },
    Broken("A deck waits for the decoder only while another one leaves it") { bench in
      bench.machine.next?.phase = .preparing(Preparation(wait: .decoder))
    },
    Broken("Decks are counted out only where the decoder takes one") { $0.machine.behind.leaving = [deck(9)] },
    Broken("What was told of the waiting is still so") { $0.machine.said.waiting = .seeking },
    Broken("A deck plays only where it may") { $0.machine.intent.wantsToPlay = false },
    Broken("A deck that may play does, unless it gives way to another output") { bench in
      bench.machine.current?.phase = .held(at: .zero)
    },
    Broken("An item that plays was told") { $0.machine.current?.standing.isAnnounced = false },
    Broken("What drains has begun to") { $0.machine.current?.buffering = .underrun(since: $0.now + .seconds(1)) },
    Broken("No other speed is waited for during a seek") { bench in
      bench.machine.current?.motion.comingRate = 2
      flying(1, in: &bench)
    },
    Broken("A seek in flight is the newest") { bench in
      bench.machine.seek.lastNumber = 7
      flying(1, in: &bench)
    },
  ]

  private func playing() throws -> Bench {
    let items = (0..<3).map { MediaItem(uri: "http://server/clip\($0).mp4", kind: .progressive) }
    var bench = Bench(items, loops: true)
    _ = bench.begin()
    try #require(bench.machine.next != nil && bench.machine.current?.base != nil)
    return bench
  }

  @Test("A playing machine breaks no invariant")
  func sound() throws {
    #expect(try playing().machine.invariants.violations == [])
  }

  @Test("A machine that is stopped in the middle of a seek breaks no invariant")
  func stopped() throws {
    var bench = try playing()
    bench.feed(.seekRequested(to: .seconds(1), .exact))
    try #require(bench.machine.seekInFlight != nil)
    bench.feed(.stopRequested)
    #expect(bench.machine.invariants.violations == [])
  }

  @Test("The invariants report each broken state by its name", arguments: broken)
  func found(_ broken: Broken) throws {
    var bench = try playing()
    broken.change(&bench)
    #expect(bench.machine.invariants.violations.contains(broken.name))
  }

  @Test("The check changes nothing, and names the first broken invariant first")
  func order() {
    var all = Invariants()
    all.check("one", true)
    #expect(all.violations == [])
    all.check("two", false)
    all.check("three", false)
    #expect(all.violations == ["two", "three"])
  }
}

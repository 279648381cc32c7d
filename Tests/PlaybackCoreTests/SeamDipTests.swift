import Testing

@testable import PlaybackCore

@Suite("A dip through the background")
struct SeamDipTests {
  private let dip = SeamDip(length: .milliseconds(600))

  /// Plays a picture of 10 s, with a clip ready after it.
  private func playing() throws -> (Bench, Instant) {
    var bench = Bench([MediaItem(uri: "file:///a.png", kind: .picture), files(1)[0]])
    _ = bench.begin(DeckReadiness(duration: .seconds(10), isSeekable: false))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    return (bench, base + .seconds(10))
  }

  private func opacity(_ bench: Bench, _ now: Instant) -> Double { dip.veil(over: bench.machine, at: now).opacity }

  @Test("The dip begins half its length before the end, is opaque at the seam, and is gone as long after it")
  func shape() throws {
    var (bench, end) = try playing()
    #expect(dip.veil(over: bench.machine, at: bench.now) == .init(opacity: 0, changesAt: end - .milliseconds(300)))
    #expect(abs(opacity(bench, end - .milliseconds(150)) - 0.5) < 0.001)
    // The next deck is armed, and the dip stays the same.
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(10)))
    // Split, because Swift 6.2 can't type-check the whole expression.
    let toEnd: Duration = end - bench.now
    bench.feed(.timerFired(.arm(deck(1))), after: toEnd - .milliseconds(400))
    #expect(bench.machine.current?.id == deck(2))
    for (after, wanted) in [(-300, 0), (-150, 0.5), (0, 1), (150, 0.5), (300, 0), (1000, 0)] {
      #expect(abs(opacity(bench, end + .milliseconds(after)) - wanted) < 0.001, "\(after)")
    }
    let now = end + .milliseconds(100)
    #expect(dip.veil(over: bench.machine, at: now).changesAt == now + SeamDip.step)
  }

  @Test("No dip comes at the list's end, while playback is held, or before an item that was asked for")
  func none() throws {
    var alone = Bench(files(1))
    _ = alone.begin()
    let base = try #require(alone.machine.current?.base)
    #expect(opacity(alone, base + .seconds(4)) == 0)

    var (held, end) = try playing()
    let toEnd: Duration = end - held.now
    held.feed(.pauseRequested, after: toEnd - .milliseconds(100))
    #expect(opacity(held, held.now) == 0)

    var asked = Bench(files(2))
    _ = asked.begin()
    asked.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    asked.feed(.nextRequested, after: .seconds(1))
    #expect(asked.machine.current?.id == deck(2) && opacity(asked, asked.now) == 0)
  }

  @Test("A dip of zero length is a cut")
  func nothing() throws {
    let (bench, end) = try playing()
    #expect(SeamDip(length: .zero).veil(over: bench.machine, at: end).opacity == 0)
  }
}

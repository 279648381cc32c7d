import PlaybackCore
import Testing

@testable import TelemetryCore

/// A screen that feeds the recorder: frames of 40 ms, one after the other.
struct RecordedScreen {
  var recorder = PlayRecorder()
  var totals = PlayRecorder.Totals()
  var now = Instant(nanoseconds: 1_000_000_000)
  var finished: [FinishedPlay] = []
  /// The expected plays in order: decks, and the number of frames of each.
  var composed: [(deck: UInt32, frames: Int)] = []

  mutating func feed(_ event: PlayRecorder.Event) { finished += recorder.handle(event, at: now) }

  mutating func start(_ deck: UInt32, item: UInt64 = 1, isPicture: Bool = false, at: Instant? = nil) {
    feed(
      .started(
        DeckID(generation: deck), ItemID(rawValue: item), PlayedItem(uri: "file:///\(item).mp4", number: Int(item)),
        isPicture: isPicture, at: at ?? now))
    feed(.running(true))
  }

  /// Shows frames of a deck, each for 40 ms.
  mutating func show(_ deck: UInt32, _ count: Int, drops: Int = 0, stays: Duration? = .milliseconds(40)) {
    for index in 0..<(count + drops) {
      let isRendered = index >= drops
      if isRendered { totals.rendered += 1 } else { totals.dropped += 1 }
      let frame = RenderedFrame(
        deck: DeckID(generation: deck), index: UInt32(index), streamTime: .milliseconds(40 * index), at: now,
        wasRendered: isRendered, stays: stays)
      feed(.frame(frame, totals))
      if composed.last?.deck != deck { composed.append((deck, 0)) }
      if isRendered { composed[composed.count - 1].frames += 1 }
      now = now + .milliseconds(40)
    }
  }
}

@Suite("Plays of a screen")
struct PlayRecorderTests {
  @Test("A play lasts from its item's first frame to the next item's, with its own frames and time")
  func seam() throws {
    var screen = RecordedScreen()
    let begun = screen.now
    screen.start(1)
    screen.show(1, 250)
    // The next item is armed and the end announced while frames of the first are on their way.
    screen.now = screen.now - .milliseconds(80)
    screen.start(2, item: 2, at: screen.now + .milliseconds(80))
    screen.feed(.ended(DeckID(generation: 1)))
    screen.now = screen.now + .milliseconds(80)
    screen.show(2, 10)
    let play = try #require(screen.finished.first)
    #expect(screen.finished.count == 1)
    #expect(play.frames == 250 && play.dropped == 0 && play.ending == .end)
    #expect(play.start == begun && play.end == begun + .seconds(10))
    #expect(play.shown == .seconds(10))
    #expect(play.item.uri == "file:///1.mp4")
  }

  @Test("An item that is left early counts as skipped, and frames dropped at the seam count for it")
  func skipped() throws {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 20, drops: 2)
    screen.start(2, item: 2)
    // The first item's frames that were never shown are counted when the second one shows its first.
    screen.totals.dropped += 3
    screen.show(2, 5)
    let play = try #require(screen.finished.first)
    #expect(play.ending == .skipped && play.frames == 20 && play.dropped == 5)
  }

  @Test("A pause, a wait and a stall don't count as playing time; the frame on the screen counts for its own time")
  func pauses() throws {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 25)
    screen.feed(.running(false))
    screen.now = screen.now + .seconds(3600)
    screen.feed(.running(true))
    screen.show(1, 25)
    // A stall: no frame comes for a minute.
    screen.now = screen.now + .seconds(60)
    screen.show(1, 25)
    screen.feed(.stopped(screen.totals))
    let play = try #require(screen.finished.first)
    #expect(play.ending == .stopped && play.frames == 75)
    #expect(play.shown >= .seconds(3) && play.shown <= .milliseconds(3500), "\(play.shown)")
    #expect(play.end - play.start > .seconds(3660))
  }

  @Test("A frame that stays until the next one is due counts until then, without pauses; after that it is a stall")
  func variableRate() throws {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 25)
    // The last frame's own 40 ms are over.
    let due = screen.now + .seconds(10)
    screen.feed(.waits(DeckID(generation: 2), until: due + .seconds(60)))
    screen.feed(.waits(DeckID(generation: 1), until: due))
    screen.now = screen.now + .seconds(4)
    screen.feed(.running(false))
    screen.now = screen.now + .seconds(3600)
    screen.feed(.running(true))
    screen.feed(.waits(DeckID(generation: 1), until: due + .seconds(3600)))
    screen.now = due + .seconds(3600)
    screen.show(1, 25)
    screen.feed(.waits(DeckID(generation: 1), until: screen.now + .seconds(1)))
    screen.now = screen.now + .seconds(60)
    screen.feed(.stopped(screen.totals))
    let play = try #require(screen.finished.first)
    #expect(play.frames == 50 && play.shown == .seconds(13))
  }

  @Test(
    "The time between sparse frames counts as played, unless frames are missing",
    arguments: [0, 11])
  func slowFrames(missing: Int) throws {
    var screen = RecordedScreen()
    screen.start(1)
    for index in 0..<20 {
      if index > 0 { screen.totals.dropped += missing }
      screen.totals.rendered += 1
      let frame = RenderedFrame(
        deck: DeckID(generation: 1), index: UInt32(index), streamTime: .milliseconds(500 * index), at: screen.now,
        wasRendered: true, stays: .milliseconds(40))
      screen.feed(.frame(frame, screen.totals))
      screen.now = screen.now + .milliseconds(500)
    }
    screen.feed(.stopped(screen.totals))
    let shown = try #require(screen.finished.first).shown.inSeconds
    // A quarter of a second of the last frame, and of each frame before a gap.
    #expect(abs(shown - (missing == 0 ? 9.75 : 5)) < 0.001, "\(shown)")
  }

  @Test("A picture's play lasts for the time that it is seen running")
  func picture() throws {
    var screen = RecordedScreen()
    screen.start(1, isPicture: true)
    screen.show(1, 1, stays: nil)
    screen.now = screen.now + .seconds(9) + .milliseconds(960)
    screen.feed(.ended(DeckID(generation: 1)))
    screen.start(2, item: 2)
    screen.show(2, 1)
    let play = try #require(screen.finished.first)
    #expect(play.frames == 1 && play.shown == .seconds(10) && play.ending == .end)
  }

  @Test(
    "An end announced while the next item is armed is the next item's begin", arguments: [true, false])
  func armed(isPicture: Bool) throws {
    var screen = RecordedScreen()
    screen.start(1, isPicture: isPicture)
    if isPicture { screen.show(1, 1, stays: nil) } else { screen.show(1, 50) }
    let end = Instant(nanoseconds: 1_000_000_000) + .seconds(2)
    screen.now = end - .milliseconds(400)
    screen.feed(.ended(DeckID(generation: 1)))
    screen.start(2, item: 2, at: end)
    if !isPicture {
      // The first item's last frames are shown, the very last one for twice its time.
      screen.now = end - .milliseconds(200)
      screen.show(1, 1, stays: .milliseconds(200))
    }
    screen.now = end + .milliseconds(10)
    screen.show(2, 1)
    let play = try #require(screen.finished.first)
    #expect(play.ending == .end && play.end == end + .milliseconds(10))
    #expect((.milliseconds(1990)...(.milliseconds(2010))).contains(play.shown), "\(play.shown)")
  }

  @Test("A player that ends while the next item is armed has played until then")
  func armedAndStopped() throws {
    var screen = RecordedScreen()
    screen.start(1, isPicture: true)
    screen.show(1, 1, stays: nil)
    screen.feed(.ended(DeckID(generation: 1)))
    screen.start(2, item: 2, at: screen.now + .milliseconds(400))
    screen.feed(.stopped(screen.totals))
    #expect(screen.finished.map(\.shown) == [.milliseconds(40)])
  }

  @Test("Sound without a picture counts as a play")
  func sound() throws {
    var screen = RecordedScreen()
    screen.start(1)
    for _ in 0..<50 {
      screen.feed(.heard(DeckID(generation: 1), at: screen.now, screen.totals))
      screen.now = screen.now + .milliseconds(100)
    }
    screen.feed(.ended(DeckID(generation: 1)))
    screen.now = screen.now + PlayRecorder.settling
    screen.feed(.looked(screen.totals))
    let play = try #require(screen.finished.first)
    #expect(play.frames == 0 && play.shown == .seconds(5) && play.ending == .end)
  }

  @Test("The last item of a list ends when nothing follows")
  func last() throws {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 25)
    screen.feed(.ended(DeckID(generation: 1)))
    let end = screen.now
    screen.feed(.looked(screen.totals))
    #expect(screen.finished.isEmpty)
    screen.now = screen.now + PlayRecorder.settling
    screen.feed(.looked(screen.totals))
    #expect(screen.finished.map(\.end) == [end])
    screen.feed(.stopped(screen.totals))
    #expect(screen.finished.count == 1)
  }

  @Test("An item that fails while it plays has a play; one that never began has none")
  func failures() {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 25)
    screen.feed(.failed(ItemID(rawValue: 1), PlayedItem(uri: "file:///1.mp4"), error: 3003))
    screen.feed(.failed(ItemID(rawValue: 2), PlayedItem(uri: "file:///2.mp4"), error: 3001))
    screen.now = screen.now + .seconds(5)
    screen.start(3, item: 3)
    screen.show(3, 1)
    #expect(screen.finished.map(\.error) == [3001, 3003])
    #expect(screen.finished.map(\.frames) == [0, 25])
    #expect(screen.finished.allSatisfy { $0.ending == .failed })
    #expect(screen.finished[1].shown <= .milliseconds(1250), "nothing plays while the next one is prepared")
  }

  @Test("A source that breaks off and goes on in another deck gives one play")
  func reconnects() throws {
    var screen = RecordedScreen()
    screen.start(1)
    screen.show(1, 25)
    screen.feed(.goesOn(DeckID(generation: 2), ItemID(rawValue: 1)))
    screen.show(2, 25)
    screen.feed(.ended(DeckID(generation: 2)))
    screen.start(3, item: 2)
    screen.show(3, 1)
    #expect(screen.finished.map(\.frames) == [50])
    #expect(screen.finished.map(\.ending) == [.end])
  }

  @Test("A long list's entries match the composed frames, play by play, and the counters")
  func longList() {
    var screen = RecordedScreen()
    var random: UInt64 = 42
    func roll(_ limit: UInt64) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % limit)
    }
    for deck in UInt32(1)...5000 {
      screen.start(deck, item: UInt64(deck % 7 + 1))
      screen.show(deck, 1 + roll(20), drops: roll(3))
      if roll(4) > 0 { screen.feed(.ended(DeckID(generation: deck))) }
    }
    screen.feed(.stopped(screen.totals))
    #expect(screen.finished.map(\.frames) == screen.composed.map(\.frames))
    #expect(screen.finished.reduce(0) { $0 + $1.frames } == screen.totals.rendered)
    #expect(screen.finished.reduce(0) { $0 + $1.dropped } == screen.totals.dropped)
    #expect(zip(screen.finished, screen.finished.dropFirst()).allSatisfy { $0.end <= $1.start })
  }
}

import Testing

@testable import PlaybackCore

@Suite("The presentation of playback, as one value (0123)")
struct PresentationTests {
  private let film = DeckReadiness(duration: .seconds(4), frameInterval: .milliseconds(40))

  private func told(_ bench: Bench) -> Presentation { bench.machine.presentation(at: bench.now) }

  @Test("Before an item is ready, only its start position is known")
  func preparing() throws {
    var bench = Bench(files(1), startAt: .seconds(2))
    #expect(told(bench).current == nil && told(bench).activity == .waiting(.preparing))
    bench.feed(.outputReady)
    bench.feed(.start)
    let item = try #require(told(bench).current)
    #expect(told(bench).activity == .waiting(.preparing) && item.isPreparing && !item.canSeek && !item.isPresented)
    #expect(item.position == .seconds(2) && item.knownPosition == nil && item.duration == nil)
    bench.feed(.seekRequested(to: .seconds(3), .exact))
    let sought = try #require(told(bench).current)
    #expect(sought.seekTarget == .seconds(3) && sought.knownPosition == .seconds(3) && sought.place == .seconds(2))
  }

  @Test("A film's position is its newest frame's, and runs on for as long as frames can be expected")
  func byFrames() throws {
    var bench = Bench(files(1))
    let id = bench.begin(film)
    bench.feed(.frameShown(id, streamTime: .milliseconds(40)), after: .milliseconds(40))
    bench.now = bench.now + .milliseconds(10)
    let item = try #require(told(bench).current)
    #expect(told(bench).activity == .playing && item.hasShownFrames && item.canStep && item.isPresented)
    #expect(item.place == .milliseconds(40) && item.position == item.place && item.playedRange == .zero..<(.seconds(4)))
    #expect(item.playhead.position(at: bench.now) == .milliseconds(50))
    #expect(item.playhead.position(at: bench.now + .seconds(9)) == .milliseconds(290), "the next frame hasn't come")
    bench.feed(.pauseRequested)
    #expect(told(bench).activity == .paused)
    #expect(told(bench).current?.playhead.position(at: bench.now + .seconds(9)) == .milliseconds(40))
  }

  @Test("After a hold the time runs from the resumption, not from the last frame before it")
  func held() throws {
    var bench = Bench(files(1))
    _ = bench.begin(film)
    bench.feed(.pauseRequested)
    bench.feed(.playRequested, after: .seconds(5))
    #expect(told(bench).current?.playhead.position(at: bench.now + .milliseconds(30)) == .milliseconds(30))
  }

  @Test("An exact seek's position is its target, though the frame there begins before, until another frame comes")
  func landing() throws {
    var bench = Bench(files(1))
    let id = bench.begin(film)
    bench.feed(.pauseRequested)
    bench.feed(.seekRequested(to: .milliseconds(1010), .exact))
    #expect(told(bench).current?.position == .milliseconds(1010) && told(bench).current?.place == .zero)
    let number = try #require(bench.machine.seekInFlight)
    // A frame from before the flush doesn't set the position.
    bench.feed(.frameShown(id, streamTime: .milliseconds(80)))
    #expect(told(bench).current?.place == .zero)
    var there = film
    there.firstPosition = .seconds(1)
    bench.feed(.seekFinished(id, seek: number, there))
    let epoch = FrameEpoch(seek: number)
    bench.feed(.frameShown(id, streamTime: .seconds(1), epoch: epoch))
    let item = try #require(told(bench).current)
    #expect(item.seekTarget == nil && item.place == .milliseconds(1010))
    #expect(bench.machine.current?.position == .seconds(1))
    bench.feed(.playRequested)
    bench.feed(.frameShown(id, streamTime: .milliseconds(1040), epoch: epoch), after: .milliseconds(60))
    #expect(told(bench).current?.place == .milliseconds(1040))
  }

  @Test("A seek to a key frame takes that frame's position, and so does an exact one far from its target")
  func missed() throws {
    for (tolerance, first) in [(SeekTolerance.nearestKeyframe, 900), (.exact, 300)] {
      var bench = Bench(files(1))
      let id = bench.begin(film)
      bench.feed(.seekRequested(to: .seconds(1), tolerance))
      var there = film
      there.firstPosition = .milliseconds(first)
      bench.feed(.seekFinished(id, seek: try #require(bench.machine.seekInFlight), there))
      #expect(told(bench).current?.place == .milliseconds(first))
    }
  }

  @Test("A seek's target also counts in reverse, until another frame comes")
  func backwards() throws {
    var bench = Bench(files(1))
    var reverse = film
    reverse.canPlayReverse = true
    let id = bench.begin(reverse)
    bench.feed(.rateRequested(-1))
    bench.feed(.seekRequested(to: .milliseconds(2010), .exact))
    while let number = bench.machine.seekInFlight {
      reverse.firstPosition = .seconds(2)
      bench.feed(.seekFinished(id, seek: number, reverse))
    }
    let epoch = try #require(bench.machine.current?.epoch)
    bench.feed(.frameShown(id, streamTime: .seconds(2), epoch: epoch))
    #expect(told(bench).current?.place == .milliseconds(2010))
    bench.feed(.frameShown(id, streamTime: .milliseconds(1960), epoch: epoch))
    #expect(told(bench).current?.place == .milliseconds(1960))
  }

  @Test("An item played to its end is at its end, not at its last frame's begin")
  func end() {
    var bench = Bench(files(1))
    let id = bench.begin(film)
    bench.feed(.streamEnded(id, .video, at: .seconds(4)), after: .seconds(3))
    bench.feed(.frameShown(id, streamTime: .milliseconds(3960)), after: .milliseconds(950))
    bench.feed(.timerFired(.end(id)), after: .milliseconds(50))
    #expect(told(bench).isAtEnd && told(bench).activity == .paused && told(bench).current?.place == .seconds(4))
  }

  @Test("Until the next item has shown a frame, the one before is on the screen and goes on to its end")
  func seam() throws {
    var bench = Bench(files(2))
    let id = bench.begin(film)
    bench.feed(.deckReady(deck(2), film))
    bench.feed(.streamEnded(id, .video, at: .seconds(4)), after: .milliseconds(3700))
    bench.feed(.frameShown(id, streamTime: .milliseconds(3760)))
    #expect(told(bench).current?.deck == deck(2) && told(bench).onScreen?.deck == id)
    #expect(told(bench).onScreen?.place == .milliseconds(3760))
    #expect(told(bench).onScreen?.playhead.position(at: bench.now + .milliseconds(20)) == .milliseconds(3780))
    bench.feed(.frameShown(deck(2), streamTime: .zero), after: .milliseconds(240))
    #expect(told(bench).predecessor == nil && told(bench).onScreen?.deck == deck(2))
  }

  @Test("A selected item is presented at once, and so is a broken one's replacement")
  func askedFor() {
    var bench = Bench(files(2))
    _ = bench.begin(film)
    bench.feed(.deckReady(deck(2), film))
    bench.feed(.nextRequested)
    #expect(told(bench).onScreen?.deck == deck(2) && told(bench).predecessor == nil)
  }

  @Test("The buffer's level is presented while a network is waited for")
  func buffering() throws {
    var bench = Bench([MediaItem(uri: "http://server/clip.mp4", kind: .progressive)])
    bench.feed(.outputReady)
    bench.feed(.start)
    #expect(told(bench).current?.bufferingPercent == 0)
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckReady(id, film))
    bench.feed(.frameShown(id, streamTime: .zero), after: .milliseconds(20))
    #expect(told(bench).current?.bufferingPercent == nil)
    bench.drain()
    bench.feed(.bufferingChanged(id, percent: 5))
    #expect(told(bench).waitingReason == .buffering)
    #expect(told(bench).current?.bufferingPercent == bench.machine.current?.buffering.percent)
  }
}

@Suite("Frames that follow a seek (0123)")
struct SeekFlightTests {
  private func frame(_ deck: UInt32, _ epoch: UInt8) -> RenderedFrame {
    RenderedFrame(
      deck: DeckID(generation: deck), index: 0, streamTime: .zero, epoch: FrameEpoch(rawValue: epoch),
      at: Instant(nanoseconds: 0), wasRendered: true)
  }

  @Test("Frames after a seek are found by their deck and epoch, which wraps around")
  func origins() {
    let seek = SeekFlight(300, in: deck(5))
    #expect(seek.origin(of: frame(5, 44)) == .thisSeek)
    #expect(seek.origin(of: frame(5, 43)) == .before && seek.origin(of: frame(5, 250)) == .before)
    #expect(seek.origin(of: frame(5, 45)) == .laterSeek)
    #expect(seek.origin(of: frame(4, 44)) == .before && seek.origin(of: frame(6, 44)) == .laterDeck)
  }
}

import Testing

@testable import PlaybackCore

@Suite("Playback machine: intent, buffering, seeking, queue")
struct ControlTests {
  @Test("A pause holds the deck at its running time and a play goes on from there")
  func pause() throws {
    var bench = Bench(files(1))
    let first = bench.begin()
    let base = try #require(bench.machine.current?.base)
    #expect(bench.feed(.pauseRequested, after: .seconds(1)) == [.pauseDeck(first)])
    let heldFor = bench.now - base
    #expect(bench.feed(.playRequested, after: .seconds(5)) == [.playDeck(first, base: bench.now - heldFor)])
  }

  @Test("A picture's time stops in a pause, continues after it, and ends with the picture")
  func picture() throws {
    var bench = Bench([MediaItem(uri: "file:///a.png", kind: .picture)])
    func position(_ bench: Bench) throws -> Duration? {
      try #require(bench.machine.presentation(at: bench.now).current).knownPosition
    }
    bench.feed(.outputReady)
    bench.feed(.start)
    #expect(try position(bench) == nil, "it isn't there yet")
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(10), isSeekable: false)))
    // A picture's lead is shorter than a film's: no decoder has to keep up.
    let lead = PlaybackPolicy().openingLeadOfPicture
    #expect(lead < PlaybackPolicy().openingLead)
    bench.feed(.frameShown(deck(1), streamTime: .zero), after: lead)
    bench.feed(.pauseRequested, after: .seconds(3))
    bench.now = bench.now + .seconds(60)
    #expect(try position(bench) == .seconds(3))
    bench.feed(.playRequested)
    bench.now = bench.now + .seconds(2)
    #expect(try position(bench) == .seconds(5))
    bench.feed(.pauseRequested, after: .seconds(20))
    #expect(try position(bench) == .seconds(10))
  }

  @Test("Buffering holds a deck back and keeps the intent; a live one isn't held")
  func buffering() {
    var bench = Bench([MediaItem(uri: "http://h/a.mp4", kind: .progressive)])
    let first = bench.begin()
    #expect(bench.feed(.bufferingChanged(first, percent: 1)) == [], "what is behind the gauge plays on")
    #expect(bench.feed(.timerFired(.drained(first)), after: .milliseconds(150)) == [.pauseDeck(first)])
    #expect(bench.machine.wantsToPlay)
    #expect(bench.machine.waitingReason == .buffering)
    #expect(bench.feed(.bufferingChanged(first, percent: 39)) == [])
    #expect(bench.feed(.bufferingChanged(first, percent: 100)).count == 1)
    #expect(bench.machine.waitingReason == nil)

    var live = Bench([MediaItem(uri: "rtsp://h/a", kind: .rtsp)])
    let camera = live.begin(DeckReadiness(isLive: true, isSeekable: false))
    #expect(live.feed(.bufferingChanged(camera, percent: 10)) == [])
  }

  @Test("A single seek is in flight, the newest request wins, and an equal target is elided")
  func seekChase() {
    var bench = Bench(files(1))
    let first = bench.begin()
    #expect(
      bench.feed(.seekRequested(to: .seconds(1), .nearestKeyframe)) == [
        .pauseDeck(first), .seekDeck(first, to: .seconds(1), .keyframe, rate: 1, seek: 1, preview: true),
      ])
    #expect(bench.feed(.seekRequested(to: .seconds(2), .nearestKeyframe)) == [])
    #expect(bench.feed(.seekRequested(to: .seconds(3), .nearestKeyframe)) == [])
    #expect(
      bench.feed(.seekFinished(first, seek: 1, DeckReadiness(duration: .seconds(4)))) == [
        .seekDeck(first, to: .seconds(3), .keyframe, rate: 1, seek: 2, preview: true)
      ])
    #expect(bench.feed(.seekRequested(to: .seconds(3), .nearestKeyframe)) == [])
    let actions = bench.feed(.seekFinished(first, seek: 2, DeckReadiness(duration: .seconds(4))))
    #expect(actions == [.playDeck(first, base: bench.now + lead)])
  }

  @Test("A seek before the deck is ready is kept, and one past the end is clamped")
  func earlySeek() {
    var bench = Bench(files(1))
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(bench.feed(.seekRequested(to: .seconds(3), .exact)) == [])
    #expect(
      bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(4)))) == [
        .seekDeck(deck(1), to: .seconds(3), .exact, rate: 1, seek: 1, preview: true)
      ])
    bench.feed(.seekFinished(deck(1), seek: 1, DeckReadiness(duration: .seconds(4))))
    #expect(
      bench.feed(.seekRequested(to: .seconds(60), .exact)).last
        == .seekDeck(deck(1), to: .seconds(4), .exact, rate: 1, seek: 2, preview: true))
  }

  @Test("A seek within a tolerance tries a key frame, and the exact frame only if that is too far off (S19)")
  func tolerance() {
    var bench = Bench(files(1))
    let first = bench.begin()
    let tolerance = SeekTolerance(before: .milliseconds(300), after: .zero)
    #expect(
      bench.feed(.seekRequested(to: .seconds(2), tolerance)).last
        == .seekDeck(first, to: .seconds(2), .keyframeBefore, rate: 1, seek: 1, preview: true))
    let far = DeckReadiness(firstPosition: .milliseconds(1500), duration: .seconds(4))
    #expect(
      bench.feed(.seekFinished(first, seek: 1, far)) == [
        .seekDeck(first, to: .seconds(2), .exact, rate: 1, seek: 2, preview: true)
      ])
    let exact = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4))
    bench.feed(.seekFinished(first, seek: 2, exact), after: .milliseconds(100))
    bench.feed(.seekRequested(to: .seconds(3), tolerance))
    let near = DeckReadiness(firstPosition: .milliseconds(2800), duration: .seconds(4))
    #expect(bench.feed(.seekFinished(first, seek: 3, near)).count == 1)
    #expect(bench.machine.current?.position == .milliseconds(2800))
  }

  @Test("Exact seeks come first while they are quick; when they are slow, a seek to a key frame comes first")
  func quickSeeks() {
    var bench = Bench(files(2))
    let first = bench.begin()
    let tolerance = SeekTolerance(before: .milliseconds(100), after: .milliseconds(100))
    var number: UInt32 = 0
    /// The modes of a seek whose steps take `time` each.
    func modes(_ time: Duration, _ tolerance: SeekTolerance) -> [SeekMode] {
      var modes: [SeekMode] = []
      var actions = bench.feed(.seekRequested(to: .seconds(Int(number) % 3 + 1), tolerance))
      while case .seekDeck(_, let target, let mode, _, let seek, _) = actions.last {
        modes.append(mode)
        number = seek
        let position = mode == .exact ? target : target - .milliseconds(500)
        actions = bench.feed(
          .seekFinished(first, seek: seek, DeckReadiness(firstPosition: position, duration: .seconds(4))), after: time)
      }
      return modes
    }
    #expect(modes(.milliseconds(30), tolerance) == [.keyframe, .exact], "nothing is known yet")
    #expect(modes(.milliseconds(20), tolerance) == [.exact])
    #expect(modes(.milliseconds(20), .nearestKeyframe) == [.keyframe], "who wants key frames gets them")
    #expect(modes(.milliseconds(60), tolerance) == [.exact], "one that takes long is no reason yet")
    #expect(modes(.milliseconds(300), tolerance) == [.exact])
    #expect(modes(.milliseconds(20), tolerance) == [.keyframe, .exact])
    while modes(.milliseconds(20), tolerance) != [.exact] { #expect(number < 50) }
  }

  @Test("During a drag a quick key frame makes the next seek exact")
  func quickKeyframe() {
    for (time, mode) in [(Duration.milliseconds(25), SeekMode.exact), (.milliseconds(26), .keyframe)] {
      var bench = Bench(files(1))
      let first = bench.begin()
      let tolerance = SeekTolerance(before: .milliseconds(100), after: .milliseconds(100))
      bench.feed(.seekRequested(to: .seconds(1), tolerance))
      bench.feed(.seekRequested(to: .seconds(2), tolerance))
      let there = DeckReadiness(firstPosition: .zero, duration: .seconds(4))
      #expect(
        bench.feed(.seekFinished(first, seek: 1, there), after: time) == [
          .seekDeck(first, to: .seconds(2), mode, rate: 1, seek: 2, preview: true)
        ])
    }
  }

  @Test("During a seek the target is the shown position, and afterwards the position reached (S7)")
  func shownPosition() {
    var bench = Bench(files(1))
    let first = bench.begin()
    bench.feed(.seekRequested(to: .seconds(2), .nearestKeyframe))
    #expect(bench.machine.shownPosition == .seconds(2))
    bench.feed(.frameShown(first, streamTime: .milliseconds(100)))
    #expect(bench.machine.shownPosition == .seconds(2))
    bench.feed(.seekRequested(to: .seconds(3), .nearestKeyframe))
    #expect(bench.machine.shownPosition == .seconds(3))
    let there = DeckReadiness(firstPosition: .milliseconds(1900), duration: .seconds(4))
    bench.feed(.seekFinished(first, seek: 1, there))
    bench.feed(.seekFinished(first, seek: 2, DeckReadiness(firstPosition: .milliseconds(2900), duration: .seconds(4))))
    #expect(bench.machine.shownPosition == .milliseconds(2900))
  }

  @Test("A rate is a seek to the present position, clamped; zero is a pause; the next deck is built for it (S18)")
  func rate() {
    var bench = Bench(files(2))
    let first = bench.begin()
    bench.feed(.frameShown(first, streamTime: .seconds(1)))
    #expect(
      bench.feed(.rateRequested(2)) == [
        .dropDeck(deck(2)), .building(deck(3), 1, from: .zero, rate: 2), .pauseDeck(first),
        .seekDeck(first, to: .seconds(1), .exact, rate: 2, seek: 1, preview: true),
      ])
    bench.feed(.rateRequested(100))
    #expect(bench.machine.rate == 4)
    bench.feed(.rateRequested(0))
    #expect(bench.machine.rate == 4 && !bench.machine.wantsToPlay)
    bench.feed(.rateRequested(.nan))
    #expect(bench.machine.rate == 4)
  }

  @Test(
    "A network item changes its speed without a seek or a pause; in reverse and at its end it seeks"
  )
  func rateOfStreams() {
    var bench = Bench([MediaItem(uri: "http://h/a.mp4", kind: .progressive)])
    let ready = DeckReadiness(duration: .seconds(60), canPlayReverse: true)
    let first = bench.begin(ready)
    bench.feed(.frameShown(first, streamTime: .seconds(1)))
    #expect(bench.feed(.rateRequested(2)) == [.retimeDeck(first, rate: 2)])
    #expect(bench.machine.rate == 2 && bench.machine.current?.rate == 1 && bench.machine.waitingReason == nil)
    #expect(bench.feed(.rateRequested(2)) == [], "it is on its way")
    #expect(bench.feed(.rateRequested(1)) == [.retimeDeck(first, rate: 1)], "and may be called back")
    #expect(bench.feed(.rateRequested(2)) == [.retimeDeck(first, rate: 2)])
    bench.feed(.rateChanged(first, 2, at: .seconds(4), position: .seconds(4)))
    #expect(bench.machine.current?.rate == 2)
    // From 4 s on it takes half the time: its end, at 60 s, comes 4 + 28 s after its start, and doesn't count as a
    // break.
    bench.feed(.streamEnded(first, .video, at: .seconds(32)))
    #expect(bench.machine.current?.failure == nil)
    let late = bench.feed(.rateRequested(1))
    #expect(late.contains { if case .seekDeck(first, _, .exact, 1, _, _) = $0 { true } else { false } }, "\(late)")

    var other = Bench([MediaItem(uri: "http://h/a.mp4", kind: .progressive)])
    let deck = other.begin(ready)
    other.feed(.rateRequested(2))
    // A seek sets the speed too, so the answer to the change under way is stale.
    let sought = other.feed(.seekRequested(to: .seconds(30), .exact))
    #expect(sought.contains(.seekDeck(deck, to: .seconds(30), .exact, rate: 2, seek: 1, preview: true)), "\(sought)")
    other.feed(.rateChanged(deck, 2, at: .seconds(1), position: .seconds(1)))
    #expect(other.machine.current?.position != .seconds(1) && other.machine.current?.rate == 2)
    other.feed(
      .seekFinished(
        deck, seek: 1, DeckReadiness(firstPosition: .seconds(30), duration: .seconds(60), canPlayReverse: true)))
    let backwards = other.feed(.rateRequested(-1))
    #expect(
      backwards.contains { if case .seekDeck(deck, _, .exact, -1, _, _) = $0 { true } else { false } }, "\(backwards)")
  }

  @Test("A picture, and an item that can't be sought in, keep speed 1 while others play at another rate")
  func ownSpeed() throws {
    let list = [files(1)[0], MediaItem(uri: "file:///b.png", kind: .picture), files(2)[1]]
    var bench = Bench(list)
    #expect(bench.feed(.rateRequested(2)) == [])
    let first = bench.begin()
    #expect(bench.machine.current?.rate == 2)
    let picture = try #require(bench.machine.next)
    #expect(picture.media.kind == .picture && picture.rate == 1)
    // That doesn't rebuild a prepared deck.
    bench.feed(.deckReady(picture.id, DeckReadiness(duration: .seconds(1), isSeekable: false)))
    #expect(!bench.feed(.frameShown(first, streamTime: .seconds(1))).contains(.dropDeck(picture.id)))
    #expect(!bench.feed(.rateRequested(1.5)).contains(.dropDeck(picture.id)))

    var stream = Bench(files(1))
    stream.feed(.rateRequested(0.5))
    let live = stream.begin(DeckReadiness(isSeekable: false))
    #expect(stream.machine.current?.rate == 1 && stream.machine.rate == 0.5)
    let changed = stream.feed(.rateRequested(3))
    #expect(!changed.contains { if case .seekDeck(live, _, _, _, _, _) = $0 { true } else { false } }, "\(changed)")
  }

  @Test("A rate requested while the first item is prepared applies to that item")
  func rateBeforeReady() {
    var bench = Bench(files(1))
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.rateRequested(2))
    let ready = bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(4))))
    #expect(ready.contains(.seekDeck(deck(1), to: .zero, .exact, rate: 2, seek: 1, preview: true)), "\(ready)")
    #expect(bench.machine.current?.rate == 2)
  }

  @Test("Reverse plays only where the item allows it, stops at the item's start, and nothing follows")
  func reverse() throws {
    var cannot = Bench(files(1))
    _ = cannot.begin()
    #expect(cannot.feed(.rateRequested(-1)) == [])
    #expect(cannot.machine.rate == 1)

    var bench = Bench(files(2))
    let ready = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4), canPlayReverse: true)
    let first = bench.begin(ready)
    bench.feed(.rateRequested(-1))
    bench.feed(.seekFinished(first, seek: 1, ready))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.streamEnded(first, .video, at: .seconds(2)))
    #expect(bench.due(.end(first)) == base + .seconds(2))
    #expect(bench.feed(.timerFired(.end(first)), after: .seconds(2)) == [.pauseDeck(first)])
    #expect(bench.notices.contains(.stoppedAtEnd(item: 0)))
  }

  @Test(
    "Reverse is refused for a network item in preparation, and for a file that turns out unable to do it"
  )
  func reverseBeforeReady() {
    var stream = Bench([MediaItem(uri: "http://h/a.mp4", kind: .progressive)] + files(1))
    stream.feed(.start)
    stream.feed(.outputReady)
    #expect(stream.feed(.rateRequested(-1)) == [] && stream.machine.rate == 1)

    var early = PlaybackMachine(
      queue: [MediaItem(uri: "http://h/a.mp4", kind: .progressive)], loops: false, startAt: .seconds(2), seed: 0)
    for event in [PlaybackEvent.rateRequested(-1), .start, .outputReady] {
      _ = early.handle(event, at: Instant(nanoseconds: 0))
    }
    #expect(early.rate == 1 && early.current?.rate == 1)

    // A file that can't be played in reverse.
    var file = Bench(files(2))
    file.feed(.start)
    file.feed(.outputReady)
    file.feed(.rateRequested(-1))
    let ready = file.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(4))))
    #expect(!ready.contains { if case .seekDeck(_, _, _, let rate, _, _) = $0 { rate < 0 } else { false } }, "\(ready)")
    #expect(file.machine.rate == 1)
    file.feed(.seekFinished(deck(1), seek: 1, DeckReadiness(duration: .seconds(4))))
    #expect(
      file.feed(.frameShown(deck(1), streamTime: .zero, epoch: FrameEpoch(seek: 1))).contains(.building(deck(2), 1)))
  }

  @Test("Steps move by frames while paused, forward and back, and not while playing")
  func step() {
    var bench = Bench(files(1))
    let ready = DeckReadiness(duration: .seconds(4), frameInterval: .milliseconds(40))
    let first = bench.begin(ready)
    #expect(bench.feed(.stepRequested(frames: 1)) == [])
    bench.feed(.pauseRequested)
    for (frames, expected) in [(1, 50), (1, 90), (-2, 10), (-5, 10)] {
      bench.feed(.stepRequested(frames: frames))
      let number = bench.machine.seek.lastNumber
      #expect(bench.machine.current?.seeking?.request.target == .milliseconds(expected))
      let there = DeckReadiness(
        firstPosition: .milliseconds(expected), duration: .seconds(4), frameInterval: .milliseconds(40))
      bench.feed(.seekFinished(first, seek: number, there))
    }
  }

  @Test(
    "At an item's end pause keeps the last frame and play has no effect until a seek; loop plays it again (S14, S24)"
  )
  func endAction() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    #expect(bench.feed(.endActionChanged(.pause)) == [.dropDeck(deck(2))])
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .seconds(4))
    #expect(bench.feed(.timerFired(.end(first)), after: .milliseconds(50)) == [.pauseDeck(first)])
    #expect(bench.notices.contains(.stoppedAtEnd(item: 0)))
    #expect(bench.machine.isAtEnd)
    #expect(bench.feed(.playRequested) == [])
    #expect(!bench.machine.wantsToPlay)
    bench.feed(.seekRequested(to: .zero, .exact))
    bench.feed(.seekFinished(first, seek: 1, DeckReadiness(duration: .seconds(4))))
    #expect(bench.feed(.playRequested) == [.playDeck(first, base: bench.now + lead)])

    var looping = Bench(files(2))
    _ = looping.begin()
    #expect(
      looping.feed(.endActionChanged(.loopItem)) == [
        .dropDeck(deck(2)), .building(deck(3), 0, from: .zero, rate: 1),
      ])

    var stopping = Bench(files(2))
    let only = stopping.begin()
    stopping.feed(.endActionChanged(.stop))
    stopping.feed(.streamEnded(only, .video, at: .seconds(4)), after: .seconds(4))
    stopping.feed(.timerFired(.end(only)), after: .milliseconds(50))
    #expect(stopping.notices.contains(.queueEnded) && stopping.machine.isAtEnd)
  }

  @Test("A seek that is never answered is replaced by a fresh deck at its target")
  func seekHangs() {
    var bench = Bench(files(1))
    let first = bench.begin()
    bench.feed(.seekRequested(to: .seconds(2), .exact))
    #expect(
      bench.feed(.timerFired(.seekGuard(seek: 1)), after: .seconds(2)) == [
        .abandonDeck(first), .building(deck(2), 0, from: .seconds(2), rate: 1),
      ])
  }
}

import Testing

@testable import PlaybackCore

@Suite("Playback machine: items without a picture")
struct PlaybackMachineSoundTests {
  private let song = DeckReadiness(duration: .seconds(60), hasVideo: false, hasSound: true)
  private let station = VitrineError(2001, subject: "s", message: "m", remedy: "r")
  private let missing = VitrineError(2404, subject: "s", message: "m", remedy: "r")
  private let policy = PlaybackPolicy()

  private var carded: DeckReadiness {
    var readiness = song
    readiness.hasCard = true
    return readiness
  }

  private var radio: DeckReadiness {
    var readiness = DeckReadiness(hasVideo: false, hasSound: true, isSeekable: false)
    readiness.isEndless = true
    return readiness
  }

  private func songs(_ count: Int) -> [MediaItem] {
    (0..<count).map { MediaItem(uri: "file:///clip\($0).mp4", kind: .file) }
  }

  /// A playing item of which a tenth of a second was heard.
  private func playing(_ readiness: DeckReadiness, _ items: [MediaItem], loops: Bool = false) -> Bench {
    var bench = Bench(items, loops: loops)
    bench.feed(.outputReady)
    bench.feed(.start)
    bench.feed(.deckReady(deck(1), readiness))
    feedSound(.milliseconds(100), &bench, after: .milliseconds(160))
    return bench
  }

  private func feedSound(
    _ position: Duration, _ bench: inout Bench, after wait: Duration, epoch: FrameEpoch = .start,
    of id: DeckID = deck(1)
  ) {
    bench.feed(.soundHeard(id, running: position, streamTime: position, epoch: epoch), after: wait)
  }

  @Test("A song begins with a lead for its sound, and the next one is armed exactly at the sound's end")
  func seam() {
    var bench = Bench(songs(2))
    bench.feed(.outputReady)
    bench.feed(.start)
    let base = Instant(nanoseconds: 0) + policy.openingLeadWithSound
    #expect(
      bench.feed(.deckReady(deck(1), carded)) == [.playDeck(deck(1), base: base), .building(deck(2), 1)])
    #expect(bench.due(.stuck(deck(1))) == Instant(nanoseconds: 0) + policy.reconnect.stuckLocal)
    #expect(bench.feed(.frameShown(deck(1), streamTime: .zero), after: .milliseconds(60)) == [])
    bench.feed(.deckReady(deck(2), DeckReadiness(firstRunningTime: .milliseconds(5))))
    let armed = bench.feed(.streamEnded(deck(1), .sound, at: .seconds(60)), after: .milliseconds(59_900))
    #expect(armed == [.playDeck(deck(2), base: base + .seconds(60) - .milliseconds(5))])
    #expect(bench.notices.contains(.itemEnded(item: 0, deck(1))))
  }

  @Test("A song's position is what was heard, not its card's; the card replaces the last frame before it")
  func position() {
    var bench = Bench(songs(3))
    _ = bench.begin()
    bench.feed(.deckReady(deck(2), carded))
    bench.feed(.streamEnded(deck(1), .video, at: .seconds(4)), after: .milliseconds(3930))
    #expect(bench.machine.current?.id == deck(2))
    #expect(bench.feed(.frameShown(deck(2), streamTime: .zero), after: .milliseconds(50)) == [.dropDeck(deck(1))])
    feedSound(.milliseconds(2300), &bench, after: .milliseconds(2300), of: deck(2))
    #expect(bench.machine.current?.position == .milliseconds(2300))
    bench.feed(.frameShown(deck(2), streamTime: .zero), after: .milliseconds(10))
    #expect(bench.machine.current?.position == .milliseconds(2300), "a card that says something new")
  }

  @Test("The clock runs only a little ahead of the sound heard, stops in a pause, and follows the item's speed")
  func playhead() throws {
    var bench = playing(song, songs(1))
    feedSound(.seconds(2), &bench, after: .seconds(2))
    func position(after wait: Duration) throws -> Duration {
      let deck = try #require(bench.machine.current)
      let head = try #require(bench.machine.ownPlayhead(of: deck, at: bench.now))
      return head.position(at: bench.now + wait)
    }
    #expect(try position(after: .milliseconds(80)) == .milliseconds(2080))
    #expect(try position(after: .seconds(9)) == .milliseconds(2250), "nothing is heard any more")
    bench.feed(.pauseRequested)
    #expect(try position(after: .seconds(9)) == .seconds(2))
  }

  @Test("A skip counts from the present position, and sound from before it is ignored")
  func seek() {
    var bench = playing(song, songs(1))
    feedSound(.seconds(20), &bench, after: .seconds(20))
    #expect(bench.machine.shownPosition == .seconds(20))
    let actions = bench.feed(.seekRequested(to: .seconds(30), .exact))
    #expect(
      actions == [
        .pauseDeck(deck(1)), .seekDeck(deck(1), to: .seconds(30), .exact, rate: 1, seek: 1, preview: true),
      ])
    feedSound(.milliseconds(20_100), &bench, after: .milliseconds(10))
    #expect(bench.machine.shownPosition == .seconds(30))
    var there = song
    there.firstPosition = .seconds(30)
    #expect(
      bench.feed(.seekFinished(deck(1), seek: 1, there)) == [
        .playDeck(deck(1), base: bench.now + policy.openingLeadWithSound)
      ])
    #expect(bench.machine.current?.position == .seconds(30))
    bench.feed(
      .soundHeard(deck(1), running: .milliseconds(50), streamTime: .milliseconds(30_050), epoch: FrameEpoch(seek: 1)))
    #expect(bench.machine.current?.position == .milliseconds(30_050))
  }

  @Test("On another output a song continues where it was heard, and a station from now")
  func output() {
    var bench = playing(song, songs(1))
    feedSound(.seconds(20), &bench, after: .seconds(20))
    #expect(bench.feed(.outputLost) == [.dropDeck(deck(1))])
    #expect(bench.feed(.outputReady) == [.building(deck(2), 0, from: .seconds(20))])
    var other = playing(radio, [MediaItem(uri: "http://radio/", kind: .progressive)])
    feedSound(.seconds(20), &other, after: .seconds(20))
    other.feed(.outputLost)
    guard case .buildDeck(_, _, _, .zero, _) = other.feed(.outputReady).first else {
      Issue.record("\(other.actions)")
      return
    }
  }

  @Test("In a pause before its start a song shows its card, if it has one")
  func preview() {
    for (readiness, expected) in [(carded, [PlaybackAction.previewDeck(deck(1))]), (song, [])] {
      var bench = Bench(songs(1))
      bench.feed(.outputReady)
      bench.feed(.start)
      bench.feed(.pauseRequested)
      #expect(bench.feed(.deckReady(deck(1), readiness)) == expected)
    }
  }

  @Test("A song without sound is stuck after the time of a film without frames; new sound restarts that time")
  func stuck() {
    let item = MediaItem(uri: "http://server/song.mp3", kind: .progressive)
    var bench = playing(song, [item])
    for second in 1...9 { feedSound(.seconds(second), &bench, after: .seconds(1)) }
    #expect(bench.feed(.timerFired(.stuck(deck(1))), after: .seconds(1)) == [])
    let due = bench.due(.stuck(deck(1)))
    #expect(due == bench.now + .seconds(9))
    let actions = bench.feed(.timerFired(.stuck(deck(1))), after: .seconds(9))
    #expect(actions == [.dropDeck(deck(1)), .buildDeck(deck(2), item, item: 0, from: .seconds(9), rate: 1)])
    #expect(bench.machine.waitingReason == .reconnecting)
  }

  @Test("A song that runs dry is held exactly where it was heard last, and not for an empty gauge alone")
  func drained() {
    var bench = playing(song, [MediaItem(uri: "http://server/song.mp3", kind: .progressive)])
    feedSound(.seconds(5), &bench, after: .seconds(5))
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 0)) == [])
    #expect(bench.due(.drained(deck(1))) == bench.now + RenderedSound.interval * 3)
    feedSound(.milliseconds(5100), &bench, after: .milliseconds(100))
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: .milliseconds(200)) == [])
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: .milliseconds(100)) == [.pauseDeck(deck(1))])
    #expect(bench.machine.current?.phase == .held(at: .milliseconds(5100)))
    #expect(bench.machine.waitingReason == .buffering)
  }

  @Test("A station whose connection ends is opened again and again, and counts neither as ended nor as failed")
  func breaks() throws {
    let items = [MediaItem(uri: "http://radio/", kind: .progressive), MediaItem(uri: "file:///b.mp3", kind: .file)]
    var bench = playing(radio, items, loops: true)
    #expect(bench.machine.next == nil, "nothing follows what has no end")
    feedSound(.seconds(100), &bench, after: .seconds(100))
    #expect(bench.feed(.streamEnded(deck(1), .sound, at: .milliseconds(100_400))) == [])
    var notices: [PlaybackNotice] = []
    feedSound(.milliseconds(100_400), &bench, after: .milliseconds(400))
    let actions = bench.feed(.timerFired(.end(deck(1))))
    #expect(actions == [.dropDeck(deck(1)), .buildDeck(deck(2), items[0], item: 0, from: .zero, rate: 1)])
    notices += bench.notices
    #expect(bench.machine.waitingReason == .reconnecting)

    // The server answers that there is no such station.
    for _ in 0..<3 {
      let id = try #require(bench.machine.current?.id)
      bench.feed(.deckFailed(id, missing), after: .milliseconds(20))
      notices += bench.notices
      let again = try #require(bench.machine.current?.id)
      let due = try #require(bench.due(.reconnect(again)))
      bench.feed(.timerFired(.reconnect(again)), after: due - bench.now)
    }
    #expect(bench.machine.current?.item == 0)
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckReady(id, radio), after: .milliseconds(50))
    notices += bench.notices
    #expect(
      !notices.contains {
        switch $0 {
        case .itemEnded, .itemFailed, .itemStarted: true
        default: false
        }
      }, "\(notices)")
    #expect(notices.filter { if case .reconnecting = $0 { true } else { false } }.count == 4)
    #expect(bench.machine.waitingReason == nil)
  }

  @Test("A station held for want of data is opened again too when its connection ends")
  func breaksWhileHeld() throws {
    var bench = playing(radio, [MediaItem(uri: "http://radio/", kind: .progressive)], loops: true)
    feedSound(.seconds(100), &bench, after: .seconds(100))
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    bench.feed(.timerFired(.drained(deck(1))), after: .seconds(1))
    #expect(bench.machine.waitingReason == .buffering)
    bench.feed(.streamEnded(deck(1), .sound, at: .seconds(100)), after: .seconds(5))
    #expect(bench.machine.waitingReason == nil)
    let due = try #require(bench.due(.end(deck(1))))
    let actions = bench.feed(.timerFired(.end(deck(1))), after: max(.zero, due - bench.now))
    #expect(actions.contains(.dropDeck(deck(1))) && bench.machine.waitingReason == .reconnecting)
  }

  @Test("A station with a duration of ten minutes then gives way to the next item, to the sample")
  func ownEnd() throws {
    var item = MediaItem(uri: "http://radio/", kind: .progressive)
    item.end = .seconds(600)
    var bench = playing(radio, [item, MediaItem(uri: "file:///b.mp4", kind: .file)])
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), DeckReadiness()))
    feedSound(.milliseconds(599_500), &bench, after: .milliseconds(599_400))
    #expect(bench.machine.current?.id == deck(1))
    feedSound(.milliseconds(599_600), &bench, after: .milliseconds(100))
    bench.feed(.timerFired(.arm(deck(1))), after: .milliseconds(100))
    #expect(bench.machine.current?.id == deck(2) && bench.machine.current?.base == base + .seconds(600))
  }

  @Test("A station that stays away gives way to other items after its budget, as a film does")
  func budget() throws {
    let items = [MediaItem(uri: "http://radio/", kind: .progressive), MediaItem(uri: "file:///b.mp3", kind: .file)]
    var bench = playing(radio, items, loops: true)
    bench.feed(.deckFailed(deck(1), station))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    var tries = 0
    while bench.machine.current?.item == 0, tries < 60 {
      tries += 1
      let id = try #require(bench.machine.current?.id)
      if let due = bench.due(.reconnect(id)) { bench.feed(.timerFired(.reconnect(id)), after: due - bench.now) }
      bench.feed(.deckFailed(id, missing), after: .milliseconds(10))
    }
    #expect(bench.machine.current?.item == 1 && tries > 20, "\(tries)")
  }

  @Test("A song that ends before its length has lost its connection; one without a length has ended")
  func early() {
    let items = [
      MediaItem(uri: "http://server/song.mp3", kind: .progressive), MediaItem(uri: "file:///b", kind: .file),
    ]
    var bench = playing(song, items)
    feedSound(.seconds(20), &bench, after: .seconds(20))
    bench.feed(.streamEnded(deck(1), .sound, at: .seconds(20)))
    bench.feed(.timerFired(.end(deck(1))))
    #expect(bench.machine.current?.item == 0 && bench.machine.waitingReason == .reconnecting)

    var other = playing(DeckReadiness(hasVideo: false, hasSound: true), items)
    feedSound(.seconds(20), &other, after: .seconds(20))
    other.feed(.deckReady(deck(2), DeckReadiness()))
    other.feed(.streamEnded(deck(1), .sound, at: .seconds(20)))
    #expect(other.machine.current?.item == 1)
  }

  @Test("A live source without a picture is followed by its sound")
  func live() {
    var bench = Bench([MediaItem(uri: "rtsp://mic/", kind: .rtsp)])
    bench.feed(.outputReady)
    bench.feed(.start)
    bench.feed(.deckReady(deck(1), DeckReadiness(hasVideo: true, isLive: true, isSeekable: false)))
    bench.feed(.streamsFound(deck(1), hasVideo: false, hasSound: true))
    feedSound(.seconds(9), &bench, after: .seconds(9))
    #expect(bench.machine.current?.position == .seconds(9))
    #expect(bench.feed(.timerFired(.stuck(deck(1))), after: .seconds(2)) == [])
  }
}

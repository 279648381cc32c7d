import Testing

@testable import PlaybackCore

@Suite("Playback machine: sources that break off")
struct PlaybackMachineRecoveryTests {
  private let refused = VitrineError(2001, subject: "s", message: "m", remedy: "r")
  private let notFound = VitrineError(2404, subject: "s", message: "m", remedy: "r")
  private let ready = DeckReadiness(duration: .seconds(60))
  private let policy = ReconnectPolicy()

  private func remote(_ place: Int) -> MediaItem {
    MediaItem(uri: "http://server/clip\(place).mp4", kind: .progressive)
  }

  /// A network item that has played for five seconds.
  private func playing(_ count: Int = 1) -> Bench {
    var bench = Bench((0..<count).map(remote), loops: true)
    _ = bench.begin(ready)
    bench.feed(.frameShown(deck(1), streamTime: .seconds(5)), after: .seconds(5))
    return bench
  }

  private func isBuilding(_ actions: [PlaybackAction], from position: Duration) -> Bool {
    actions.contains { if case .buildDeck(_, _, _, position, _) = $0 { true } else { false } }
  }

  @Test("After an error the buffered part plays on, then a fresh deck continues at the last position (P6)")
  func playsOn() throws {
    var bench = playing()
    #expect(bench.feed(.deckFailed(deck(1), refused)) == [])
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 3)) == [], "there is nothing to wait for")
    bench.feed(.frameShown(deck(1), streamTime: .milliseconds(5900)), after: .milliseconds(900))
    #expect(bench.feed(.timerFired(.starved(deck(1))), after: .milliseconds(100)) == [])
    let actions = bench.feed(.timerFired(.starved(deck(1))), after: .seconds(1))
    #expect(actions.first == .dropDeck(deck(1)) && isBuilding(actions, from: .milliseconds(5900)))
    #expect(bench.machine.waitingReason == .reconnecting)
    let again = try #require(bench.machine.current?.id)
    let resumed = DeckReadiness(firstPosition: .milliseconds(5900), duration: .seconds(60))
    // The next deck was built before the new one, so it couldn't follow it.
    #expect(
      bench.feed(.deckReady(again, resumed)) == [.dropDeck(deck(2)), .playDeck(again, base: bench.now + lead)])
    #expect(!bench.notices.contains { if case .itemStarted = $0 { true } else { false } }, "it is the same item")
  }

  @Test("A worn decoder is rebuilt at once at its position, for a file, a network item and a camera")
  func worn() throws {
    let worn = PlaybackErrors.decoderIsWorn("v4l2slh264dec", uri: "u")
    for media in [
      MediaItem(uri: "file:///a.mp4", kind: .file), remote(0), MediaItem(uri: "rtsp://camera/1", kind: .rtsp),
    ] {
      var bench = Bench([media], loops: true)
      _ = bench.begin(media.kind == .rtsp ? DeckReadiness(isLive: true, isSeekable: false) : ready)
      bench.feed(.frameShown(deck(1), streamTime: .seconds(5)), after: .seconds(5))
      let actions = bench.feed(.deckFailed(deck(1), worn))
      #expect(actions.contains(.dropDeck(deck(1))), "\(media.kind)")
      #expect(isBuilding(actions, from: media.kind == .rtsp ? .zero : .seconds(5)), "\(media.kind) \(actions)")
      // As often as it takes, and without a wait: a worn decoder isn't a failed try.
      for round in 1...5 {
        let id = try #require(bench.machine.current?.id)
        let position = Duration.seconds(5 + round)
        bench.feed(
          .deckReady(
            id,
            DeckReadiness(
              firstPosition: media.kind == .rtsp ? .zero : position - .seconds(1), duration: ready.duration,
              isLive: media.kind == .rtsp, isSeekable: media.kind != .rtsp)))
        bench.feed(.frameShown(id, streamTime: position), after: .seconds(1))
        let again = bench.feed(.deckFailed(id, worn))
        #expect(isBuilding(again, from: media.kind == .rtsp ? .zero : position), "\(media.kind) \(round) \(again)")
      }
    }
  }

  @Test("Tries come at once, each second for a minute, then after 2, 4 ... 30 s; 10 s of playing reset them")
  func backoff() throws {
    var bench = playing()
    var waits: [Double] = []
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    for _ in 0..<64 {
      let id = try #require(bench.machine.current?.id)
      if let due = bench.due(.reconnect(id)) {
        waits.append((due - bench.now).inSeconds)
        bench.feed(.timerFired(.reconnect(id)), after: due - bench.now)
      }
      bench.feed(.deckFailed(id, refused), after: .milliseconds(10))
    }
    let eager = waits.prefix { $0 <= 1.2 }
    #expect((45...60).contains(eager.count) && eager.allSatisfy { $0 >= 1 }, "\(waits)")
    let plain = [2.0, 4, 8, 16, 30, 30]
    #expect(zip(waits.dropFirst(eager.count), plain).allSatisfy { $0 >= $1 && $0 <= min(30, $1 * 1.2) }, "\(waits)")
    #expect(waits.count >= eager.count + plain.count)
    #expect(Set(waits).count > 20, "no two boards alike")

    let id = try #require(bench.machine.current?.id)
    bench.feed(.timerFired(.reconnect(id)), after: .seconds(30))
    bench.feed(.deckReady(id, DeckReadiness(firstPosition: .seconds(5), duration: .seconds(60))))
    bench.feed(.frameShown(id, streamTime: .seconds(16)), after: .seconds(11))
    bench.feed(.deckFailed(id, refused))
    let actions = bench.feed(.timerFired(.starved(id)), after: .seconds(2))
    #expect(isBuilding(actions, from: .seconds(16)), "at once")
  }

  @Test("A break that was waited out without an output has its whole budget again when there is one")
  func darkness() throws {
    var bench = playing(2)
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    bench.feed(.outputLost, after: .seconds(1))
    bench.feed(.outputReady, after: .seconds(3600))
    let id = try #require(bench.machine.current?.id)
    let actions = bench.feed(.deckFailed(id, refused), after: .seconds(1))
    #expect(isBuilding(actions, from: .seconds(5)), "tried again, at once")
    #expect(bench.machine.current?.item == 0 && bench.machine.failures.mark(of: 0) == nil)
    // Another item's break leaves no trace.
    var edited = playing(2)
    edited.feed(.deckFailed(deck(1), refused))
    edited.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    edited.feed(.outputLost)
    edited.feed(.queueReplaced([remote(7)]))
    edited.feed(.outputReady)
    #expect(edited.machine.waitingReason == .preparing)
  }

  @Test("An item is given up after its budget if another one can play, and at once if it is gone for good")
  func budget() throws {
    var bench = playing(2)
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    var tries = 0
    while bench.machine.current?.item == 0, tries < 20 {
      tries += 1
      let id = try #require(bench.machine.current?.id)
      bench.feed(.timerFired(.reconnect(id)), after: .seconds(5))
      bench.feed(.deckFailed(id, refused))
    }
    #expect(bench.machine.current?.item == 1)
    #expect(bench.machine.failures.mark(of: 0)?.error == refused)
    #expect((5...8).contains(tries), "\(tries)")

    var gone = playing(2)
    gone.feed(.deckFailed(deck(1), notFound))
    #expect(gone.machine.current?.item == 1)
  }

  @Test("An item that has shown no frame yet is skipped when it fails")
  func neverShown() {
    var bench = Bench([remote(0), remote(1)], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.deckFailed(deck(1), refused))
    #expect(bench.machine.current?.item == 1)
  }

  @Test("A stream that ends well before its item is a closed connection, not the item's end")
  func earlyEnd() throws {
    var bench = playing(2)
    bench.feed(.deckReady(deck(2), ready))
    #expect(bench.feed(.streamEnded(deck(1), .video, at: .seconds(8)), after: .seconds(2)) == [])
    let actions = bench.feed(.timerFired(.end(deck(1))), after: .seconds(1))
    #expect(actions.first == .dropDeck(deck(1)) && isBuilding(actions, from: .seconds(5)))
    #expect(bench.machine.current?.item == 0)

    // A stream that ends close to its item's end has ended.
    var near = playing(2)
    near.feed(.deckReady(deck(2), ready))
    let armed = near.feed(.streamEnded(deck(1), .video, at: .milliseconds(58_500)), after: .milliseconds(53_450))
    #expect(armed.contains { if case .playDeck(deck(2), _) = $0 { true } else { false } })
  }

  @Test("No frame for 10 s, or no data for 20 s (alone 70 s), gives a fresh deck, but not in a pause")
  func watchdogs() throws {
    var bench = playing()
    #expect(bench.feed(.timerFired(.stuck(deck(1))), after: .seconds(9)) == [])
    #expect(isBuilding(bench.feed(.timerFired(.stuck(deck(1))), after: .seconds(1)), from: .seconds(5)))

    var starving = playing(2)
    #expect(starving.drain() == [.pauseDeck(deck(1))])
    starving.feed(.bufferingChanged(deck(1), percent: 2), after: .seconds(5))
    #expect(starving.feed(.timerFired(.silent(deck(1))), after: .seconds(19)) == [])
    #expect(isBuilding(starving.feed(.timerFired(.silent(deck(1))), after: .seconds(1)), from: .seconds(5)))

    var alone = playing()
    alone.drain()
    alone.feed(.bufferingChanged(deck(1), percent: 2), after: .seconds(1))
    #expect(alone.feed(.timerFired(.silent(deck(1))), after: .seconds(20)) == [])
    #expect(try #require(alone.due(.silent(deck(1)))) - alone.now == .seconds(50))
    #expect(isBuilding(alone.feed(.timerFired(.silent(deck(1))), after: .seconds(50)), from: .seconds(5)))

    var paused = playing()
    paused.feed(.pauseRequested)
    #expect(paused.feed(.timerFired(.stuck(deck(1))), after: .seconds(100)) == [])
    paused.feed(.bufferingChanged(deck(1), percent: 0))
    #expect(paused.feed(.timerFired(.silent(deck(1))), after: .seconds(100)) == [])
  }

  @Test("A file that gets stuck is opened once more, then it has failed")
  func stuckFile() throws {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin(ready)
    #expect(bench.feed(.timerFired(.stuck(first)), after: .seconds(30)) == [])
    let actions = bench.feed(.timerFired(.stuck(first)), after: .seconds(31))
    #expect(isBuilding(actions, from: .zero))
    let again = try #require(bench.machine.current?.id)
    bench.feed(.deckFailed(again, VitrineError(4002, subject: "s", message: "m", remedy: "r")))
    #expect(bench.machine.current?.item == 1)
  }

  @Test("A seek while the server is away sets the place where playback continues")
  func seekMeanwhile() throws {
    var bench = playing()
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.seekRequested(to: .seconds(40), .exact))
    let actions = bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    #expect(isBuilding(actions, from: .seconds(40)))
  }

  @Test("Next leaves an item whose source is away, without leftovers")
  func leave() throws {
    var bench = playing(2)
    bench.feed(.deckReady(deck(2), ready))
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckFailed(id, refused))
    let waiting = try #require(bench.machine.current?.id)
    let actions = bench.feed(.nextRequested)
    #expect(actions == [.playDeck(deck(2), base: bench.now + lead)])
    #expect(bench.actions.contains(.cancelTimer(.reconnect(waiting))))
    #expect(bench.feed(.timerFired(.reconnect(waiting))) == [])
  }

  @Test("The next deck is prepared once more after the current item was reopened")
  func preparesNextAgain() throws {
    var bench = playing(2)
    bench.feed(.deckReady(deck(2), ready))
    bench.feed(.deckFailed(deck(1), refused))
    bench.feed(.timerFired(.starved(deck(1))), after: .seconds(2))
    let again = try #require(bench.machine.current?.id)
    #expect(bench.machine.next?.id == deck(2), "it is what is left if the server stays away")
    bench.feed(.deckReady(again, ready))
    #expect(bench.actions.contains(.dropDeck(deck(2))))
    bench.feed(.frameShown(again, streamTime: .seconds(6)))
    let next = try #require(bench.machine.next)
    #expect(next.id > again && next.item == bench.machine.queue.entries[1].id)
  }

  @Test("The only item of a loop isn't given up before its first frame, whatever the server answers")
  func onlyItem() throws {
    for error in [refused, notFound, VitrineError(3001, subject: "s", message: "m", remedy: "r")] {
      var bench = Bench([remote(0)], loops: true)
      bench.feed(.outputReady)
      bench.feed(.start)
      var tries = 0
      let begin = bench.now
      bench.feed(.deckFailed(deck(1), error), after: .milliseconds(10))
      while bench.now - begin < .seconds(10) {
        let id = try #require(bench.machine.current?.id)
        #expect(bench.machine.waitingReason == .reconnecting)
        if let due = bench.due(.reconnect(id)) { bench.feed(.timerFired(.reconnect(id)), after: due - bench.now) }
        tries += 1
        bench.feed(.deckFailed(id, error), after: .milliseconds(10))
      }
      #expect((8...11).contains(tries), "\(tries)")
    }
    // Without a loop the item ends after one failure, and with another item that one plays.
    var once = Bench([remote(0)])
    once.feed(.outputReady)
    once.feed(.start)
    once.feed(.deckFailed(deck(1), refused))
    #expect(once.machine.current == nil)
    var two = Bench([remote(0), remote(1)], loops: true)
    two.feed(.outputReady)
    two.feed(.start)
    two.feed(.deckFailed(deck(1), refused))
    #expect(two.machine.current?.item == 1)
  }

  @Test("A camera's stream that ends is opened again")
  func camera() {
    var bench = Bench([MediaItem(uri: "rtsp://camera/1", kind: .rtsp)], loops: true)
    let first = bench.begin(DeckReadiness(isLive: true, isSeekable: false))
    bench.feed(.frameShown(first, streamTime: .seconds(5)), after: .seconds(5))
    bench.feed(.streamEnded(first, .video, at: .seconds(5)), after: .milliseconds(10))
    let actions = bench.feed(.timerFired(.end(first)), after: .milliseconds(100))
    #expect(isBuilding(actions, from: .zero))
    #expect(bench.machine.current?.item == 0)
  }

  @Test("A pipeline that doesn't start while the screen waits isn't tried again if another item could play")
  func hangsBeforeTheNext() {
    var bench = Bench(files(3))
    let first = bench.begin()
    bench.feed(.streamEnded(first, .video, at: .seconds(2)), after: .seconds(1))
    bench.feed(.timerFired(.end(first)), after: .seconds(1))
    let actions = bench.feed(.timerFired(.preroll(deck(2))), after: .seconds(2))
    #expect(actions == [.abandonDeck(deck(2)), .dropDeck(deck(2)), .building(deck(3), 2)])
  }
}

@Suite("Playback machine: the amount to buffer")
struct BufferingPolicyTests {
  private func playing() -> Bench {
    var bench = Bench([MediaItem(uri: "http://server/clip.mp4", kind: .progressive)], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    return bench
  }

  @Test("An item starts with 2 s buffered, needs 4, 8, then 10 after running dry, and 2 again a minute later")
  func levels() {
    var bench = playing()
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    #expect(bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600)))) == [])
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 19)) == [])
    #expect(bench.machine.waitingReason == .buffering && bench.machine.current?.buffering.percent == 95)
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 20)).count == 1)
    for needed in [40, 80, 100, 100] {
      // A low buffer isn't a dry one, so playback doesn't stop and start.
      #expect(bench.feed(.bufferingChanged(deck(1), percent: 5), after: .seconds(5)) == [])
      #expect(bench.feed(.bufferingChanged(deck(1), percent: 2)) == [.pauseDeck(deck(1))])
      #expect(bench.feed(.bufferingChanged(deck(1), percent: needed - 1)) == [])
      #expect(bench.feed(.bufferingChanged(deck(1), percent: needed)).count == 1)
    }
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 0), after: .seconds(100)) == [.pauseDeck(deck(1))])
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 40)).count == 1, "only the latest dry run counts")
  }

  @Test("An empty gauge doesn't hold playback: it is held when frames stay away, with the next frame due at once")
  func drains() throws {
    var bench = playing()
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600), frameInterval: .milliseconds(40))))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.frameShown(deck(1), streamTime: .seconds(10)), after: .seconds(10))
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 0)) == [])
    #expect(bench.machine.waitingReason == nil)
    // Frames go on for a second and a half.
    for round in 0..<15 {
      let due = try #require(bench.due(.drained(deck(1))))
      // The timer is due 150 ms after the newest frame.
      #expect(due - bench.now == .milliseconds(round == 0 ? 150 : 100))
      bench.feed(.frameShown(deck(1), streamTime: .seconds(11)), after: .milliseconds(100))
      #expect(bench.feed(.timerFired(.drained(deck(1))), after: .milliseconds(50)) == [])
    }
    let last = bench.now - .milliseconds(50)
    let due = try #require(bench.due(.drained(deck(1))))
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: due - bench.now) == [.pauseDeck(deck(1))])
    #expect(bench.machine.waitingReason == .buffering && bench.machine.recovery.dryRuns.count == 1)
    // Held one frame after the last one shown, however late that was noticed.
    let heldAt = last + .milliseconds(40) - base
    let actions = bench.feed(.bufferingChanged(deck(1), percent: 40), after: .seconds(20))
    #expect(actions == [.playDeck(deck(1), base: bench.now - heldAt)])
  }

  @Test("A pause doesn't end the watch over an empty buffer")
  func drainsAfterPause() throws {
    var bench = playing()
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600), frameInterval: .milliseconds(40))))
    bench.feed(.frameShown(deck(1), streamTime: .seconds(10)), after: .seconds(10))
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    bench.feed(.pauseRequested)
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: .seconds(1)) == [])
    bench.feed(.playRequested)
    let due = try #require(bench.due(.drained(deck(1))))
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: due - bench.now) == [.pauseDeck(deck(1))])
    #expect(bench.machine.waitingReason == .buffering)
  }

  @Test("Data that come back in time cause no pause")
  func drainsNot() {
    var bench = playing()
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600))))
    bench.feed(.frameShown(deck(1), streamTime: .seconds(10)), after: .seconds(10))
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 0)) == [])
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 5), after: .milliseconds(100)) == [])
    #expect(bench.feed(.timerFired(.drained(deck(1))), after: .seconds(1)) == [])
    #expect(bench.machine.recovery.dryRuns == [] && bench.machine.waitingReason == nil)
  }

  @Test("After a break 0.75 s of data are enough on a fast link, but not on a slow one")
  func quickLink() {
    func percentToGoOn(each step: Duration, dryRuns: Int = 1) -> Int? {
      var bench = playing()
      bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600))))
      bench.feed(.frameShown(deck(1), streamTime: .seconds(10)), after: .seconds(10))
      for _ in 1..<dryRuns {
        bench.drain()
        bench.feed(.bufferingChanged(deck(1), percent: 100))
        bench.feed(.frameShown(deck(1), streamTime: .seconds(10)), after: .milliseconds(40))
      }
      bench.drain()
      return (1...40).first { !bench.feed(.bufferingChanged(deck(1), percent: $0), after: step).isEmpty }
    }
    #expect(percentToGoOn(each: .milliseconds(60)) == 8)
    #expect(percentToGoOn(each: .milliseconds(60), dryRuns: 2) == 15)
    #expect(percentToGoOn(each: .milliseconds(60), dryRuns: 4) == 30)
    #expect(percentToGoOn(each: .milliseconds(90)) == 40)
    #expect(percentToGoOn(each: .milliseconds(200)) == 40)
  }

  @Test("A gap in a live stream is skipped, while it plays and while it is paused; a recorded item waits")
  func gap() throws {
    func onAir(_ duration: Duration?) -> Bench {
      var bench = Bench([MediaItem(uri: "http://server/live.m3u8", kind: .adaptive)])
      _ = bench.begin(DeckReadiness(duration: duration, isSeekable: false))
      return bench
    }
    let gapLead = PlaybackPolicy().gapLead
    var bench = onAir(nil)
    let frame = Duration.seconds(18)
    // The frame is due 100 ms from now, whatever its timestamp.
    let due = bench.now + .seconds(3) + gapLead
    #expect(
      bench.feed(.gapAhead(deck(1), until: frame), after: .seconds(3)) == [
        .pauseDeck(deck(1)), .playDeck(deck(1), base: due - frame),
      ])
    #expect(bench.feed(.gapAhead(deck(1), until: frame)) == [], "it is on its way")
    bench.feed(.pauseRequested)
    #expect(bench.feed(.gapAhead(deck(1), until: .seconds(40)), after: .seconds(1)) == [])
    #expect(
      bench.feed(.playRequested, after: .seconds(60)) == [
        .playDeck(deck(1), base: bench.now + gapLead - .seconds(40))
      ])
    var recorded = onAir(.seconds(600))
    #expect(recorded.feed(.gapAhead(deck(1), until: frame), after: .seconds(3)) == [])
  }

  @Test("Only a buffer shorter than usual limits an item in bytes; a small board's usual one doesn't")
  func seconds() {
    var item = MediaItem(uri: "http://h/a.mp4", kind: .progressive)
    var policy = PlaybackPolicy()
    for memory in [512 << 20, 2 << 30] {
      policy.buffering = BufferingPolicy(memory: memory)
      #expect(!policy.keepsSeconds(of: item), "\(memory)")
      policy.buffering.fullScale = .seconds(4)
      #expect(policy.keepsSeconds(of: item), "\(memory)")
    }
    policy.buffering = BufferingPolicy(memory: 512 << 20)
    item.network = NetworkOverrides(buffer: .seconds(1))
    #expect(policy.keepsSeconds(of: item))
    #expect(BufferingPolicy.bytes(of: .seconds(1), size: 6_000_000, duration: .seconds(60), limit: 1 << 30) == 100_000)
  }

  @Test("A small board buffers less, and an item may set its own buffer")
  func size() {
    #expect(BufferingPolicy(memory: 512 << 20).fullScale == .seconds(5))
    #expect(BufferingPolicy(memory: 2 << 30).fullScale == .seconds(10))
    #expect(BufferingPolicy(memory: nil).fullScale == .seconds(10))
    #expect(BufferingPolicy().bytes(in: .seconds(10)) == 25_000_000, "20 Mbit/s")
    var item = MediaItem(uri: "http://server/clip.mp4", kind: .progressive)
    item.network = NetworkOverrides(buffer: .seconds(20))
    #expect(PlaybackPolicy().buffer(for: item) == .seconds(20))
    var bench = Bench([item], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600))))
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 9)) == [], "1.8 s")
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 10)).count == 1, "2 s")
  }

  @Test("An empty buffer after a seek doesn't count against the link")
  func afterSeek() {
    var bench = playing()
    bench.feed(.deckReady(deck(1), DeckReadiness(duration: .seconds(600))))
    bench.feed(.frameShown(deck(1), streamTime: .zero))
    bench.feed(.seekRequested(to: .seconds(100), .exact))
    bench.feed(.bufferingChanged(deck(1), percent: 0))
    bench.feed(.seekFinished(deck(1), seek: 1, DeckReadiness(firstPosition: .seconds(100), duration: .seconds(600))))
    #expect(bench.feed(.bufferingChanged(deck(1), percent: 20)).count == 1)
    #expect(bench.machine.recovery.dryRuns == [])
  }
}

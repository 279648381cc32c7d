import Testing

@testable import PlaybackCore

/// Events between the arming of the next deck and its first frame: decision 0030.
@Suite("Playback machine: the next deck is armed")
struct ArmedTests {
  /// Plays a picture of 10 s, with the clip after it armed 0.4 s before its end. Gives the time of that end.
  private func armed(_ bench: inout Bench, next: MediaItem = files(1)[0], rate: Double = 1) throws -> Instant {
    let first = bench.begin(DeckReadiness(duration: .seconds(10), isSeekable: false))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    bench.feed(.streamEnded(first, .video, at: .seconds(10)))
    let due = try #require(bench.due(.arm(first)))
    #expect(
      bench.feed(.timerFired(.arm(first)), after: due - bench.now) == [.playDeck(deck(2), base: base + .seconds(10))])
    return base + .seconds(10)
  }

  private func pictureAndClip() -> Bench { Bench([MediaItem(uri: "file:///a.png", kind: .picture), files(1)[0]]) }

  @Test("A pause holds the armed deck before its first frame; play waits for what is left of the item before")
  func pause() throws {
    var bench = pictureAndClip()
    let end = try armed(&bench)
    #expect(bench.feed(.pauseRequested, after: .milliseconds(100)) == [.pauseDeck(deck(2))])
    let left = end - bench.now
    #expect(left == .milliseconds(300))
    let actions = bench.feed(.playRequested, after: .seconds(60))
    #expect(actions == [.playDeck(deck(2), base: bench.now + left)])
  }

  @Test("A screen that is off, and buffering, hold the armed deck like a pause")
  func suppressed() throws {
    for (stop, go) in [
      (PlaybackEvent.suppressed(.screenOff), PlaybackEvent.unsuppressed(.screenOff)),
      (.bufferingChanged(deck(2), percent: 0), .bufferingChanged(deck(2), percent: 100)),
    ] {
      var bench = pictureAndClip()
      let end = try armed(&bench)
      #expect(bench.feed(stop, after: .milliseconds(100)) == [.pauseDeck(deck(2))], "\(stop)")
      let left = end - bench.now
      #expect(bench.feed(go, after: .seconds(1)) == [.playDeck(deck(2), base: bench.now + left)], "\(stop)")
    }
  }

  @Test("A seek counts for the armed item, whose frame replaces the last one at once")
  func seek() throws {
    var bench = pictureAndClip()
    _ = try armed(&bench)
    #expect(
      bench.feed(.seekRequested(to: .seconds(2), .exact)) == [
        .pauseDeck(deck(2)), .seekDeck(deck(2), to: .seconds(2), .exact, rate: 1, seek: 1, preview: true),
      ])
    let after = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4))
    #expect(
      bench.feed(.seekFinished(deck(2), seek: 1, after), after: .milliseconds(30)) == [
        .playDeck(deck(2), base: bench.now + lead)
      ])
  }

  @Test("A seek before the arming keeps the prepared deck, which is armed for the new end")
  func seekBefore() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    let ready = DeckReadiness(firstPosition: .seconds(1), duration: .seconds(4))
    #expect(
      bench.feed(.seekRequested(to: .seconds(1), .exact), after: .seconds(3)).contains(.pauseDeck(first)))
    #expect(bench.feed(.seekFinished(first, seek: 1, ready)) == [.playDeck(first, base: bench.now + lead)])
    let base = bench.now + lead
    // After the seek to 1 s, 3 s are left.
    #expect(
      bench.feed(.streamEnded(first, .video, at: .seconds(3)), after: .milliseconds(2960)) == [
        .playDeck(deck(2), base: base + .seconds(3))
      ])
  }

  @Test("Next starts the armed item at once, and an edit that removes it is followed")
  func nextAndEdit() throws {
    var bench = Bench([MediaItem(uri: "file:///a.png", kind: .picture)] + files(2))
    let end = try armed(&bench)
    #expect(
      bench.feed(.nextRequested, after: .milliseconds(100)) == [
        .pauseDeck(deck(2)), .playDeck(deck(2), base: bench.now + lead),
      ])
    #expect(bench.now + lead < end)
    // A second `next` leaves the armed item, although it has shown no frame yet.
    let last = PlaybackAction.buildDeck(deck(3), files(2)[1], item: 2, from: .zero, rate: 1)
    #expect(bench.feed(.nextRequested) == [.dropDeck(deck(1)), last])

    var edited = pictureAndClip()
    _ = try armed(&edited)
    edited.feed(.queueReplaced([MediaItem(uri: "file:///other.mp4", kind: .file)]), after: .milliseconds(100))
    #expect(edited.machine.current?.media.uri == "file:///other.mp4")
  }

  @Test("At another rate the next deck is built for that rate, and its first frame is still due at the end (S18)")
  func rate() throws {
    for rate in [0.5, 2] {
      var bench = Bench(files(2))
      let first = bench.begin()
      bench.feed(.rateRequested(rate))
      let ready = DeckReadiness(duration: .seconds(4))
      bench.feed(.seekFinished(first, seek: 1, ready))
      let base = bench.now + lead
      #expect(bench.machine.current?.base == base)
      let following = try #require(bench.machine.next)
      #expect(following.rate == rate)
      bench.feed(.deckReady(following.id, DeckReadiness(firstRunningTime: .milliseconds(5))))
      // The stream's end is in running time, which follows the clock: 4 s at double speed take 2 s.
      let end = Duration.seconds(4) / rate
      #expect(
        bench.feed(.streamEnded(first, .video, at: end), after: end - .milliseconds(50)) == [
          .playDeck(following.id, base: base + end - .milliseconds(5))
        ])
    }
  }

  @Test("A network deck is armed once enough is buffered; until then the last frame stays")
  func network() throws {
    var bench = Bench([files(1)[0], MediaItem(uri: "http://h/b.mp4", kind: .progressive)])
    let first = bench.begin()
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(4))))
    for percent in [0, 10] { bench.feed(.bufferingChanged(deck(2), percent: percent)) }
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(3950)) == [])
    #expect(bench.feed(.timerFired(.end(first)), after: .milliseconds(70)) == [])
    #expect(bench.machine.waitingReason == .preparing)
    #expect(
      bench.feed(.bufferingChanged(deck(2), percent: 100), after: .seconds(2)) == [
        .playDeck(deck(2), base: bench.now + lead)
      ])
  }
}

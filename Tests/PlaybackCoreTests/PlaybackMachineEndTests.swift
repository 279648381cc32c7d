import Testing

@testable import PlaybackCore

@Suite("Playback machine: after the end, held, paused from the start")
struct PlaybackMachineEndTests {
  private let ready = DeckReadiness(duration: .seconds(4))

  /// A queue whose last item has ended.
  private func ended(_ count: Int = 1) -> (bench: Bench, last: DeckID) {
    var bench = Bench(files(count))
    var deck = bench.begin()
    for place in 1..<max(2, count + 1) {
      let following = PlaybackCoreTests.deck(UInt32(place + 1))
      if place < count { bench.feed(.deckReady(following, ready)) }
      bench.feed(.streamEnded(deck, .video, at: .seconds(4)), after: .milliseconds(3950))
      bench.feed(.timerFired(.end(deck)), after: .milliseconds(50))
      guard place < count else { break }
      bench.feed(.frameShown(following, streamTime: .zero), after: .milliseconds(20))
      bench.feed(.frameShown(following, streamTime: .milliseconds(40)), after: .milliseconds(40))
      bench.feed(.deckGone(deck))
      deck = following
    }
    return (bench, deck)
  }

  @Test("At the queue's end play has no effect; a seek rewinds, play goes on, and the end comes again (S14, S24)")
  func rewind() throws {
    var (bench, last) = ended()
    #expect(bench.machine.isAtEnd && !bench.machine.wantsToPlay)
    #expect(bench.feed(.playRequested) == [] && !bench.machine.wantsToPlay)
    #expect(
      bench.feed(.seekRequested(to: .zero, .exact))
        == [.seekDeck(last, to: .zero, .exact, rate: 1, seek: 1, preview: true)])
    #expect(!bench.machine.isAtEnd)
    bench.feed(.seekFinished(last, seek: 1, ready))
    #expect(bench.feed(.playRequested) == [.playDeck(last, base: bench.now + lead)])
    bench.feed(.streamEnded(last, .video, at: .seconds(4)), after: .seconds(4))
    bench.feed(.timerFired(.end(last)), after: .milliseconds(50))
    #expect(bench.notices == [.itemEnded(item: 0, last), .queueEnded])
  }

  @Test("At the end one can go back, choose an item, or add one that then follows")
  func leaveTheEnd() {
    var (back, _) = ended(2)
    #expect(back.machine.isAtEnd)
    #expect(back.feed(.previousRequested) == [.building(deck(3), 0)])
    back.feed(.playRequested)
    #expect(back.machine.wantsToPlay)

    var (choosing, _) = ended(2)
    #expect(choosing.feed(.itemSelected(1)) == [.building(deck(3), 1)])

    var (adding, last) = ended()
    var queue = adding.machine.queue
    queue.append(MediaItem(uri: "file:///clip1.mp4", kind: .file))
    #expect(adding.feed(.queueEdited(queue)) == [.building(deck(2), 1)])
    #expect(!adding.machine.isAtEnd)
    adding.feed(.deckReady(deck(2), ready))
    #expect(adding.machine.current?.id == last)
    let now = adding.now
    #expect(adding.feed(.playRequested).last == .playDeck(deck(2), base: now + lead))
    #expect(adding.machine.current?.id == deck(2))
  }

  @Test("Next at the last item of a queue without a loop ends the queue, and the frame stays")
  func nextAtTheLast() {
    var bench = Bench(files(1))
    let first = bench.begin()
    #expect(bench.feed(.nextRequested) == [.pauseDeck(first)])
    #expect(bench.notices.contains(.queueEnded) && bench.machine.isAtEnd)
    #expect(bench.feed(.nextRequested) == [] && bench.notices == [])
  }

  @Test(
    "A skip to the end of the queue during a seek stays at the end when the seek ends; a new seek leaves the end"
  )
  func nextDuringSeek() {
    let near = SeekTolerance(before: .milliseconds(100), after: .milliseconds(100))
    /// A machine with a seek in flight that must be refined, another one queued, and a skip to the end requested.
    func skipped() -> Bench {
      var bench = Bench(files(1))
      _ = bench.begin()
      bench.feed(.seekRequested(to: .seconds(2), near))
      bench.feed(.seekRequested(to: .seconds(3), near))
      #expect(bench.feed(.nextRequested) == [])
      #expect(bench.notices.contains(.seekDropped) && bench.notices.contains(.queueEnded) && bench.machine.isAtEnd)
      return bench
    }
    let far = DeckReadiness(firstPosition: .zero, duration: .seconds(4))
    var refined = skipped()
    #expect(
      !refined.feed(.seekFinished(deck(1), seek: 1, far)).contains { if case .seekDeck = $0 { true } else { false } })
    #expect(refined.notices.contains(.seekEnded(seek: 1, .reached)))
    #expect(refined.machine.isAtEnd)
    #expect(refined.feed(.playRequested) == [] && !refined.machine.wantsToPlay)
    #expect(!refined.feed(.seekRequested(to: .zero, .exact)).isEmpty && !refined.machine.isAtEnd)

    var hung = skipped()
    #expect(hung.feed(.timerFired(.seekGuard(seek: 1)), after: .seconds(2)).contains(.abandonDeck(deck(1))))
    #expect(hung.machine.isAtEnd)
    hung.feed(.deckReady(deck(2), ready))
    #expect(hung.machine.isAtEnd && hung.machine.current?.ends.reach == .told)

    // A seek to the same place isn't elided, because the end came in between.
    var again = skipped()
    again.feed(.seekRequested(to: .seconds(2), near))
    again.feed(.playRequested)
    #expect(!again.machine.isAtEnd && again.machine.wantsToPlay, "play may follow a seek at once")
    #expect(
      again.feed(.seekFinished(deck(1), seek: 1, DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4))))
        .contains { if case .seekDeck = $0 { true } else { false } })
    #expect(!again.machine.isAtEnd)
  }

  @Test("An item that ends before any of its frames was shown is followed by the next")
  func noFrame() {
    var bench = Bench(files(2))
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.deckReady(deck(1), ready))
    bench.feed(.streamEnded(deck(1), .video, at: .milliseconds(40)))
    #expect(bench.feed(.timerFired(.end(deck(1))), after: .milliseconds(100)) == [.building(deck(2), 1)])
    let base = bench.now + lead
    #expect(bench.feed(.deckReady(deck(2), ready)) == [.playDeck(deck(2), base: base)])
  }

  @Test("An item paused from the start shows its first frame once, and play goes on from it (S25)")
  func pausedFirstFrame() {
    var bench = Bench(files(2))
    bench.feed(.pauseRequested)
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(bench.feed(.deckReady(deck(1), ready)) == [.previewDeck(deck(1))])
    #expect(bench.feed(.durationChanged(deck(1), .seconds(5))) == [])
    bench.feed(.frameShown(deck(1), streamTime: .zero))
    #expect(bench.machine.current?.hasShownFrames == true)
    #expect(bench.feed(.playRequested).first == .playDeck(deck(1), base: bench.now + lead))
    bench.feed(.pauseRequested)
    // The next item, selected in a pause: its frame replaces the old one, whose deck then goes.
    bench.feed(.frameShown(deck(1), streamTime: .milliseconds(40)))
    #expect(bench.feed(.deckReady(deck(2), ready)) == [])
    #expect(bench.feed(.nextRequested) == [.previewDeck(deck(2))])
    #expect(bench.due(.retire(deck(1))) == bench.now + PlaybackPolicy().retireDelay)
    #expect(bench.feed(.timerFired(.retire(deck(1)))) == [.dropDeck(deck(1))])
  }

  @Test(
    "Scrubbing and a screen that is off hold playback and keep the intent (S9)",
    arguments: Suppression.allCases)
  func suppressed(reason: Suppression) {
    var bench = Bench(files(1))
    let first = bench.begin()
    #expect(bench.feed(.suppressed(reason), after: .seconds(1)) == [.pauseDeck(first)])
    #expect(bench.machine.wantsToPlay)
    #expect(bench.machine.waitingReason?.rawValue == reason.rawValue)
    #expect(bench.feed(.playRequested) == [])
    #expect(bench.feed(.unsuppressed(reason)).count == 1)
    #expect(bench.machine.waitingReason == nil)
    // An item paused meanwhile stays paused.
    bench.feed(.suppressed(reason))
    bench.feed(.pauseRequested)
    #expect(bench.feed(.unsuppressed(reason)) == [])
  }

  @Test("A seek while scrubbing shows its frame, and playback continues from there at the drag's end")
  func scrub() {
    var bench = Bench(files(1))
    let first = bench.begin()
    bench.feed(.suppressed(.scrubbing), after: .seconds(1))
    #expect(
      bench.feed(.seekRequested(to: .seconds(3), .nearestKeyframe))
        == [.seekDeck(first, to: .seconds(3), .keyframe, rate: 1, seek: 1, preview: true)])
    let there = DeckReadiness(firstPosition: .seconds(3), duration: .seconds(4))
    #expect(bench.feed(.seekFinished(first, seek: 1, there)) == [])
    #expect(bench.feed(.unsuppressed(.scrubbing)) == [.playDeck(first, base: bench.now + lead)])
  }

  @Test("A frame from before the last seek doesn't move the position (S6)")
  func staleFrame() {
    var bench = Bench(files(1))
    let first = bench.begin()
    bench.feed(.seekRequested(to: .seconds(3), .exact))
    let there = DeckReadiness(firstPosition: .seconds(3), duration: .seconds(4))
    bench.feed(.seekFinished(first, seek: 1, there))
    bench.feed(.frameShown(first, streamTime: .milliseconds(100), epoch: .start))
    #expect(bench.machine.shownPosition == .seconds(3))
    bench.feed(.frameShown(first, streamTime: .milliseconds(3040), epoch: FrameEpoch(seek: 1)))
    #expect(bench.machine.shownPosition == .milliseconds(3040))
  }

  @Test("An item chosen during reverse playback plays forwards: in reverse it would end at once")
  func selectedBackwards() {
    var bench = Bench(files(2))
    let reversible = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4), canPlayReverse: true)
    let first = bench.begin(reversible)
    bench.feed(.rateRequested(-2))
    bench.feed(.seekFinished(first, seek: 1, reversible))
    #expect(bench.feed(.itemSelected(1)).contains(.building(deck(3), 1, rate: 2)))
  }

  @Test("An item with its own start and end begins and ends there, and a seek doesn't leave them")
  func trimmed() throws {
    let item = MediaItem(uri: "file:///clip.mp4", kind: .file, start: .seconds(10), end: .seconds(12))
    var bench = Bench([item], loops: true)
    bench.feed(.start)
    #expect(bench.feed(.outputReady) == [.buildDeck(deck(1), item, item: 0, from: .seconds(10), rate: 1)])
    let there = DeckReadiness(firstPosition: .seconds(10), duration: .seconds(60))
    bench.feed(.deckReady(deck(1), there))
    #expect(bench.machine.current?.playedRange == .seconds(10)..<(.seconds(12)))
    #expect(
      bench.feed(.frameShown(deck(1), streamTime: .seconds(10))) == [
        .buildDeck(deck(2), item, item: 0, from: .seconds(10), rate: 1)
      ])
    for (target, expected) in [(3, 10), (30, 12), (11, 11)] {
      let actions = bench.feed(.seekRequested(to: .seconds(target), .exact))
      let number = bench.machine.seek.lastNumber
      #expect(
        actions.last
          == .seekDeck(deck(1), to: .seconds(expected), .exact, rate: 1, seek: number, preview: true))
      bench.feed(.seekFinished(deck(1), seek: number, there))
    }
  }

  @Test("The played range of a medium ends at the medium's end or the item's, whichever comes first")
  func playedRange() {
    var item = MediaItem(uri: "file:///clip.mp4", kind: .file, start: .seconds(10))
    #expect(item.playedRange(duration: nil) == nil)
    #expect(item.playedRange(duration: .seconds(60)) == .seconds(10)..<(.seconds(60)))
    item.end = .seconds(20)
    #expect(item.playedRange(duration: nil) == .seconds(10)..<(.seconds(20)))
    #expect(item.playedRange(duration: .seconds(15)) == .seconds(10)..<(.seconds(15)))
    #expect(item.playedRange(duration: .seconds(5)) == .seconds(5)..<(.seconds(5)))
  }
}

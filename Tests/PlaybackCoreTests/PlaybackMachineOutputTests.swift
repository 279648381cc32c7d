import Testing

@testable import PlaybackCore

@Suite("Playback machine: items whose frames aren't shown (0139)")
struct UnshownItemTests {
  private let error = VitrineError(3060, subject: "s", message: "m", remedy: "r")

  @Test("An item that isn't shown gives way to the next without a mark, prepared or not; alone it stays")
  func passedOver() {
    var bench = Bench(files(3), loops: true)
    let id = bench.begin()
    bench.feed(.unshown(id), after: .seconds(4))
    #expect(bench.machine.current?.item == 1 && bench.machine.failures.mark(of: 0) == nil)
    #expect(!bench.notices.contains { if case .itemFailed = $0 { true } else { false } })
    // A former deck's event is ignored.
    bench.feed(.unshown(id))
    #expect(bench.machine.current?.item == 1)
    var alone = Bench(files(1), loops: true)
    let only = alone.begin()
    #expect(alone.feed(.unshown(only)).isEmpty && alone.machine.current?.id == only)
  }

  @Test("An item that isn't shown isn't passed over for one that has failed")
  func passesFailedOver() {
    var bench = Bench(files(3), loops: true)
    let id = bench.begin()
    bench.feed(.deckFailed(deck(2), error))
    bench.feed(.unshown(id))
    #expect(bench.machine.current?.item == 2)
  }

  @Test(
    "A blamed item has failed, and is tried again in the next round; one that is gone can't be blamed"
  )
  func blamed() {
    var bench = Bench(files(2), loops: true)
    _ = bench.begin()
    bench.feed(.itemBlamed(1, error))
    #expect(bench.notices == [.itemFailed(item: 1, error)] && bench.machine.failures.mark(of: 1)?.error == error)
    bench.feed(.itemBlamed(9, error))
    #expect(bench.notices.isEmpty)
  }

  @Test(
    "Playback begins with the given item and position, and with the first when that item is gone")
  func beginning() {
    for (place, item, from) in [(1, 1, 7), (2, 0, 7), (nil, 0, 7)] as [(Int?, ItemID, Int)] {
      var machine = PlaybackMachine(
        queue: files(2), loops: true, beginning: place, startAt: .seconds(7), seed: 0)
      _ = machine.handle(.start, at: Instant(nanoseconds: 0))
      let actions = machine.handle(.outputReady, at: Instant(nanoseconds: 0))
      #expect(actions.contains(.building(deck(1), item, from: .seconds(from))), "\(actions)")
      #expect(machine.place?.item == item)
    }
  }
}

@Suite("Playback machine: a change of the output")
struct OutputChangeTests {
  private let ready = DeckReadiness(duration: .seconds(4))

  @Test("The playing item keeps its full time; then the next one, which is ready, begins on the new output")
  func atTheBoundary() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), ready))
    #expect(bench.feed(.outputChangeWanted(true), after: .seconds(3)) == [])
    // The last frame is on its way to the screen and due for a moment longer.
    #expect(bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(900)) == [])
    let end = try #require(bench.due(.arm(first)))
    #expect(end == base + .seconds(4))
    #expect(bench.notices == [])
    #expect(bench.feed(.timerFired(.arm(first)), after: end - bench.now) == [])
    #expect(bench.notices == [.itemEnded(item: 0, first), .outputMayChange])
    // The notice comes once, whatever event follows.
    bench.feed(.durationChanged(deck(2), .seconds(5)))
    #expect(bench.notices == [])
    #expect(bench.feed(.outputLost) == [.dropDeck(deck(2)), .dropDeck(first)])
    bench.feed(.outputChangeWanted(false))
    #expect(bench.feed(.outputReady) == [.building(deck(3), 1, from: .zero, rate: 1)])
    #expect(bench.feed(.deckReady(deck(3), ready)) == [.playDeck(deck(3), base: bench.now + lead)])
  }

  @Test("Without a change the next deck is armed ahead of the end; after a withdrawn change it is armed at once")
  func withdrawn() throws {
    var bench = Bench([MediaItem(uri: "file:///a.png", kind: .picture), files(1)[0]])
    let picture = bench.begin(DeckReadiness(duration: .seconds(10), isSeekable: false))
    let base = try #require(bench.machine.current?.base)
    bench.feed(.deckReady(deck(2), ready))
    bench.feed(.streamEnded(picture, .video, at: .seconds(10)))
    #expect(bench.due(.arm(picture)) == base + .seconds(10) - bench.machine.policy.armLead)
    bench.feed(.outputChangeWanted(true))
    #expect(bench.due(.arm(picture)) == base + .seconds(10))
    // A second request for a change has no effect.
    bench.feed(.outputChangeWanted(true))
    #expect(bench.actions == [])
    let late = base + .seconds(10) - .milliseconds(100) - bench.now
    #expect(bench.feed(.outputChangeWanted(false), after: late) == [.playDeck(deck(2), base: base + .seconds(10))])
  }

  @Test("An item that isn't ready at the end of the one before is waited for, with the old output's last frame")
  func notReady() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    bench.feed(.outputChangeWanted(true))
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .seconds(4))
    #expect(bench.feed(.timerFired(.end(first)), after: .milliseconds(100)) == [])
    #expect(bench.notices == [.waitingChanged(.preparing)])
    bench.feed(.deckReady(deck(2), ready), after: .seconds(1))
    #expect(bench.notices.contains(.outputMayChange))
    #expect(bench.machine.current?.id == deck(2) && bench.machine.current?.base == nil)
  }

  @Test("An item that can't be opened is passed over on the old output")
  func broken() throws {
    var bench = Bench(files(3), loops: true)
    let first = bench.begin()
    bench.feed(.outputChangeWanted(true))
    let error = VitrineError(3001, subject: "s", message: "m", remedy: "r")
    bench.feed(.deckFailed(deck(2), error))
    bench.feed(.deckReady(deck(3), ready))
    #expect(bench.notices == [])
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .seconds(5))
    #expect(bench.notices.contains(.outputMayChange))
    bench.feed(.outputLost)
    #expect(bench.feed(.outputReady) == [.building(deck(4), 2, from: .zero, rate: 1)])
  }

  @Test("A selected item begins on the new output, at the place of a seek meanwhile")
  func asked() throws {
    var bench = Bench(files(3))
    _ = bench.begin()
    bench.feed(.outputChangeWanted(true), after: .seconds(1))
    bench.feed(.itemSelected(2))
    bench.feed(.seekRequested(to: .seconds(2), .exact))
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckReady(id, ready))
    let there = DeckReadiness(firstPosition: .seconds(2), duration: .seconds(4))
    #expect(bench.notices.contains(.outputMayChange) == false)
    bench.feed(.seekFinished(id, seek: 1, there))
    #expect(bench.notices.contains(.outputMayChange))
    bench.feed(.outputLost)
    #expect(bench.feed(.outputReady) == [.building(deck(4), 2, from: .seconds(2), rate: 1)])
  }

  @Test("In a pause nothing changes, and an output that goes by itself keeps the request")
  func paused() throws {
    var bench = Bench(files(2))
    _ = bench.begin()
    bench.feed(.outputChangeWanted(true))
    bench.feed(.pauseRequested)
    bench.feed(.nextRequested)
    bench.feed(.deckReady(deck(2), ready))
    #expect(!bench.notices.contains(.outputMayChange))
    bench.feed(.playRequested)
    #expect(bench.notices.contains(.outputMayChange))
    bench.feed(.outputLost)
    bench.feed(.outputReady)
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckReady(id, ready))
    #expect(bench.notices.contains(.outputMayChange))
  }

  @Test("An item begins on the present output when that can't be changed")
  func refused() throws {
    var bench = Bench(files(1))
    bench.feed(.outputChangeWanted(true))
    bench.feed(.outputReady)
    bench.feed(.start)
    bench.feed(.deckReady(deck(1), ready))
    #expect(bench.notices.contains(.outputMayChange))
    #expect(bench.feed(.outputChangeWanted(false)) == [.playDeck(deck(1), base: bench.now + lead)])
  }

  @Test("A clip outside the list plays on through a new list, whose items follow it")
  func clip() throws {
    var bench = Bench(files(2), loops: true)
    _ = bench.begin()
    var queue = bench.machine.queue
    let clip = queue.insert(MediaItem(uri: "file:///clip.mp4", kind: .file), at: 1)
    bench.feed(.queueEdited(queue))
    bench.feed(.itemSelected(clip))
    let id = try #require(bench.machine.current?.id)
    bench.feed(.deckReady(id, ready))
    queue = bench.machine.queue
    queue.replaceAll([files(2)[1], MediaItem(uri: "file:///new.mp4", kind: .file)], keeping: clip)
    #expect(!bench.feed(.queueEdited(queue)).contains(.dropDeck(id)))
    #expect(bench.machine.current?.id == id && bench.machine.current?.item == clip)
    queue = bench.machine.queue
    queue.remove(clip)
    bench.feed(.queueEdited(queue))
    #expect(bench.machine.current?.item == 1)
  }
}

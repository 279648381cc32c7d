import Testing

@testable import PlaybackCore

@Suite("Playback machine: editing the queue while it plays")
struct QueueEditTests {
  private let new = MediaItem(uri: "file:///new.mp4", kind: .file)

  @Test("A new list keeps the current and the next item where they are still listed (S16)")
  func replace() {
    var bench = Bench(files(2), loops: true)
    let first = bench.begin()
    #expect(bench.feed(.queueReplaced([new] + files(2))) == [])
    #expect(bench.machine.current?.id == first)
    #expect(bench.machine.queue.index(of: 0) == 1)
    // Another item now follows the current one.
    #expect(
      bench.feed(.queueReplaced([files(1)[0], new])) == [
        .dropDeck(deck(2)), .buildDeck(deck(3), new, item: 2, from: .zero, rate: 1),
      ])
    // The current item is gone: the next one takes over, with the last frame still up.
    #expect(bench.feed(.queueReplaced([new])) == [])
    #expect(bench.machine.current?.id == deck(3))
    bench.feed(.deckReady(deck(3), DeckReadiness()))
    bench.feed(.frameShown(deck(3), streamTime: .zero))
    #expect(bench.feed(.frameShown(deck(3), streamTime: .milliseconds(40))) == [.dropDeck(first)])
  }

  @Test("A new list with a place in it opens that entry from its start, even if it plays already")
  func replaceFromPlace() {
    var bench = Bench(files(2), loops: true)
    _ = bench.begin()
    let list = [new, MediaItem(uri: "file:///second.mp4", kind: .file)]
    let actions = bench.feed(.queueReplaced(list, startingAt: 1))
    let built = actions.compactMap { if case .buildDeck(_, let item, _, _, _) = $0 { item.uri } else { nil } }
    #expect(built == ["file:///second.mp4"])
    #expect(bench.machine.current.flatMap { bench.machine.queue.index(of: $0.item) } == 1)
    let again = bench.machine.current?.id
    bench.feed(.queueReplaced(list, startingAt: 1))
    #expect(bench.machine.current?.id != again && bench.machine.queue.index(of: bench.machine.current?.item ?? 0) == 1)
    // A start beyond the list's end is ignored.
    bench.feed(.queueReplaced(files(2), startingAt: 7))
    #expect(bench.machine.queue.count == 2 && bench.machine.current?.media == files(2)[0])
  }

  @Test("Inserting after the current item changes only the next one (S16)")
  func insert() throws {
    var bench = Bench(files(2))
    let first = bench.begin()
    var queue = bench.machine.queue
    #expect(queue.canInsert(new, after: 0))
    let inserted = queue.insert(new, after: 0)
    let id = try #require(inserted)
    #expect(
      bench.feed(.queueEdited(queue)) == [
        .dropDeck(deck(2)), .buildDeck(deck(3), new, item: id, from: .zero, rate: 1),
      ])
    #expect(bench.machine.current?.id == first)
  }

  @Test("Removing the current item continues with the one after it; removing all waits for a new item (S16)")
  func remove() {
    var bench = Bench(files(3))
    let first = bench.begin()
    var queue = bench.machine.queue
    queue.remove(0)
    #expect(bench.feed(.queueEdited(queue)) == [])
    #expect(bench.machine.current?.item == 1)
    queue = bench.machine.queue
    queue.removeAll()
    #expect(bench.feed(.queueEdited(queue)) == [.dropDeck(first), .dropDeck(deck(2))])
    #expect(bench.machine.waitingReason == .noItem)
    queue = bench.machine.queue
    let id = queue.append(new)
    #expect(bench.feed(.queueEdited(queue)) == [.buildDeck(deck(3), new, item: id, from: .zero, rate: 1)])
  }

  @Test("Next, back and select play their item, with the prepared deck where it fits")
  func navigate() {
    var bench = Bench(files(4))
    _ = bench.begin()
    bench.feed(.deckReady(deck(2), DeckReadiness()))
    #expect(bench.feed(.nextRequested) == [.playDeck(deck(2), base: bench.now + lead)])
    #expect(bench.feed(.itemSelected(3)) == [.dropDeck(deck(1)), .building(deck(3), 3)])
    #expect(bench.feed(.previousRequested) == [.dropDeck(deck(2)), .building(deck(4), 1)])
    #expect(bench.feed(.previousRequested) == [.dropDeck(deck(3)), .building(deck(5), 0)])
  }

  @Test("Repeat one repeats an item at its end, and next leaves it")
  func repeatOne() {
    var bench = Bench(files(2))
    _ = bench.begin()
    var queue = bench.machine.queue
    queue.repeatMode = .one
    #expect(bench.feed(.queueEdited(queue)) == [.dropDeck(deck(2)), .building(deck(3), 0)])
    #expect(bench.feed(.nextRequested).last == .building(deck(4), 1))
  }

  @Test("A failed item is marked, passed over, and tried again in the next round")
  func failed() {
    let broken = VitrineError(3001, subject: "x", message: "y", remedy: "z")
    var bench = Bench(files(2), loops: true)
    let first = bench.begin()
    bench.feed(.deckFailed(deck(2), broken))
    #expect(bench.machine.failures.mark(of: 1)?.error == broken)
    #expect(bench.machine.next?.item == 0)
    bench.feed(.deckReady(deck(3), DeckReadiness(duration: .seconds(4))))
    bench.feed(.frameShown(first, streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.streamEnded(first, .video, at: .seconds(4)), after: .milliseconds(1900))
    bench.feed(.frameShown(deck(3), streamTime: .zero), after: .milliseconds(100))
    bench.feed(.frameShown(deck(3), streamTime: .milliseconds(40)))
    #expect(bench.feed(.deckGone(first)) == [.building(deck(4), 1)])
  }
}

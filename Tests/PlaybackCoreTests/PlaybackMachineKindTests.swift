import Testing

@testable import PlaybackCore

@Suite("Playback machine: items of another kind than expected")
struct PlaybackMachineKindTests {
  private let stream = MediaItem(uri: "http://host/stream?id=7", kind: .progressive)
  private let other = MediaItem(uri: "http://host/b.mp4", kind: .progressive)

  private func built(_ actions: [PlaybackAction]) -> [MediaItem] {
    actions.compactMap { if case .buildDeck(_, let media, _, _, _) = $0 { media } else { nil } }
  }

  @Test("An item of another kind is reopened once as that kind, at the same place, and doesn't count as failed")
  func once() {
    var bench = Bench([stream, other], loops: true, startAt: .seconds(3))
    bench.feed(.start)
    bench.feed(.outputReady)
    let actions = bench.feed(.kindFound(deck(1), .adaptive))
    var right = stream
    right.kind = .adaptive
    #expect(
      actions == [.dropDeck(deck(1)), .buildDeck(deck(2), right, item: 0, from: .seconds(3), rate: 1)], "\(actions)")
    #expect(bench.notices == [.itemPreparing(item: 0, deck(2))])
    #expect(bench.feed(.deckFailed(deck(1), VitrineError(3003, subject: "s", message: "m", remedy: "r"))) == [])
    #expect(bench.machine.failures.shouldTry(0))
    #expect(bench.machine.queue.entries.map(\.item) == [stream, other], "the list stays as it was written")
  }

  @Test("A server whose answer changes each time is asked twice")
  func changing() {
    var bench = Bench([stream], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.kindFound(deck(1), .adaptive))
    #expect(bench.feed(.kindFound(deck(2), .picture)) == [])
    #expect(bench.machine.current?.id == deck(2))
  }

  @Test("The kind found for an address is used from the start the next time")
  func remembered() {
    var bench = Bench([stream, other], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.kindFound(deck(1), .picture))
    bench.feed(.deckReady(deck(2), DeckReadiness(duration: .seconds(10))))
    bench.feed(.itemSelected(1))
    #expect(built(bench.feed(.itemSelected(0))).map(\.kind) == [.picture])
  }

  @Test("The next item's kind is found while the one before plays")
  func next() {
    var bench = Bench([other, stream], loops: true)
    _ = bench.begin()
    bench.feed(.frameShown(deck(1), streamTime: .milliseconds(33)), after: .milliseconds(33))
    #expect(bench.machine.next?.id == deck(2))
    let actions = bench.feed(.kindFound(deck(2), .adaptive))
    #expect(built(actions).map(\.kind) == [.adaptive] && actions.contains(.dropDeck(deck(2))))
    #expect(bench.machine.current?.id == deck(1) && bench.machine.next?.id == deck(3))
  }

  @Test("A playing deck, one that is gone, and the same kind again change nothing")
  func stale() {
    var bench = Bench([stream], loops: true)
    _ = bench.begin()
    #expect(bench.feed(.kindFound(deck(1), .adaptive)) == [])
    #expect(bench.feed(.kindFound(deck(9), .adaptive)) == [])
    var fresh = Bench([stream])
    fresh.feed(.start)
    fresh.feed(.outputReady)
    #expect(fresh.feed(.kindFound(deck(1), .progressive)) == [])
  }

  @Test("An adaptive item isn't played from a copy: a copy of a playlist has no segments")
  func copy() {
    var bench = Bench([stream], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.kindFound(deck(1), .adaptive))
    bench.feed(.copiesChanged([stream.uri: MediaCopy(uri: "file:///store/1")]))
    bench.feed(.outputLost)
    #expect(built(bench.feed(.outputReady)).map(\.uri) == [stream.uri])
  }

  @Test("A list's entries replace the list, also when the list is given once more")
  func list() {
    let found = ["x", "y"].map { MediaItem(uri: "http://host/\($0).mp3", kind: .progressive) }
    var bench = Bench([stream, other], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    let actions = bench.feed(.listFound(deck(1), found))
    #expect(built(actions) == [found[0]], "\(actions)")
    #expect(bench.machine.queue.entries.map(\.item) == found + [other])
    #expect(!bench.notices.contains { if case .itemFailed = $0 { true } else { false } })
    #expect(built(bench.feed(.queueReplaced([stream, other]))).isEmpty)
    #expect(bench.machine.queue.entries.map(\.item) == found + [other])
  }

  @Test("A reload names the list again: an item from it plays on, nested lists included")
  func listAgain() {
    let inner = MediaItem(uri: "http://host/inner", kind: .progressive)
    let found = ["x", "y"].map { MediaItem(uri: "http://host/\($0).mp3", kind: .progressive) }
    var bench = Bench([stream, other], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.listFound(deck(1), [inner]))
    #expect(built(bench.feed(.listFound(deck(2), found))) == [found[0]])
    #expect(bench.machine.listed([stream, other]) == found + [other])
    var edited = bench.machine.queue
    edited.replaceAll(bench.machine.listed([stream, other]))
    #expect(built(bench.feed(.queueEdited(edited))).isEmpty)
    // An edit that ignores the known entries: the list is requested once more, and plays.
    edited.replaceAll([stream, other])
    bench.feed(.queueEdited(edited))
    let list = edited.entries.first?.id
    if bench.machine.current?.item != list, let list { bench.feed(.itemSelected(list)) }
    if let id = bench.machine.current?.id { #expect(built(bench.feed(.listFound(id, found))) == [found[0]]) }
    #expect(!bench.notices.contains { if case .itemFailed = $0 { true } else { false } })
  }

  @Test("The next item plays after any number of lists")
  func manyLists() {
    var bench = Bench([stream], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    for number in 0..<1_500 {
      let list = MediaItem(uri: "http://host/list\(number)", kind: .progressive)
      bench.feed(.queueReplaced([list]))
      guard let id = bench.machine.current?.id else { break }
      bench.feed(.listFound(id, [MediaItem(uri: "http://host/\(number).mp3", kind: .progressive)]))
    }
    #expect(bench.machine.queue.entries.map(\.item.uri) == ["http://host/1499.mp3"])
    #expect(bench.machine.known.lists.count <= 1_000 && bench.machine.known.origins.count <= 1)
  }

  @Test("Lists that name each other, or nest without end, come to an end")
  func circles() {
    var ring = Bench([stream])
    ring.feed(.start)
    ring.feed(.outputReady)
    ring.feed(.listFound(deck(1), [other]))
    #expect(built(ring.feed(.listFound(deck(2), [stream]))) == [stream])
    #expect(built(ring.feed(.listFound(deck(3), [other]))).isEmpty)
    var deep = Bench([stream])
    deep.feed(.start)
    deep.feed(.outputReady)
    var opened = 0
    while let current = deep.machine.current, opened < 100 {
      opened += 1
      let next = MediaItem(uri: "\(current.media.uri)x", kind: .progressive)
      guard !built(deep.feed(.listFound(current.id, [next]))).isEmpty else { break }
    }
    #expect((2..<20).contains(opened), "\(opened)")
  }

  @Test("An empty list, or one of itself, fails like any other item")
  func emptyList() {
    var bench = Bench([stream, other], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    #expect(built(bench.feed(.listFound(deck(1), []))) == [other])
    #expect(!bench.machine.failures.shouldTry(0))
    var ring = Bench([stream])
    ring.feed(.start)
    ring.feed(.outputReady)
    ring.feed(.listFound(deck(1), [stream]))
    #expect(ring.machine.current?.id == deck(2))
    #expect(built(ring.feed(.listFound(deck(2), [stream]))).isEmpty)
  }
}

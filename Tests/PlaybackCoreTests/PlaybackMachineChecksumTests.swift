import PlaybackCore
import Testing

/// An item with a checksum is only played from a file whose checksum was compared.
@Suite("Items with a checksum")
struct PlaybackMachineChecksumTests {
  private let sum = String(repeating: "a", count: 64)
  private let other = String(repeating: "b", count: 64)

  private func item(_ uri: String, _ kind: MediaKind, sha256: String?) -> MediaItem {
    var item = MediaItem(uri: uri, kind: kind)
    item.sha256 = sha256
    return item
  }
  private var remote: MediaItem { item("http://host/a.mp4", .progressive, sha256: sum) }
  private var local: MediaItem { item("file:///films/a.mp4", .file, sha256: sum) }
  private let plain = MediaItem(uri: "file:///films/b.mp4", kind: .file)

  private func begun(_ queue: [MediaItem], copies: [String: MediaCopy] = [:]) -> Bench {
    var bench = Bench(queue, loops: true)
    bench.feed(.copiesChanged(copies))
    bench.feed(.outputReady)
    bench.feed(.start)
    return bench
  }
  private func built(_ actions: [PlaybackAction]) -> [String] {
    actions.compactMap { if case .buildDeck(_, let media, _, _, _) = $0 { media.uri } else { nil } }
  }
  private func failures(_ bench: Bench) -> [Int] {
    bench.notices.compactMap { if case .itemFailed(_, let error) = $0 { error.number } else { nil } }
  }
  private func copy(_ sha256: String?) -> [String: MediaCopy] {
    [remote.uri: MediaCopy(uri: "file:///store/1.mp4", sha256: sha256)]
  }

  @Test("A remote item with a checksum never opens over the network, or from a copy with another checksum or none")
  func remoteWithout() throws {
    for copies in [[:], copy(nil), copy(other)] {
      var bench = begun([remote, plain], copies: copies)
      #expect(built(bench.actions).isEmpty)
      #expect(bench.due(.preroll(deck(1))) == bench.now)
      let actions = bench.feed(.timerFired(.preroll(deck(1))))
      #expect(failures(bench) == [2610] && built(actions) == [plain.uri])
    }
    var bench = begun([remote, plain], copies: copy(sum))
    #expect(built(bench.actions) == ["file:///store/1.mp4"])
    // A late result of the check changes nothing.
    #expect(bench.feed(.fileChecked(deck(1), sha256: nil)) == [])
  }

  @Test("A manifest never opens, local or remote: its parts have no checksum")
  func manifest() {
    let manifest = item("file:///films/hall.m3u8", .adaptive, sha256: sum)
    var bench = begun([manifest, plain])
    #expect(built(bench.actions).isEmpty)
    let actions = bench.feed(.timerFired(.preroll(deck(1))))
    #expect(failures(bench) == [3007] && built(actions) == [plain.uri])
  }

  @Test("A copy, and a local item with a checksum, are opened without access to other files")
  func alone() {
    var bench = begun([remote], copies: copy(sum))
    let media = bench.actions.compactMap { if case .buildDeck(_, let media, _, _, _) = $0 { media } else { nil } }
    #expect(media.map(\.isCopy) == [true] && media.allSatisfy(\.isAlone))
    bench.feed(.stopRequested)
    #expect(local.isAlone && !plain.isAlone && !item("http://host/a.mp4", .progressive, sha256: nil).isAlone)
  }

  @Test("A lone item with a checksum is waited for, and begins as soon as its copy is there")
  func waits() {
    for queue in [[remote], [remote, item("http://host/b.mp4", .progressive, sha256: other)]] {
      // The copy comes while the item fails, while the other one fails, or when all have failed.
      for steps in 0...2 {
        var bench = begun(queue)
        for _ in 0..<steps {
          guard let deck = bench.machine.current?.id else { continue }
          #expect(built(bench.feed(.timerFired(.preroll(deck)))).isEmpty)
        }
        var begun = built(bench.feed(.copiesChanged(copy(sum))))
        if begun.isEmpty, let other = bench.machine.current?.id {
          begun = built(bench.feed(.timerFired(.preroll(other))))
        }
        #expect(begun == ["file:///store/1.mp4"], "\(queue.count) items, \(steps) steps")
      }
    }
  }

  @Test("A playing item ends when its file gets a checksum that it doesn't match")
  func replaced() {
    var bench = Bench([plain], loops: true)
    _ = bench.begin()
    let actions = bench.feed(.queueReplaced([item(plain.uri, .file, sha256: sum)]))
    let new = bench.machine.current?.id
    #expect(new != deck(1) && actions.contains(.checkFile(new ?? deck(1), uri: plain.uri)))
  }

  @Test("A local item is read before it is opened, and isn't opened with another checksum")
  func localFile() {
    var bench = begun([local, plain])
    #expect(bench.actions.contains(.checkFile(deck(1), uri: local.uri)) && built(bench.actions).isEmpty)
    #expect(bench.due(.preroll(deck(1))) == bench.now + bench.machine.policy.checkDeadline)
    #expect(built(bench.feed(.fileChecked(deck(1), sha256: sum))) == [local.uri])
    for wrong in [other, nil] {
      var bench = begun([local, plain])
      let actions = bench.feed(.fileChecked(deck(1), sha256: wrong))
      #expect(failures(bench) == [3006] && built(actions) == [plain.uri])
    }
    var late = begun([local, plain])
    let actions = late.feed(.timerFired(.preroll(deck(1))), after: .seconds(300))
    #expect(failures(late) == [4101] && built(actions) == [plain.uri])
    #expect(late.feed(.fileChecked(deck(1), sha256: sum)) == [], "too late")
  }

  @Test("Reading of a file ends with its deck, and a finished reading isn't cancelled")
  func calledOff() {
    func calledOff(_ actions: [PlaybackAction]) -> [DeckID] {
      actions.compactMap { if case .cancelCheck(let id) = $0 { id } else { nil } }
    }
    var current = begun([local, plain])
    #expect(calledOff(current.feed(.queueReplaced([plain]))) == [deck(1)])
    var next = Bench([plain, local, plain], loops: true)
    _ = next.begin()
    #expect(calledOff(next.feed(.queueReplaced([plain]))) == [deck(2)])
    var late = begun([local, plain])
    #expect(calledOff(late.feed(.timerFired(.preroll(deck(1))), after: .seconds(300))) == [deck(1)])
    var ended = begun([local, plain])
    #expect(calledOff(ended.feed(.stopRequested)) == [deck(1)])
    for answer in [sum, other, nil] {
      var answered = begun([local])
      #expect(calledOff(answered.feed(.fileChecked(deck(1), sha256: answer)) + answered.feed(.stopRequested)) == [])
    }
  }

  @Test("The next item is read while the one before plays, and one with a wrong checksum is passed over unseen")
  func next() {
    var bench = Bench([plain, local, plain], loops: true)
    _ = bench.begin()
    #expect(bench.actions.contains(.checkFile(deck(2), uri: local.uri)))
    let actions = bench.feed(.fileChecked(deck(2), sha256: other))
    #expect(built(actions) == [plain.uri] && !actions.contains(.dropDeck(deck(2))))
    #expect(bench.machine.current?.id == deck(1))
  }

  @Test("No event builds a deck without the proof of its checksum, or drops one that wasn't built")
  func random() throws {
    var built = 0
    for seed in 1...500 as ClosedRange<UInt64> {
      var random = SplitMix64(state: seed)
      let another = item(plain.uri, .file, sha256: other)
      var queues = [[remote, local, plain], [plain, remote], [local], [remote], [another]]
      queues.shuffle(using: &random)
      var policy = PlaybackPolicy()
      policy.decodesOneStream = seed % 3 == 0
      var world = World(Bench(queues[0], loops: true, policy: policy))
      var copies: [String: MediaCopy] = [:]
      var proven: [DeckID: String] = [:]
      for event in [PlaybackEvent.start, .outputReady] { try world.feed(event) }
      for _ in 0..<60 {
        let machine = world.bench.machine
        let decks = [machine.current, machine.next].compactMap(\.self)
        let deck = decks.randomElement(using: &random)?.id ?? deck(1)
        let sums = [sum, other, nil]
        let sum = sums.randomElement(using: &random) ?? nil
        let gone = VitrineError(4002, subject: "s", message: "m", remedy: "r")
        let timers: [PlaybackTimer] = [.preroll(deck), .reconnect(deck), .end(deck), .arm(deck), .nextRound]
        let past = DeckID(generation: UInt32.random(in: 1...(max(2, deck.generation)), using: &random))
        let events: [PlaybackEvent] = [
          .fileChecked(deck, sha256: sum), .fileChecked(deck, sha256: sum), .copiesChanged(copy(sum)),
          .deckReady(deck, DeckReadiness(duration: .seconds(4))), .frameShown(deck, streamTime: .milliseconds(33)),
          .frameShown(deck, streamTime: .seconds(2)), .deckFailed(deck, gone), .kindFound(deck, .picture),
          .kindFound(deck, .adaptive), .nextRequested, .outputReady, .copiesChanged([:]),
          random.nextFraction() < 0.1 ? .outputLost : .outputReady, .timerFired(.nextRound), .timerFired(.nextRound),
          .timerFired(timers.randomElement(using: &random) ?? .nextRound), .timerFired(.preroll(deck)),
          .queueReplaced(queues.randomElement(using: &random) ?? []), .streamEnded(deck, .video, at: .seconds(4)),
          .deckGone(past),
        ]
        guard let event = events.randomElement(using: &random) else { continue }
        // A deck shows no frame before it is built.
        if case .frameShown = event, !world.alive.contains(deck) { continue }
        // A deck that was built in time has no preroll timer any more.
        if case .timerFired(.preroll) = event, world.alive.contains(deck) { continue }
        if case .deckGone = event, world.alive.contains(past) { continue }
        if case .copiesChanged(let new) = event { copies = new }
        if case .fileChecked(let id, let sum) = event { proven[id] = sum }
        let actions = try world.feed(event, at: world.bench.now + .milliseconds(50))
        for case .buildDeck(let id, let media, _, _, _) in actions {
          built += 1
          guard let wanted = media.sha256 else { continue }
          let isCopy = copies.values.contains { $0.uri == media.uri && $0.sha256 == wanted }
          let isProven = isCopy || (!media.isRemote && proven[id] == wanted)
          try #require(isProven, "seed \(seed): \(media.uri) after \(event)")
        }
      }
    }
    #expect(built > 500, "\(built)")
  }

  @Test("An item with a checksum that turns out to be a list fails: the list's items have no checksum")
  func list() {
    var bench = begun([remote, plain], copies: copy(sum))
    bench.feed(.kindFound(deck(1), .adaptive))
    #expect(failures(bench) == [3007])
    bench = begun([remote, plain], copies: copy(sum))
    bench.feed(.listFound(deck(1), [MediaItem(uri: "http://host/c.mp4", kind: .progressive)]))
    #expect(failures(bench) == [3007] && bench.machine.queue.entries.count == 2)
    bench = begun([remote, plain], copies: copy(sum))
    #expect(built(bench.feed(.kindFound(deck(1), .picture))) == ["file:///store/1.mp4"])
  }
}

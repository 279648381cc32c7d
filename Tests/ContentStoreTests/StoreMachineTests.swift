import ContentStore
import PlaybackCore
import Testing

/// Single rules of the store, with a working network.
@Suite("The store")
struct StoreMachineTests {
  private func world(_ lengths: [String: Int64], capacity: Int64 = 1000) -> SimulatedWorld {
    var settings = StoreSettings()
    settings.capacity = capacity
    settings.freeSpace = 0
    var world = SimulatedWorld(seed: 1, settings: settings)
    world.trouble = 0
    for (name, length) in lengths { world.servers[uri(name)] = .init(version: 1, length: length) }
    world.open()
    return world
  }

  private func uri(_ name: String) -> String { "http://host/\(name).mp4" }
  private func wanted(_ names: [String], today: Bool = true) -> [WantedFile] {
    names.map { WantedFile(uri: uri($0), isNeededToday: today) }
  }

  @Test("The store downloads files in the order of the playlist")
  func order() {
    var world = world(["a": 10, "b": 10, "c": 10])
    world.feed(.wanted(wanted(["c", "a", "b"])))
    world.run(for: .seconds(5))
    let stored = world.notices.compactMap { if case .stored(let uri, _) = $0 { uri } else { nil } }
    #expect(stored == ["c", "a", "b"].map(uri))
  }

  @Test("The store evicts the copy played least recently, never one that plays or is needed today")
  func eviction() {
    var world = world(["a": 300, "b": 300, "c": 300, "d": 300, "e": 600])
    world.feed(.wanted(wanted(["a", "b", "c"])))
    world.run(for: .seconds(5))
    for name in ["c", "a", "b"] { world.feed(.played(uri: uri(name))) }
    // No list names these files any more, and `c` plays.
    world.feed(.inUse([world.machine.copies[uri("c")] ?? ""]))
    world.feed(.wanted(wanted(["d"])))
    world.run(for: .seconds(5))
    #expect(world.machine.copies[uri("d")] != nil)
    world.feed(.wanted(wanted(["a", "b", "c", "d"], today: false)))
    #expect(Set(world.machine.copies.keys) == Set(["b", "c", "d"].map(uri)))
    // A file not needed today makes room for one that is; the others needed today don't.
    world.feed(.wanted(wanted(["e"]) + wanted(["d"]) + wanted(["b", "c"], today: false)))
    world.run(for: .seconds(5))
    #expect(Set(world.machine.copies.keys) == Set(["b", "c", "d"].map(uri)), "e doesn't fit beside what plays and d")
    world.feed(.inUse([]))
    world.run(for: .seconds(5))
    #expect(Set(world.machine.copies.keys) == Set(["d", "e"].map(uri)))
  }

  @Test("The store reports a lack of room once, and evicts nothing for a file that wouldn't fit anyway")
  func noRoom() {
    var world = world(["a": 600, "b": 600])
    world.feed(.wanted(wanted(["a", "b"])))
    world.run(for: .seconds(90_000))
    #expect(Set(world.machine.copies.keys) == [uri("a")])
    let problems = world.notices.compactMap { if case .problem(let error) = $0 { error.number } else { nil } }
    #expect(problems == [7404])
    #expect(world.requests.count { $0.request.uri == uri("b") } == 1)
  }

  @Test("A changed file replaces the old one, which stays while it plays")
  func change() {
    var world = world(["a": 300])
    world.feed(.wanted(wanted(["a"])))
    world.run(for: .seconds(5))
    let old = world.machine.copies[uri("a")] ?? ""
    world.feed(.inUse([old]))
    world.servers[uri("a")] = .init(version: 2, length: 310)
    world.run(for: .seconds(3700))
    let new = world.machine.copies[uri("a")] ?? ""
    #expect(new != old && world.disk[old] != nil && world.disk[new]?.size == 310)
    world.feed(.inUse([new]))
    #expect(world.disk[old] == nil && world.disk.count == 1)
  }

  @Test("The store doesn't offer a copy with an unwanted checksum, and downloads it again")
  func checksum() {
    var world = world(["a": 300])
    world.feed(.wanted(wanted(["a"])))
    world.run(for: .seconds(5))
    let sum = String(repeating: "1", count: 64)
    world.feed(.wanted([WantedFile(uri: uri("a"), sha256: sum)]))
    #expect(world.machine.copies.isEmpty)
    world.run(for: .seconds(5))
    #expect(world.machine.copies.count == 1 && world.disk.count == 1)
    let requests = world.requests.count
    // The server's file can't match, so the store doesn't try again.
    world.run(for: .seconds(90_000))
    #expect(world.requests.count == requests)
  }

  @Test("A copy that didn't play stays, and is downloaded again once a day")
  func suspect() {
    var world = world(["a": 300])
    world.feed(.wanted(wanted(["a"])))
    world.run(for: .seconds(5))
    for _ in 0..<5 {
      world.feed(.didNotPlay(uri: uri("a")))
      #expect(world.machine.copies.count == 1)
      world.run(for: .seconds(60))
    }
    #expect(world.notices.count { if case .stored = $0 { true } else { false } } == 2)
  }

  @Test("The store reports a full disk, goes on, and tries again")
  func fullDisk() {
    var world = world(["a": 300, "b": 300], capacity: 100_000)
    world.diskSize = 400
    world.feed(.wanted(wanted(["a", "b"])))
    world.run(for: .seconds(60))
    #expect(world.machine.copies.count == 1)
    #expect(world.machine.status.problem?.number == 7402)
    world.diskSize = 10_000
    world.run(for: .seconds(700))
    #expect(world.machine.copies.count == 2 && world.machine.status.problem == nil)
  }

  @Test(
    "A full disk evicts unlisted files as a full capacity does, and nothing for a file that wouldn't fit anyway")
  func roomOnDisk() {
    var world = world(["a": 300, "b": 300, "c": 300, "d": 900], capacity: 100_000)
    world.diskSize = 700
    world.feed(.wanted(wanted(["a", "b"])))
    world.run(for: .seconds(5))
    #expect(world.machine.copies.count == 2)
    // 100 bytes are left of the disk, and 99,400 of the capacity.
    world.feed(.wanted(wanted(["c"])))
    world.run(for: .seconds(5))
    #expect(world.machine.copies[uri("c")] != nil && world.disk.count == 2)
    #expect(world.machine.status.problem == nil)
    // The file wouldn't fit if all others went.
    let before = world.disk.keys.sorted()
    world.feed(.wanted(wanted(["d"])))
    world.run(for: .seconds(5))
    #expect(world.disk.keys.sorted() == before && world.machine.copies[uri("d")] == nil)
    #expect(world.machine.status.problem?.number == 7402)
  }

  @Test("After a disk's failure, while its free bytes aren't known, a larger file makes room for a smaller one")
  func unknownFree() throws {
    var world = world(["a": 700, "b": 200, "c": 400])
    world.feed(.wanted(wanted(["a"])))
    world.run(for: .seconds(5))
    world.feed(.wanted(wanted(["b"])))
    world.feed(.diskFailed(try #require(world.transfer?.id), .failed("Input/output error")))
    world.feed(.wanted(wanted(["c"])))
    world.run(for: .seconds(700))
    #expect(Set(world.machine.copies.keys) == [uri("c")] && world.disk.count == 1)
  }

  @Test("A full disk evicts an unidentified file first")
  func strayOnDisk() {
    var world = world(["a": 300], capacity: 100_000)
    world.diskSize = 700
    world.disk["77.mp4"] = SimulatedWorld.Content(pieces: [.init(uri: "?", version: 1, from: 0, count: 500)])
    world.kill()
    world.open()
    world.feed(.wanted(wanted(["a"])))
    world.run(for: .seconds(5))
    #expect(world.machine.copies[uri("a")] != nil && world.disk["77.mp4"] == nil && world.machine.status.problem == nil)
  }

  @Test("The store leaves exactly as much of the disk free as the settings say")
  func freeSpace() {
    for (size, fits) in [(Int64(1000), true), (999, false)] {
      var world = world(["a": 300, "b": 300], capacity: 100_000)
      var settings = world.machine.settings
      settings.freeSpace = 400
      world.feed(.settingsChanged(settings))
      world.diskSize = size
      world.kill()
      world.open()
      world.feed(.wanted(wanted(["a", "b"])))
      world.run(for: .seconds(5))
      #expect(world.machine.copies.count == (fits ? 2 : 1), "\(size)")
    }
  }

  @Test("The store shrinks to a lowered capacity, as far as today's files allow")
  func lowered() {
    var world = world(["a": 300, "b": 300, "c": 300])
    world.feed(.wanted(wanted(["a"]) + wanted(["b", "c"], today: false)))
    world.run(for: .seconds(5))
    var settings = world.machine.settings
    settings.capacity = 400
    world.feed(.settingsChanged(settings))
    #expect(Set(world.machine.copies.keys) == [uri("a")] && world.disk.count == 1)
  }

  @Test("The store waits for as long as Retry-After says")
  func retryAfter() {
    var machine = StoreMachine(settings: StoreSettings(), seed: 0)
    let start = Instant(nanoseconds: 0)
    _ = machine.handle(.opened(StoreFound(index: nil, sizes: [:], free: .max)), at: start)
    _ = machine.handle(.wanted(wanted(["a", "b"])), at: start)
    let actions = machine.handle(.answered(1, ResponseHead(status: 503, retryAfter: .seconds(90))), at: start)
    #expect(actions.contains(.setTimer(start + .seconds(90))))
    #expect(!actions.contains { if case .request = $0 { true } else { false } }, "the other file is of the same server")
  }
}

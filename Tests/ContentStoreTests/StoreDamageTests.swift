import ContentStore
import PlaybackCore
import Testing

/// A disk that returns other bytes than were written, or that refuses to be written.
@Suite("The store on a disk that fails")
struct StoreDamageTests {
  private func world(_ lengths: [String: Int64]) -> SimulatedWorld {
    var settings = StoreSettings()
    settings.capacity = 1000
    settings.freeSpace = 0
    var world = SimulatedWorld(seed: 1, settings: settings)
    world.trouble = 0
    for (name, length) in lengths { world.servers[uri(name)] = .init(version: 1, length: length) }
    world.open()
    return world
  }

  private func uri(_ name: String) -> String { "http://host/\(name).mp4" }
  private func wanted(_ names: String...) -> [WantedFile] { names.map { WantedFile(uri: uri($0)) } }
  private func sum(_ name: String, _ length: Int64) -> String { "\(uri(name))|1|0|\(length)" }
  private func problems(_ world: SimulatedWorld) -> [Int] {
    world.notices.compactMap { if case .problem(let error) = $0 { error.number } else { nil } }
  }

  /// Kills and reopens the store, with all servers gone from then on.
  private func restart(_ world: inout SimulatedWorld) {
    world.kill()
    world.servers = [:]
    world.notices = []
    world.requests = []
    world.open()
  }

  @Test("A bad byte in either index, or in both, costs no copy")
  func index() {
    for damaged: [Int64] in [[0], [1], [0, 1]] {
      var world = world(["a": 300, "b": 200])
      world.feed(.wanted(wanted("a", "b")))
      world.run(for: .seconds(5))
      let copies = world.machine.copies
      let disk = world.disk
      #expect(copies.count == 2)
      for generation in damaged { world.indexes[generation] = SimulatedWorld.damaged(world.indexes[generation]) }
      restart(&world)
      world.feed(.wanted(wanted("a", "b")))
      #expect(world.machine.copies == copies && world.disk == disk, "\(damaged)")
      #expect(problems(world) == [7407])
      // The damaged index was replaced, so the next start reports nothing.
      restart(&world)
      world.feed(.wanted(wanted("a", "b")))
      #expect(world.machine.copies == copies && problems(world).isEmpty)
    }
  }

  @Test("A copy without an index entry is offered when its checksum matches, and removed when it doesn't")
  func unproven() {
    var world = world(["a": 300, "b": 200])
    let list = ["a": 300, "b": 200].map { WantedFile(uri: uri($0.key), sha256: sum($0.key, $0.value)) }
    world.feed(.wanted(list))
    world.run(for: .seconds(5))
    let copies = world.machine.copies
    #expect(copies.count == 2)
    world.indexes = [0: "x", 1: "y"]
    if let name = copies[uri("b")] { world.disk[name]?.pieces[0].version = 9 }
    restart(&world)
    world.feed(.wanted(list))
    #expect(world.machine.copies.isEmpty)
    world.run(for: .seconds(5))
    #expect(world.machine.copies == [uri("a"): copies[uri("a")] ?? ""])
    #expect(world.machine.checksum(ofCopy: copies[uri("a")] ?? "") == sum("a", 300))
    #expect(copies[uri("b")].map { world.disk[$0] == nil } == true)
    #expect(!world.requests.contains { $0.request.uri == uri("a") }, "it needn't be fetched")
  }

  @Test("A copy that doesn't play is compared with its checksum again, and removed when the disk has damaged it")
  func doubted() {
    var world = world(["a": 300])
    world.feed(.wanted([WantedFile(uri: uri("a"), sha256: sum("a", 300))]))
    world.run(for: .seconds(5))
    let copies = world.machine.copies
    world.feed(.didNotPlay(uri: uri("a")))
    world.run(for: .seconds(60))
    #expect(world.machine.copies == copies && world.requests.count == 1)
    if let name = copies[uri("a")] { world.disk[name]?.pieces[0].version = 9 }
    world.run(for: .seconds(90_000))
    world.feed(.didNotPlay(uri: uri("a")))
    world.run(for: .seconds(60))
    #expect(world.machine.copies.count == 1 && world.machine.copies != copies && world.requests.count == 2)
  }

  @Test("The store keeps a file it can't identify until all copies are there, and identifies it by a checksum")
  func stray() {
    var world = world(["a": 300, "b": 200])
    world.feed(.wanted(wanted("a", "b")))
    world.run(for: .seconds(5))
    let copies = world.machine.copies
    world.indexes = [0: "x"]
    world.records = [:]
    restart(&world)
    world.feed(.wanted(wanted("a")))
    world.run(for: .seconds(60))
    #expect(world.machine.copies.isEmpty && Set(world.disk.keys) == Set(copies.values), "it may be all there is")
    world.feed(.wanted([WantedFile(uri: uri("a"), sha256: sum("a", 300)), WantedFile(uri: uri("b"))]))
    world.run(for: .seconds(5))
    #expect(world.machine.copies == [uri("a"): copies[uri("a")] ?? ""])
    world.servers[uri("b")] = .init(version: 1, length: 200)
    world.run(for: .seconds(1000))
    #expect(world.machine.copies.count == 2 && world.disk.count == 2, "the unidentified file goes")
    #expect(copies[uri("b")].map { world.disk[$0] == nil } == true)
  }

  @Test("A file that the store can't identify counts against the capacity, and is evicted first")
  func strayRoom() {
    var world = world(["a": 300])
    world.feed(.wanted(wanted("a")))
    world.run(for: .seconds(5))
    world.indexes = [:]
    world.records = [:]
    restart(&world)
    #expect(world.machine.status.bytes == 300)
    world.servers[uri("c")] = .init(version: 1, length: 900)
    world.feed(.wanted(wanted("c")))
    world.run(for: .seconds(5))
    #expect(world.disk.count == 1 && world.machine.copies.keys.map(\.self) == [uri("c")])
  }

  @Test("A read-only folder's copies are used, nothing is written, and the folder is reported once and checked again")
  func readOnly() {
    var world = world(["a": 300, "b": 200])
    world.feed(.wanted(wanted("a")))
    world.run(for: .seconds(5))
    let before = (world.disk, world.indexes, world.records)
    world.readOnly = "Read-only file system"
    world.kill()
    world.notices = []
    world.requests = []
    world.open()
    world.feed(.wanted(wanted("b", "a")))
    world.feed(.played(uri: uri("a")))
    world.run(for: .seconds(3600))
    #expect(world.machine.copies.keys.map(\.self) == [uri("a")])
    #expect(world.disk == before.0 && world.indexes == before.1 && world.records == before.2)
    #expect(problems(world) == [7406] && world.requests.isEmpty)
    world.readOnly = nil
    world.run(for: .seconds(700))
    #expect(world.machine.copies.count == 2 && world.machine.status.problem == nil)
  }

  @Test("The store refuses a length beyond any disk, and its sums don't overflow")
  func lies() {
    let start = Instant(nanoseconds: 0)
    for length: Int64 in [.max, (1 << 60) + 1, -1] {
      var machine = StoreMachine(settings: StoreSettings(), seed: 0)
      let record = StoredFile(name: "1.mp4", uri: uri("x"), isComplete: true, got: 10, length: 10)
      _ = machine.handle(
        .opened(StoreFound(index: nil, sizes: ["1.mp4": 10], free: .max, recorded: ["1.mp4"], records: [record])),
        at: start)
      _ = machine.handle(.wanted(wanted("a", "x")), at: start)
      let actions = machine.handle(.answered(1, ResponseHead(status: 200, contentLength: length)), at: start)
      #expect(machine.status.problem?.number == 2608, "\(length)")
      #expect(!actions.contains { if case .openFile = $0 { true } else { false } })
    }
    // A file name with the largest number must not end the program either.
    var machine = StoreMachine(settings: StoreSettings(), seed: 0)
    _ = machine.handle(
      .opened(StoreFound(index: nil, sizes: ["9223372036854775807.mp4": 10], free: .max)), at: start)
    #expect(machine.status.bytes == 10)
  }
}

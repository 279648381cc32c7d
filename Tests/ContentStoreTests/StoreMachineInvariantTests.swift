import PlaybackCore
import Testing

@testable import ContentStore

@Suite("Invariants of the store")
struct StoreMachineInvariantTests {
  private let uri = "http://host/a.mp4"

  /// A store with one complete file and one download under way.
  private func store() throws -> StoreMachine {
    var world = SimulatedWorld(seed: 1, settings: StoreSettings())
    world.trouble = 0
    world.servers[uri] = .init(version: 1, length: 10)
    world.servers["http://host/b.mp4"] = .init(version: 1, length: 1_000_000)
    world.open()
    world.feed(.wanted([WantedFile(uri: uri), WantedFile(uri: "http://host/b.mp4")]))
    while world.machine.transfer?.written ?? 0 == 0 || world.machine.copies.isEmpty {
      let goesOn = world.step(until: world.now + .seconds(60))
      try #require(goesOn)
    }
    return world.machine
  }

  @Test("A store that downloads breaks no invariant")
  func sound() throws {
    #expect(try store().invariants.violations == [])
  }

  @Test("The invariants report an offered file that isn't complete, isn't wanted or has the wrong checksum")
  func offers() throws {
    let name = try #require(try store().copies[uri])
    let offered = "What is offered is whole, wanted, and what was wanted"

    var partial = try store()
    partial.files[name]?.isComplete = false
    #expect(partial.invariants.violations == [offered, "The newest copy of an address is a whole file of it"])

    var unwanted = try store()
    unwanted.wanted.byURI[uri] = nil
    #expect(unwanted.invariants.violations == [offered, "What is wanted is listed once"])

    var other = try store()
    other.wanted.byURI[uri]?.sha256 = String(repeating: "a", count: 64)
    #expect(other.invariants.violations == [offered])

    var twice = try store()
    twice.files.strays[name] = StoreFiles.Stray(size: 10)
    #expect(twice.invariants.violations == ["An unidentified file is no copy"])
  }

  @Test("The invariants report a transfer without a file, or of a file that isn't wanted")
  func transfers() throws {
    func violations(_ change: (inout StoreMachine) -> Void) throws -> [String] {
      var machine = try store()
      change(&machine)
      return machine.invariants.violations
    }
    #expect(try violations { $0.isOpen = false } == ["Nothing is fetched before the folder was looked at"])
    #expect(try violations { $0.transfer?.name = nil } == ["A transfer has its file from the answer on"])
    #expect(try violations { $0.transfer?.name = "9.mp4" } == ["What is fetched is a part"])
    #expect(
      try violations { $0.transfer?.synchronised = 2_000_000 }
        == ["No more is on the disk for good than was written"])
    #expect(try violations { $0.transfer?.length = 1 } == ["No more is written than the server has said"])
    #expect(
      try violations { $0.transfer?.wanted = WantedFile(uri: "http://host/c.mp4") } == ["What is fetched is wanted"])
  }
}

import ContentStore
import Foundation
import PlaybackCore
import Testing

/// Seeded runs of the store over a failing network and disk, with kills of the process. VITRINE_STORE_RUNS=5000 makes a
/// long run.
@Suite("The store under random events")
struct StoreMachineRandomTests {
  static let runs = ProcessInfo.processInfo.environment["VITRINE_STORE_RUNS"].flatMap { UInt64($0) } ?? 12

  @Test(
    "The store offers no partial or mixed file, keeps its capacity and the files in use, and spares servers"
  )
  func invariants() {
    var stored = 0
    var kills = 0
    var resumed = 0
    for seed in 1...Self.runs {
      var settings = StoreSettings()
      settings.capacity = 3_000_000
      settings.freeSpace = 100_000
      settings.checkInterval = .seconds(300)
      var world = SimulatedWorld(seed: seed, settings: settings)
      if world.chance(0.3) { world.diskSize = 2_500_000 }
      let names = (0..<8).map { "http://host\($0 % 3)/\($0).mp4" }
      for name in names {
        world.servers[name] = .init(version: 1, length: Int64.random(in: 1...900_000, using: &world.random))
      }
      world.open()
      var today = Set<String>()
      var playing: String?
      func want(_ world: inout SimulatedWorld) {
        let list = names.shuffled(using: &world.random).prefix(6)
        // Today's files fit: files that don't can't be promised to stay.
        var room: Int64 = 1_500_000
        today = []
        let wanted = list.map { name -> WantedFile in
          let length = (world.servers[name]?.length ?? 0) * 2
          let isToday = length <= room
          if isToday {
            room -= length
            today.insert(name)
          }
          return WantedFile(uri: name, isNeededToday: isToday)
        }
        world.feed(.wanted(wanted))
      }
      want(&world)
      for _ in 0..<40 {
        let before = world.machine.copies
        var isNewList = false
        switch Int.random(in: 0..<8, using: &world.random) {
        case 0:
          world.kill()
          playing = nil
          // Sometimes the disk returns other bytes than were written.
          if world.chance(0.3) { world.damage() }
          kills += 1
          world.open()
          want(&world)
          isNewList = true
        case 1:
          want(&world)
          isNewList = true
        case 2:
          if let name = names.randomElement(using: &world.random) {
            world.servers[name]?.version += 1
            // The new length may differ, within the room that today's list was made for.
            if world.chance(0.5), let length = world.servers[name]?.length {
              world.servers[name]?.length = max(1, length - 1)
            }
          }
        case 3:
          if let copy = world.machine.copies.sorted(by: { $0.key < $1.key }).randomElement(using: &world.random) {
            playing = copy.value
            world.feed(.inUse([copy.value]))
            world.feed(.played(uri: copy.key))
          }
        default: break
        }
        let limit = world.now + .seconds(Int64.random(in: 1...120, using: &world.random))
        while world.step(until: limit) {
          check(world, seed, playing)
        }
        world.now = max(world.now, limit)
        check(world, seed, playing)
        // A stored file that is needed today stays, perhaps in a newer version.
        if !isNewList {
          for name in today where before[name] != nil {
            #expect(world.machine.copies[name] != nil, "seed \(seed): \(name) is needed today and went")
          }
        }
      }
      // With all faults gone, every file that fits is downloaded.
      world.trouble = 0
      world.diskSize = .max / 2
      world.run(for: .seconds(8000))
      for name in today {
        #expect(world.machine.copies[name] != nil, "seed \(seed): \(name) never came")
      }
      stored += world.machine.copies.count
      resumed += world.requests.filter { $0.request.from != nil }.count
    }
    let runs = Int(Self.runs)
    #expect(stored > runs * 2 && kills > runs && resumed > runs, "\(stored) stored, \(kills) kills, \(resumed) resumed")
  }

  private func check(_ world: SimulatedWorld, _ seed: UInt64, _ playing: String?) {
    if let playing { #expect(world.disk[playing] != nil, "seed \(seed): \(playing) plays and went") }
    for (uri, name) in world.machine.copies {
      let content = world.disk[name]
      #expect(
        content?.isWhole(uri, content?.size) == true && content?.size ?? 0 > 0,
        "seed \(seed): \(name) is offered for \(uri) and holds \(String(describing: content))")
    }
    let used = world.disk.values.reduce(0) { $0 + $1.size }
    #expect(used <= world.machine.settings.capacity, "seed \(seed): \(used) bytes are used")
  }

  @Test("The store asks a failing server at most once a second")
  func requests() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var world = SimulatedWorld(seed: seed, settings: StoreSettings())
      world.trouble = 1
      let names = (0..<200).map { "http://host/\($0).mp4" }
      for name in names { world.servers[name] = .init(version: 1, length: 1000) }
      world.open()
      world.feed(.wanted(names.map { WantedFile(uri: $0) }))
      world.run(for: .seconds(3600))
      let failed = world.requests.filter { [.refused, .busy, .gone, .page, .silent, .loop].contains($0.fault) }
      for (earlier, later) in zip(failed, failed.dropFirst()) {
        #expect((later.at - earlier.at).inSeconds >= 1, "seed \(seed)")
      }
      #expect(failed.count > 20)
    }
  }

  @Test("The bandwidth limit holds over time and is used up")
  func bandwidth() {
    var settings = StoreSettings()
    settings.bandwidth = 100_000
    var world = SimulatedWorld(seed: 7, settings: settings)
    world.trouble = 0
    world.servers["http://host/a.mp4"] = .init(version: 1, length: 50_000_000)
    world.open()
    world.feed(.wanted([WantedFile(uri: "http://host/a.mp4")]))
    world.run(for: .seconds(100))
    #expect(world.bytesReceived <= 100_000 * 101 + 65_536 && world.bytesReceived >= 9_500_000)
  }
}

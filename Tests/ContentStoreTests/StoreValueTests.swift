import PlaybackCore
import Testing

@testable import ContentStore

/// The values behind the store's machine, each by itself.
@Suite("Parts of the store")
struct StoreValueTests {
  private let now = Instant(nanoseconds: 1_000_000_000_000)

  private func uri(_ name: String) -> String { "http://host/\(name).mp4" }

  private func files(_ sizes: KeyValuePairs<String, Int64>) -> StoreFiles {
    var files = StoreFiles()
    for (number, (name, size)) in sizes.enumerated() {
      let file = StoredFile(name: "\(number + 1).mp4", uri: uri(name), lastPlayed: Int64(number))
      files.add(file.whole(size: size))
    }
    files.nextNumber = Int64(sizes.count) + 1
    return files
  }

  private func room(_ files: StoreFiles, wanted: [WantedFile], capacity: Int64, free: Int64 = 1 << 40) -> StoreRoom {
    var settings = StoreSettings()
    settings.capacity = capacity
    settings.freeSpace = 0
    return StoreRoom(files: files, wanted: WantedFiles(wanted), settings: settings, transfer: nil, free: free)
  }

  private func transfer(_ name: String) -> StoreTransfer {
    StoreTransfer(WantedFile(uri: uri(name)), StoreRequest(transfer: 1, uri: uri(name)))
  }

  // MARK: Files

  @Test("The checksum of a copy that was found without the index counts once it has been compared")
  func proof() {
    var files = StoreFiles()
    let file = StoredFile(name: "1.mp4", uri: uri("a"), isComplete: true, got: 3, length: 3, sha256: "x")
    let wanted = WantedFile(uri: uri("a"), sha256: "x")
    files.add(file, .unproven)
    #expect(files.rightCopy(of: wanted) == nil && files.checksum(of: "1.mp4") == nil)
    #expect(files.rightCopy(of: WantedFile(uri: uri("a"))) != nil, "without a wanted checksum it needs no comparison")
    #expect(files.mayBeHere(wanted, isComparingStrays: false))
    let isCompared = files.doubt("1.mp4")
    #expect(!isCompared, "it is being compared already")
    let (first, unasked) = (files.prove("1.mp4", "x"), files.prove("1.mp4", "y"))
    #expect(first == true && unasked == nil && files.rightCopy(of: wanted) == file)
    let isDoubted = files.doubt("1.mp4")
    #expect(isDoubted && files.rightCopy(of: wanted) == file, "it stays meanwhile")
    let second = files.prove("1.mp4", "y")
    #expect(second == false)
  }

  @Test("A new version counts as played when the old one was, and the old one stays while it is in use")
  func versions() {
    var files = files(["a": 10, "b": 10])
    let counts = [files.recordPlay(of: uri("a")), files.recordPlay(of: uri("a"))]
    #expect(counts == [true, false], "the second time it was the last one anyway")
    let played = files.copy(of: uri("a"))?.lastPlayed
    let name = files.begin(WantedFile(uri: uri("a")), length: 5, ResponseHead(status: 200))
    #expect(files.part(of: uri("a"))?.name == name && files.superseded.isEmpty)
    files.inUse = ["1.mp4"]
    files.complete(name, size: 5)
    #expect(files.copy(of: uri("a"))?.lastPlayed == played && files.superseded.isEmpty)
    files.inUse = []
    #expect(files.superseded == ["1.mp4"])
  }

  // MARK: Room

  @Test("Files that no playlist names go first, then those not needed today, the least recently played first")
  func room() throws {
    let files = files(["today": 10, "later": 10, "unlisted": 10, "unlisted too": 10])
    let wanted = [WantedFile(uri: uri("today")), WantedFile(uri: uri("later"), isNeededToday: false)]
    let room = room(files, wanted: wanted, capacity: 50)
    #expect(room.used == 40 && room.longestFitting == (40, 30))
    let new = WantedFile(uri: uri("new"))
    #expect(try room.making(for: new, reserving: 10, coming: 10) == [])
    #expect(try room.making(for: new, reserving: 25, coming: 25) == ["3.mp4", "4.mp4"])
    #expect(try room.making(for: new, reserving: 40, coming: 40) == ["3.mp4", "4.mp4", "2.mp4"])
    #expect(throws: StoreRoom.Shortage.capacity) { try room.making(for: new, reserving: 41, coming: 41) }
    let later = WantedFile(uri: uri("new"), isNeededToday: false)
    #expect(throws: StoreRoom.Shortage.capacity) { try room.making(for: later, reserving: 31, coming: 31) }
  }

  @Test("A store above its capacity removes as little as keeps it")
  func overCapacity() {
    let files = files(["a": 10, "b": 10, "c": 10])
    let wanted = [WantedFile(uri: uri("a")), WantedFile(uri: uri("b"), isNeededToday: false)]
    #expect(room(files, wanted: wanted, capacity: 30).overCapacity == [])
    #expect(room(files, wanted: wanted, capacity: 29).overCapacity == ["3.mp4"])
    #expect(room(files, wanted: wanted, capacity: 5).overCapacity == ["3.mp4", "2.mp4"], "today's file stays")
  }

  // MARK: Times of requests

  @Test("A server's failure holds back all of its files, a file's failure that file alone")
  func failures() {
    var schedule = StoreSchedule(policy: StorePolicy(), seed: 1)
    let wanted = ["a", "b"].map { WantedFile(uri: uri($0)) }
    let room = room(StoreFiles(), wanted: wanted, capacity: 100)
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .fetch(wanted[0]))
    schedule.fails(transfer("a"), .status(404, retryAfter: nil), at: now)
    let soon = now + StorePolicy().gap
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .wait(until: soon))
    #expect(schedule.next(in: room, pausedUntil: nil, at: soon) == .fetch(wanted[1]))
    schedule.fails(transfer("b"), .status(503, retryAfter: .seconds(900)), at: soon)
    #expect(schedule.next(in: room, pausedUntil: nil, at: soon) == .wait(until: soon + .seconds(900)))
    let distrusted = schedule.clockSet()
    #expect(distrusted == [], "no certificate was refused")
    #expect(schedule.next(in: room, pausedUntil: soon + .seconds(9), at: soon) == .wait(until: soon + .seconds(9)))
  }

  @Test("A copy is asked about when its check is due, one with a checksum never")
  func checks() {
    var schedule = StoreSchedule(policy: StorePolicy(), seed: 1)
    let wanted = WantedFile(uri: uri("a"))
    let room = room(files(["a": 10]), wanted: [wanted], capacity: 100)
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .fetch(wanted), "after the start")
    schedule.isUnchanged(transfer("a"), nextCheck: now + .seconds(60))
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .wait(until: now + .seconds(60)))
    schedule.suspect(uri("a"))
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .fetch(wanted), "it failed to play")
    schedule.isStored(transfer("a"), nextCheck: now + .seconds(60), at: now)
    schedule.suspect(uri("a"))
    #expect(schedule.next(in: room, pausedUntil: nil, at: now) == .wait(until: now + .seconds(60)), "once a day")
  }

  // MARK: The disk and the faults

  @Test("The owed work of a read-only folder is done once, when the folder can be written to")
  func disk() {
    var disk = StoreDisk()
    disk.owe(.remove(name: "1.mp4"))
    #expect(!disk.isReadOnly)
    disk.beReadOnly(nextLook: now)
    disk.owe(.remove(name: "2.mp4"))
    disk.beReadOnly(nextLook: now + .seconds(600))
    #expect(disk.nextLook == now + .seconds(600))
    let owed = [disk.beWritable(free: 5), disk.beWritable(free: 6)]
    #expect(owed == [[.remove(name: "2.mp4")], []] && disk.free == 5 && !disk.isReadOnly)
  }

  @Test("A disk that failed is written to again after its pause, with an unknown number of free bytes")
  func pause() {
    var disk = StoreDisk()
    disk.free = 5
    let end = now + .seconds(1)
    disk.pause(until: end)
    let during = disk.pausedUntil(at: now)
    #expect(during == end && disk.free == 5)
    let after = disk.pausedUntil(at: end)
    #expect(after == nil && disk.free == .max)
  }

  @Test("A fault is news until it has been told, and again once a stored file has disproved it")
  func faults() {
    var faults = StoreFaults()
    let error = StoreErrors.of(.silent, uri: uri("a"))
    let server = StoreFaults.Subject.server(transfer("a").server)
    let other = StoreFaults.Subject.file(uri("b"))
    let before = [server, server, other].map { faults.add(error, about: $0) }
    #expect(before == [true, false, true] && faults.latest == error)
    faults.isStored(transfer("a"))
    #expect(faults.latest == nil)
    let after = [server, other].map { faults.add(error, about: $0) }
    #expect(after == [true, false])
  }
}

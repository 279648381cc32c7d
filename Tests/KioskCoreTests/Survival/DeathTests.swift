import PlaybackCore
import Testing

@testable import KioskCore

extension CrashRecord {
  /// A record of a run that began at 1000 s after the boot.
  static func made(_ decks: [Deck] = []) -> CrashRecord {
    guard var record = CrashRecord(bytes()) else {
      Issue.record("a made record isn't read")
      preconditionFailure()
    }
    record.decks = decks
    return record
  }

  /// A record's bytes in memory, with only a head.
  static func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    func put(_ value: UInt64, _ place: Int, _ width: Int) {
      for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
    }
    bytes.replaceSubrange(0..<7, with: Array("VITRINE".utf8))
    put(UInt64(version), 8, 4)
    put(UInt64(size), 12, 4)
    put(42, 16, 4)
    put(.max, 168, 8)
    put(1000 * 1_000_000_000, 24, 8)
    return bytes
  }
}

extension CrashRecord.Crash {
  static func made(
    signal: Int32, code: Int32, sender: Int32 = 0, deck: UInt32? = nil, thread: String = "vitrine"
  ) -> CrashRecord.Crash {
    CrashRecord.Crash(
      signal: signal, code: code, sender: sender, deck: deck, faultAddress: 0, at: .seconds(1010), time: 1_700_000_000,
      thread: thread, frames: [])
  }
}

extension CrashRecord.Deck {
  static func made(
    _ id: UInt32, _ step: CrashRecord.Step, since: Int64 = 1001, screen: String = "", elements: [String] = []
  ) -> CrashRecord.Deck {
    CrashRecord.Deck(
      id: id, step: step, number: Int(id), position: .seconds(7), since: .seconds(since), screen: screen,
      uri: "file:///\(id).mp4", listed: "file:///\(id).mp4", sha256: nil, elements: elements)
  }
}

@Suite("The cause of a run's crash")
struct DeathTests {
  @Test("A run that ended as planned, or handed over, has not crashed")
  func ends() {
    for end in [CrashRecord.End.clean, .handOver] {
      var record = CrashRecord.made()
      record.end = end
      #expect(Death(of: record) == nil)
    }
  }

  @Test(
    "A fault detected by the kernel and the run's own abort are faults; no signal from outside is one")
  func causes() {
    var record = CrashRecord.made([.made(1, .playing)])
    record.crash = .made(signal: 11, code: 1)
    #expect(Death(of: record)?.cause == .fault(signal: 11))
    record.crash = .made(signal: 6, code: -6, sender: record.pid)
    #expect(Death(of: record)?.cause == .fault(signal: 6))
    record.crash = .made(signal: 11, code: 0, sender: 7)
    #expect(Death(of: record)?.cause == .signalled(11) && Death(of: record)?.suspect == nil)
    record.crash = nil
    #expect(Death(of: record)?.cause == .unknown && Death(of: record)?.isDoubtful == true)
  }

  @Test(
    "A run that is killed because it takes long to end hasn't crashed; a fault of its own meanwhile is a crash"
  )
  func asked() {
    var record = CrashRecord.made([.made(1, .leaving)])
    record.end = .asked
    #expect(Death(of: record) == nil)
    record.crash = .made(signal: 6, code: 0, sender: 1)
    #expect(Death(of: record) == nil)
    record.crash = .made(signal: 11, code: 1)
    #expect(Death(of: record)?.cause == .fault(signal: 11) && Death(of: record)?.suspect?.id == 1)
  }

  @Test(
    "A run that recorded a standstill hangs, however it ended; its blamed deck is the suspect, even if it plays"
  )
  func standstill() {
    var record = CrashRecord.made([.made(1, .playing, since: 1000), .made(2, .ready)])
    record.alive = .seconds(1010)
    record.standstill = CrashRecord.Standstill(since: .seconds(1010), deck: 1)
    for crash in [CrashRecord.Crash.made(signal: 6, code: 0, sender: 1), nil] {
      record.crash = crash
      #expect(Death(of: record)?.cause == .hang && Death(of: record)?.suspect?.id == 1)
      #expect(Death(of: record)?.isDoubtful == false)
      #expect(LastPlace.all(of: record, after: Death(of: record)).first?.isToBeLeft == true)
    }
    // No item is to blame for the output.
    record.standstill?.deck = nil
    record.decks = [.made(1, .playing), .made(2, .building)]
    #expect(Death(of: record)?.cause == .hang && Death(of: record)?.suspect == nil)
    // A fault of the run's own stays a fault.
    record.crash = .made(signal: 11, code: 1, deck: 2)
    #expect(Death(of: record)?.cause == .fault(signal: 11))
  }

  @Test("A crash without a record within a call into a screen's driver blames no item")
  func wordlessInDriver() {
    var record = CrashRecord.made([.made(1, .playing, since: 1001), .made(2, .building, since: 1002)])
    record.alive = .seconds(1003)
    #expect(Death(of: record)?.suspect?.id == 2)
    record.call = CrashRecord.Call(name: "the screen is opened", since: .seconds(1003))
    #expect(Death(of: record)?.cause == .unknown && Death(of: record)?.suspect == nil)
    record.memoryKills = 3
    #expect(Death(of: record, memoryKills: 4)?.suspect == nil)
  }

  @Test("Without a record, an unfinished or new step is blamed with doubt; for lack of memory, without doubt")
  func withoutWord() throws {
    var record = CrashRecord.made([.made(1, .playing, since: 1001), .made(2, .building, since: 1002)])
    record.alive = .seconds(1003)
    #expect(Death(of: record)?.suspect?.id == 2)
    // A doubtful cause is no reason to begin with another item.
    record.decks = [.made(1, .playing, since: 1001)]
    let death = try #require(Death(of: record))
    #expect(death.suspect?.id == 1 && LastPlace.all(of: record, after: death).first?.isToBeLeft == false)
    record.alive = .seconds(1050)
    #expect(Death(of: record)?.suspect == nil)
    record.memoryKills = 3
    #expect(Death(of: record, memoryKills: 3)?.cause == .unknown)
    let memory = try #require(Death(of: record, memoryKills: 4))
    #expect(memory.cause == .memory && memory.suspect?.id == 1 && !memory.isDoubtful && memory.signal == 9)
    #expect(CrashLoop.counts(memory) && LastPlace.all(of: record, after: memory).first?.isToBeLeft == true)
    // A deck that has played for long hasn't taken all the memory.
    record.alive = .seconds(1100)
    #expect(Death(of: record, memoryKills: 4)?.cause == .memory && Death(of: record, memoryKills: 4)?.suspect == nil)
    record.decks.append(.made(2, .building, since: 1040))
    #expect(Death(of: record, memoryKills: 4)?.suspect?.id == 2)
    // The kernel doesn't report the kills.
    record.memoryKills = nil
    #expect(Death(of: record, memoryKills: 4)?.cause == .unknown)
  }

  @Test("An address too long for a record differs from others with the same beginning, and is found in a list")
  func longAddress() {
    let head = "https://cdn.example/film.mp4?signature=" + String(repeating: "ü", count: 3000)
    let (one, two) = (CrashRecord.address(head + "1"), CrashRecord.address(head + "2"))
    #expect(one != two && one.utf8.count <= 4095 && CrashRecord.address(one) == one && one.hasPrefix("https://cdn"))
    #expect(!one.contains("\u{FFFD}"))
    let short = String(repeating: "x", count: 4095)
    #expect(CrashRecord.address(short) == short)
    let queue = PlayQueue(["1", "2"].map { MediaItem(uri: head + $0, kind: .progressive) })
    #expect(LastPlace(screen: "", number: nil, uri: two, position: .zero).index(in: queue) == 1)
    var quarantine = Quarantine()
    for time in [1, 2] as [Int64] { quarantine.died(of: Quarantine.Subject(uri: two), signal: 11, at: time) }
    let (isKnown, isOtherKnown) = (quarantine.knows(head + "2", sha256: nil), quarantine.knows(head + "1", sha256: nil))
    let isForgiven = quarantine.forgive(head + "2")
    #expect(isKnown && !isOtherKnown && isForgiven)
  }

  @Test("The watchdog's signal is a hang only after a silence of the loop; only an unfinished step is blamed")
  func hang() {
    var record = CrashRecord.made([.made(1, .playing), .made(2, .building)])
    record.crash = .made(signal: 6, code: 0, sender: 1)
    record.alive = .seconds(1009)
    #expect(Death(of: record)?.cause == .signalled(6))
    record.alive = .seconds(1001)
    #expect(Death(of: record)?.cause == .hang && Death(of: record)?.suspect?.id == 2)
    record.decks = [.made(1, .playing)]
    #expect(Death(of: record)?.cause == .hang && Death(of: record)?.suspect == nil)
  }

  @Test("The thread gives the blamed deck: by its own record, else by the name of its element")
  func threads() {
    var record = CrashRecord.made([
      .made(1, .playing, elements: ["multiqueue0", "avdec_h264-0"]),
      .made(2, .ready, elements: ["multiqueue1", "avdec_h264-1"]),
    ])
    record.crash = .made(signal: 11, code: 1, deck: 2, thread: "multiqueue0:src")
    #expect(Death(of: record)?.suspect?.id == 2)
    record.crash = .made(signal: 11, code: 1, thread: "multiqueue1:src")
    #expect(Death(of: record)?.suspect?.id == 2)
    record.crash = .made(signal: 11, code: 1, deck: 9, thread: "vitrine-loop")
    #expect(Death(of: record)?.suspect?.id == 1)
  }

  @Test("For an unknown thread, the newest unfinished step is blamed; else the playing deck")
  func steps() {
    var record = CrashRecord.made([.made(1, .playing, since: 1009), .made(2, .building, since: 1005)])
    record.crash = .made(signal: 11, code: 1)
    #expect(Death(of: record)?.suspect?.id == 2)
    record.decks.append(.made(3, .leaving, since: 1006))
    #expect(Death(of: record)?.suspect?.id == 3)
    record.decks = [.made(1, .playing), .made(2, .ready)]
    #expect(Death(of: record)?.suspect?.id == 1)
    record.decks = [.made(2, .ready)]
    #expect(Death(of: record)?.suspect == nil)
  }

  @Test("A run goes on at its place; the blamed item is skipped, unless it was only being prepared")
  func resume() throws {
    var record = CrashRecord.made([.made(1, .playing), .made(2, .building), .made(5, .playing, screen: "left")])
    record.crash = .made(signal: 11, code: 1)
    let points = LastPlace.all(of: record, after: Death(of: record))
    #expect(points.map(\.screen) == ["", "left"] && points.map(\.uri) == ["file:///1.mp4", "file:///5.mp4"])
    #expect(points.allSatisfy { !$0.isToBeLeft && $0.position == .seconds(7) })
    record.crash = .made(signal: 11, code: 1, deck: 1)
    #expect(LastPlace.all(of: record, after: Death(of: record)).first?.isToBeLeft == true)
    // A place in a list that has changed since.
    let queue = PlayQueue(["file:///0.mp4", "file:///1.mp4"].map { MediaItem(uri: $0, kind: .file) })
    #expect(points.first?.index(in: queue) == 1)
    #expect(LastPlace(screen: "", number: 1, uri: "file:///9.mp4", position: .zero).index(in: queue) == nil)
  }

  @Test("Bytes that aren't a record of this version are refused; any other bytes do no harm")
  func bytes() {
    #expect(CrashRecord([]) == nil && CrashRecord(Array(CrashRecord.bytes().dropLast())) == nil)
    var other = CrashRecord.bytes()
    other[8] = 1
    #expect(CrashRecord(other) == nil)
    var random = SplitMix64(state: 1)
    for _ in 0..<50 {
      var bytes = CrashRecord.bytes()
      for index in 16..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
      guard let record = CrashRecord(bytes) else { continue }
      let death = Death(of: record)
      _ = LastPlace.all(of: record, after: death)
      if let death {
        let text = CrashReport(record, death, modules: [], foundAt: 0).text
        #expect(text.utf8.count < 200_000 && !text.contains("\0"))
      }
    }
  }

  @Test("A hang in a screen's driver blames no item; a call that has just begun doesn't count")
  func driver() throws {
    var record = CrashRecord.made([.made(1, .playing), .made(2, .building)])
    record.alive = .seconds(1009)
    record.crash = .made(signal: 6, code: 0, sender: 1)
    record.call = CrashRecord.Call(name: "the screen is opened", since: .seconds(1005))
    let death = try #require(Death(of: record))
    #expect(death.cause == .hang && death.suspect == nil && death.text.contains("(the screen is opened)"))
    #expect(CrashLoop.counts(death))
    record.call?.since = .seconds(1009)
    #expect(Death(of: record)?.call == nil && Death(of: record)?.cause == .signalled(6))
  }
}

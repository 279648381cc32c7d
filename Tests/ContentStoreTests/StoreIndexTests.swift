import ContentStore
import Foundation
import PlaybackCore
import Testing

@Suite("The store's index")
struct StoreIndexTests {
  private var index: StoreIndex {
    var index = StoreIndex()
    index.generation = 7
    index.nextNumber = 12
    index.files = [
      StoredFile(
        name: "3.mp4", uri: "https://host/a%20b.mp4?x=1#y", isComplete: true, got: 5, length: 5, etag: "W/\"a = b\"",
        lastModified: "Sat, 21 Nov 2026 10:00:00 GMT", sha256: String(repeating: "a", count: 64), lastPlayed: 9),
      StoredFile(name: "11.bin", uri: "http://host/-", got: 70),
    ]
    return index
  }

  @Test("An index that is written is read back")
  func roundTrip() { #expect(StoreIndex(text: index.text) == index) }

  @Test("The store refuses an index that was cut anywhere or differs in a bit")
  func damage() {
    let text = index.text
    for end in text.indices { #expect(StoreIndex(text: String(text[..<end])) == nil, "cut: \(text[..<end].count)") }
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        #expect(StoreIndex(text: String(decoding: damaged, as: UTF8.self)) == nil, "byte \(place), bit \(bit)")
      }
    }
    let wrong = [
      ("vitrine store 2", "vitrine store 3"), ("3.mp4", "../3.mp4"), ("3.mp4", ".mp4"), ("11.bin", "3.mp4"),
      ("11.bin", "11.part"), ("\t70\t", "\t-70\t"), ("whole", "hole"), ("3.mp4", "index"),
    ]
    for (old, new) in wrong {
      #expect(StoreIndex(text: Self.sealed(text.replacing(old, with: new))) == nil, "\(old) -> \(new)")
    }
    #expect(StoreIndex(text: Self.sealed(text)) == index)
    for number in ["9223372036854775807", "1152921504606846977", "-1"] {
      #expect(StoreIndex(text: Self.sealed(text.replacing("\t12\n", with: "\t\(number)\n"))) == nil, "\(number)")
    }
  }

  /// Replaces the checksum by that of the changed lines.
  private static func sealed(_ text: String) -> String {
    let body = text[..<(text.range(of: "end\t", options: .backwards)?.lowerBound ?? text.endIndex)]
    return body + "end\t" + String(CRC32.checksum(of: body.utf8), radix: 16) + "\n"
  }

  @Test("The newer index counts, the older one when the newer is damaged; an earlier version's is read too")
  func generations() {
    var older = index
    older.generation = 6
    older.files = []
    #expect(StoreIndex.newest(of: [older.text, index.text]) == index)
    #expect(StoreIndex.newest(of: [SimulatedWorld.damaged(index.text) ?? "", older.text]) == older)
    #expect(StoreIndex.newest(of: ["", "x"]) == nil)
    let old = "vitrine store 1\t4\nwhole\t3.mp4\t5\t5\t0\t-\t-\t-\thttp://h/a.mp4\nend\n"
    #expect(StoreIndex(text: old)?.nextNumber == 4 && StoreIndex(text: old)?.files.map(\.name) == ["3.mp4"])
    #expect(StoreIndex.newest(of: [old, older.text]) == older)
  }

  @Test("A record describes its copy, and is refused when a byte of it has changed")
  func record() {
    let record = StoreRecord(index.files[0])
    #expect(StoreRecord(text: record.text) == record)
    #expect(StoreRecord(text: SimulatedWorld.damaged(record.text) ?? "") == nil && StoreRecord(text: index.text) == nil)
  }
}

@Suite("The store after a start")
struct StoreRecoveryTests {
  private func start(_ files: [StoredFile], sizes: [String: Int64]) -> (StoreMachine, [StoreAction]) {
    var index = StoreIndex()
    index.nextNumber = 5
    index.files = files
    var machine = StoreMachine(settings: StoreSettings(), seed: 0)
    var actions = machine.handle(
      .opened(StoreFound(index: index, sizes: sizes, free: .max)), at: Instant(nanoseconds: 0))
    actions += machine.handle(.wanted([WantedFile(uri: "http://h/a.mp4")]), at: Instant(nanoseconds: 0))
    return (machine, actions)
  }

  private func file(_ name: String, whole: Bool, got: Int64, length: Int64? = 100) -> StoredFile {
    StoredFile(name: name, uri: "http://h/a.mp4", isComplete: whole, got: got, length: length, etag: "\"e\"")
  }

  @Test("A complete file is offered; one of another size than its index entry is removed")
  func whole() {
    #expect(
      start([file("1.mp4", whole: true, got: 100)], sizes: ["1.mp4": 100]).0.copies == ["http://h/a.mp4": "1.mp4"])
    #expect(start([file("1.mp4", whole: true, got: 100)], sizes: [:]).0.copies.isEmpty)
    let (machine, actions) = start([file("1.mp4", whole: true, got: 100)], sizes: ["1.mp4": 60])
    #expect(machine.copies.isEmpty && actions.contains(.remove(name: "1.mp4")))
  }

  @Test("A partial file continues from its last checkpoint, and isn't offered")
  func partial() throws {
    let (machine, actions) = start([file("1.mp4", whole: false, got: 40)], sizes: ["1.mp4.part": 55])
    #expect(machine.copies.isEmpty)
    #expect(
      actions.contains(.request(StoreRequest(transfer: 1, uri: "http://h/a.mp4", from: 40, onlyOf: "\"e\""))))
    #expect(!actions.contains(.remove(name: "1.mp4.part")))
  }

  @Test("The store removes a partial file that is shorter than its checkpoint, or that the index doesn't name")
  func rests() {
    #expect(
      start([file("1.mp4", whole: false, got: 40)], sizes: ["1.mp4.part": 39]).1.contains(.remove(name: "1.mp4.part")))
    let (machine, actions) = start([], sizes: ["9.mp4.part": 10])
    #expect(machine.copies.isEmpty && actions.contains(.remove(name: "9.mp4.part")))
  }

  @Test("A file that got its final name just before the end counts as complete, unless its length is unknown")
  func renamed() {
    #expect(
      start([file("1.mp4", whole: false, got: 40)], sizes: ["1.mp4": 100]).0.copies == ["http://h/a.mp4": "1.mp4"])
    #expect(start([file("1.mp4", whole: false, got: 40)], sizes: ["1.mp4": 90]).0.copies.isEmpty)
    #expect(start([file("1.mp4", whole: false, got: 40, length: nil)], sizes: ["1.mp4": 90]).0.copies.isEmpty)
  }

  @Test("The store offers the later of two versions, and removes the earlier one")
  func versions() {
    let files = [file("1.mp4", whole: true, got: 100), file("4.mp4", whole: true, got: 100)]
    let (machine, actions) = start(files, sizes: ["1.mp4": 100, "4.mp4": 100])
    #expect(machine.copies == ["http://h/a.mp4": "4.mp4"] && actions.contains(.remove(name: "1.mp4")))
  }
}

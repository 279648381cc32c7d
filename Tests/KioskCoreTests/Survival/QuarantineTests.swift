import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Quarantine of items that crash the process")
struct QuarantineTests {
  private let film = Quarantine.Subject(uri: "file:///films/a b.mp4", size: 1000, modified: 5)
  private let day: Int64 = 24 * 3600

  @Test("An item plays after one crash; after the second it is left out, with an error that has number and signal")
  func twice() throws {
    var quarantine = Quarantine()
    let entry1 = quarantine.died(of: film, signal: 11, at: 100)
    #expect(!entry1.isHeld)
    let held5 = quarantine.holds(film, at: 101)
    #expect(held5 == nil)
    quarantine.died(of: film, signal: 6, at: 200)
    let found = quarantine.holds(film, at: 201)
    let held = try #require(found)
    #expect(
      held.error.number == 3040 && held.error.message.contains("2 times") && held.error.message.contains("SIGABRT"))
    #expect(quarantine.knows(film.uri, sha256: nil) && !quarantine.knows("file:///films/other.mp4", sha256: nil))
  }

  @Test("Doubtful crashes count less: four of them hold an item, or two certain ones among them")
  func doubtful() throws {
    var quarantine = Quarantine()
    for time in [1, 2, 3] as [Int64] {
      let entry = quarantine.died(of: film, signal: 0, isDoubtful: true, at: time)
      #expect(!entry.isHeld)
    }
    let isSame = Quarantine(text: quarantine.text) == quarantine
    #expect(isSame)
    let last = quarantine.died(of: film, signal: 0, isDoubtful: true, at: 4)
    #expect(last.isHeld && last.error.message.contains("without a word"))
    var other = Quarantine()
    other.died(of: film, signal: 11, at: 1)
    let second = other.died(of: film, signal: 0, isDoubtful: true, at: 2)
    let certain = other.died(of: film, signal: 11, at: 3)
    #expect(!second.isHeld && certain.isHeld)
    // Played to its end in between, the item isn't suspected.
    var killed = Quarantine()
    for time in 1...10 as ClosedRange<Int64> {
      let entry = killed.died(of: film, signal: 0, isDoubtful: true, at: time)
      #expect(!entry.isHeld)
      if time % 2 == 0 { _ = killed.played(film.uri) }
    }
  }

  @Test("Hanging pipelines count like crashes, are reported as hangs, and are cleared before a reboot")
  func hangs() {
    var quarantine = Quarantine()
    let first = quarantine.died(of: film, signal: 0, hasHung: true, at: 1)
    let second = quarantine.died(of: film, signal: 0, hasHung: true, at: 2)
    #expect(!first.isHeld && second.isHeld)
    #expect(second.error.number == 3040 && second.error.message.contains("its pipeline hung"))
    let other = Quarantine.Subject(uri: "file:///films/b.mp4")
    for time in [3, 4] as [Int64] { quarantine.died(of: other, signal: 11, at: time) }
    #expect(quarantine.text.contains("held 2 hung 2 "))
    let isSame = Quarantine(text: quarantine.text) == quarantine
    #expect(isSame)
    let hasForgiven = quarantine.forgiveHangs()
    #expect(hasForgiven && quarantine.held.map(\.subject) == [other])
    let forgivesMore = quarantine.forgiveHangs()
    #expect(!forgivesMore)
    // An item that hangs and then crashes the process is reported by the latter.
    var mixed = Quarantine()
    mixed.died(of: film, signal: 0, hasHung: true, at: 1)
    let dead = mixed.died(of: film, signal: 11, at: 2)
    #expect(dead.isHeld && dead.error.message.contains("SIGSEGV"))
  }

  @Test("Other bytes under the same address are another item")
  func changedBytes() {
    var quarantine = Quarantine()
    for time in [100, 200] as [Int64] { quarantine.died(of: film, signal: 11, at: time) }
    var changed = film
    changed.modified = 6
    let held6 = quarantine.holds(changed, at: 300)
    #expect(held6 == nil)
    #expect(quarantine.entries.isEmpty)
    // An item with one crash and other bytes starts again, too.
    quarantine.died(of: film, signal: 11, at: 400)
    let entry2 = quarantine.died(of: changed, signal: 11, at: 500)
    #expect(!entry2.isHeld)
  }

  @Test("The same content under another address is the same item")
  func content() {
    let (one, two) = (
      Quarantine.Subject(uri: "file:///store/1.a", sha256: "abc", size: 7),
      Quarantine.Subject(uri: "file:///store/2.b", sha256: "abc", size: 7)
    )
    var quarantine = Quarantine()
    quarantine.died(of: one, signal: 11, at: 1)
    quarantine.died(of: two, signal: 11, at: 2)
    let held7 = quarantine.holds(one, at: 3)
    #expect(held7?.deaths == 2)
    #expect(quarantine.knows("file:///store/3.c", sha256: "abc"))
  }

  @Test("After a day a held item is tried again, and one more crash holds it again")
  func patience() {
    var quarantine = Quarantine()
    for time in [100, 200] as [Int64] { quarantine.died(of: film, signal: 11, at: time) }
    let held8 = quarantine.holds(film, at: 199 + day)
    #expect(held8 != nil)
    let held9 = quarantine.holds(film, at: 200 + day)
    #expect(held9 == nil)
    let entry3 = quarantine.died(of: film, signal: 11, at: 300 + day)
    #expect(entry3.isHeld)
  }

  @Test("A clock that is set back doesn't hold an item for years")
  func clock() {
    var quarantine = Quarantine()
    for time in [1_900_000_000, 1_900_000_001] as [Int64] { quarantine.died(of: film, signal: 11, at: time) }
    let held10 = quarantine.holds(film, at: 1_700_000_000)
    #expect(held10 != nil)
    let held11 = quarantine.holds(film, at: 1_700_000_000 + day)
    #expect(held11 == nil)
  }

  @Test("A suspect played to its end is cleared; a held item stays held until it is released")
  func absolution() {
    var quarantine = Quarantine()
    quarantine.died(of: film, signal: 11, at: 1)
    let isAbsolved = quarantine.played(film.uri)
    #expect(isAbsolved)
    let entry4 = quarantine.died(of: film, signal: 11, at: 2)
    #expect(!entry4.isHeld)
    quarantine.died(of: film, signal: 11, at: 3)
    let (isFree, held) = (quarantine.played(film.uri), quarantine.holds(film, at: 4))
    #expect(!isFree && held != nil)
    let (other, own) = (quarantine.forgive("file:///films/other.mp4"), quarantine.forgive(film.uri))
    #expect(!other && own)
    let held12 = quarantine.holds(film, at: 5)
    #expect(held12 == nil)
  }

  @Test("An item can be released by its redacted address")
  func told() {
    let film = Quarantine.Subject(uri: "https://kiosk:secret@host/film.mp4")
    var quarantine = Quarantine()
    for time in 1...3 as ClosedRange<Int64> { quarantine.died(of: film, signal: 11, at: time) }
    let told = film.toldURI
    #expect(!told.contains("secret"))
    let isForgiven = quarantine.forgive(told)
    #expect(isForgiven && quarantine.holds(film, at: 5) == nil)
  }

  @Test("Reading gives what was written, with any characters in addresses, and up to a limit")
  func file() {
    var quarantine = Quarantine()
    for number in 0..<100 {
      quarantine.died(of: Quarantine.Subject(uri: "file:///\(number) \\ \n ü"), signal: 11, at: Int64(number))
    }
    quarantine.died(of: Quarantine.Subject(uri: "http://host/x?a=1", sha256: "ff"), signal: 7, at: 5)
    #expect(quarantine.entries.count == 64)
    let isSame = Quarantine(text: quarantine.text) == quarantine
    #expect(isSame)
  }

  @Test(
    "A damaged file does no harm",
    arguments: [
      "", "held", "held 2 11 5 - - - ", "held x 11 5 - - - a", "held 2 11 5 - - - a b", "held -3 11 5 - - - a",
      "gone 2 11 5 - - - a", "held 2 99 5 - - - a",
      "held 2/3 11 5 - - - a", "held 2/ 11 5 - - - a", "held 2/1/1 11 5 - - - a",
      "held 9999999999999999999 11 5 - - - a",
    ])
  func damage(text: String) { #expect(Quarantine(text: text).entries.isEmpty) }
}

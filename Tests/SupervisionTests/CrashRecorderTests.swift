import FileSystem
import Foundation
import KioskCore
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import Supervision

/// A process has one record, into which other suites' decks write, too. So each test that opens it has a process of its own.
@Suite("The next run reads what a run has recorded")
struct CrashRecorderTests {
  private static func deck(_ number: UInt32) -> DeckID { DeckID(generation: number) }

  @Test("The record keeps steps, places, elements and the log; a run without a recorded end counts as crashed")
  func roundTrip() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      #expect(CrashRecorder.earlier(in: folder.url.path) == nil)
      #expect(CrashRecorder.open(in: folder.url.path, program: "vitrine 9", catchesSignals: false) == nil)
      CrashRecorder.isAlive()
      CrashRecorder.deckOpens(
        Self.deck(1), screen: "", number: 3, uri: "file:///copy", listed: "http://host/a", sha256: "ab",
        position: .seconds(4))
      CrashRecorder.deckOpens(
        Self.deck(1), screen: "left", number: nil, uri: "file:///b", listed: "file:///b", sha256: nil, position: .zero)
      CrashRecorder.deck(Self.deck(1), screen: "", begins: .playing)
      CrashRecorder.deck(Self.deck(1), screen: "", isAt: .seconds(9))
      CrashRecorder.log(Array("one\ntwo".utf8))
      CrashRecorder.log(Array("three".utf8))
      #expect(!CrashRecorder.hasShownFrame)
      CrashRecorder.hasShown()
      let record = try #require(CrashRecorder.earlier(in: folder.url.path))
      #expect(record.program == "vitrine 9" && record.end == .none && record.firstFrame != nil && record.alive != nil)
      #expect(record.crash == nil && record.log == ["one two", "three"])
      #expect(record.decks.map(\.screen) == ["", "left"])
      let first = try #require(record.decks.first)
      #expect(first.step == .playing && first.number == 3 && first.position == .seconds(9) && first.sha256 == "ab")
      #expect(first.uri == "file:///copy" && first.listed == "http://host/a")
      #expect(record.decks.last?.step == .building && record.decks.last?.number == nil)
      #expect(record.standstill == nil && record.memoryKills == CrashRecorder.memoryKills && record.memoryKills != nil)
      CrashRecorder.standsStill(with: Self.deck(1))
      // The first blame stays.
      CrashRecorder.standsStill(with: nil)
      let stuck = try #require(CrashRecorder.earlier(in: folder.url.path))
      #expect(stuck.standstill?.deck == 1 && Death(of: stuck)?.suspect?.listed == "http://host/a")
      CrashRecorder.goesOn()
      #expect(CrashRecorder.earlier(in: folder.url.path)?.standstill == nil)
      CrashRecorder.ends(.asked)
      #expect(CrashRecorder.earlier(in: folder.url.path)?.end == .asked)
      #expect(Death(of: record)?.cause == .unknown)
      CrashRecorder.begins(call: "the screen is opened")
      #expect(CrashRecorder.earlier(in: folder.url.path)?.call?.name == "the screen is opened")
      CrashRecorder.callIsOver()
      #expect(CrashRecorder.earlier(in: folder.url.path)?.call == nil)
      CrashRecorder.deckGoes(Self.deck(1), screen: "")
      CrashRecorder.ends(.clean)
      let ended = try #require(CrashRecorder.earlier(in: folder.url.path))
      #expect(ended.decks.map(\.screen) == ["left"] && Death(of: ended) == nil)
    }
  }

  @Test("With too many decks, the oldest is dropped; with too much log, the newest lines stay")
  func bounds() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      #expect(CrashRecorder.open(in: folder.url.path, program: "", catchesSignals: false) == nil)
      // Signed addresses have a thousand characters and more.
      let signed = "https://host/film?" + String(repeating: "s", count: 3000)
      CrashRecorder.deckOpens(
        Self.deck(99), screen: "", number: 1, uri: signed, listed: signed, sha256: nil, position: .zero)
      #expect(CrashRecorder.earlier(in: folder.url.path)?.decks.first?.uri == signed)
      let long = String(repeating: "x", count: 5000)
      for number in 1...20 as ClosedRange<UInt32> {
        CrashRecorder.deckOpens(
          Self.deck(number), screen: "", number: 1, uri: long, listed: long, sha256: long, position: .zero)
        CrashRecorder.log(Array("\(number) \(long)".utf8))
      }
      for number in 1...3000 { CrashRecorder.log(Array("line \(number)".utf8)) }
      let record = try #require(CrashRecorder.earlier(in: folder.url.path))
      #expect(record.decks.count == 6 && record.decks.contains { $0.id == 20 })
      #expect(
        record.decks.allSatisfy { $0.uri == CrashRecord.address(long) && $0.listed == $0.uri && $0.step == .building })
      #expect(record.log.last == "line 3000" && record.log.count > 1000)
      #expect(record.log.allSatisfy { $0.hasPrefix("line ") })
    }
  }

  @Test("A folder that can't be written is reported, and later calls do nothing")
  func noFolder() throws {
    let error = try #require(CrashRecorder.open(in: "/proc/nowhere", program: "", catchesSignals: false))
    #expect(error.number == 7511)
    CrashRecorder.deckOpens(Self.deck(1), screen: "", number: 1, uri: "a", listed: "a", sha256: nil, position: .zero)
    CrashRecorder.log([0x61])
    CrashRecorder.ends(.clean)
  }

  @Test("Reports, quarantine and the count of deaths are kept in their folders")
  func folders() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      let place = CrashHistoryFolder(state: folder.url.path, runtime: folder.url.path)
      #expect(place.lastReport() == nil && place.quarantine().entries.isEmpty)
      #expect(CrashRecorder.open(in: folder.url.path, program: "vitrine 9", catchesSignals: false) == nil)
      let record = try #require(CrashRecorder.earlier(in: folder.url.path))
      let death = try #require(Death(of: record))
      let written = (0..<8).compactMap { number -> String? in
        var other = record
        other.pid = Int32(100 + number)
        return place.write(other, death, at: 2_000_000_000)
      }
      // The files' times differ from those of these deaths, so none counts as late.
      #expect(written.count == 8 && place.lastReport()?.path == written.last)
      var quarantine = Quarantine()
      quarantine.died(of: Quarantine.Subject(uri: "file:///a"), signal: 11, at: 1)
      #expect(place.keep(quarantine) && place.quarantine() == quarantine)
      var loop = CrashLoop()
      loop.began(after: death, at: 7)
      #expect(place.keep(loop) && place.crashLoop() == loop)
    }
  }

  @Test("A file's size and time identify its bytes; the address may have blanks")
  func subject() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("abc", as: "a film.mp4")
    let uri = MediaItem(uri: path, kind: .file).uri
    let subject = Quarantine.Subject(uri, from: uri, sha256: nil)
    #expect(subject.size == 3 && subject.modified != nil)
    #expect(Quarantine.Subject("http://host/a", from: "http://host/a", sha256: "x").size == nil)
    // A copy is known by the address of its original.
    let copy = Quarantine.Subject("http://host/a", from: uri, sha256: "x")
    #expect(copy.uri == "http://host/a" && copy.size == 3)
  }

  @Test("A medium that doesn't answer causes no wait, and its known size and time stay")
  func deadMedium() {
    // The lookup doesn't return during the test.
    let gate = Alarm()
    defer { gate.wake() }
    func subject(_ known: Quarantine) -> Quarantine.Subject {
      let uri = "file:///dead/a.mp4"
      return Quarantine.Subject(uri, from: uri, sha256: nil, known: known, patience: .milliseconds(50)) { _ in
        gate.sleep(until: nil)
        return (9, 9)
      }
    }
    var quarantine = Quarantine()
    #expect(subject(quarantine) == Quarantine.Subject(uri: "file:///dead/a.mp4"))
    let film = Quarantine.Subject(uri: "file:///dead/a.mp4", size: 3, modified: 4)
    for time in [1, 2] as [Int64] { quarantine.died(of: film, signal: 11, at: time) }
    let again = subject(quarantine)
    let entry = quarantine.holds(again, at: 3)
    #expect(again == film && entry != nil)
  }
}

import JSONText
import PlaybackCore
import Testing

@testable import KioskCore
@testable import TelemetryCore

@Suite("Proof of play")
struct PlayLogTests {
  private let start = Instant(nanoseconds: 5_000_000_000)

  private func entry(
    _ name: String = "a", at: Int64 = 1_795_000_000_000, _ change: (inout PlayEntry) -> Void = { _ in }
  )
    -> PlayEntry
  {
    var item = PlayedItem(uri: "file:///\(name).mp4", title: "Film \(name)", number: 3, list: "main", screen: "left")
    item.sha256 = String(repeating: "ab", count: 32)
    item.copy = "file:///var/lib/vitrine/store/x"
    var entry = PlayEntry(item, start: at, end: at + 10_000, seconds: 10, ending: .end, isClockGood: true)
    (entry.frames, entry.dropped, entry.monotonic) = (250, 1, 12.5)
    change(&entry)
    return entry
  }

  // MARK: When it is written

  @Test("The log is written at most once a minute, and not when nothing has ended")
  func wear() {
    var log = PlayLog()
    #expect(log.due == nil && log.beginWrite(at: start).isEmpty)
    var writes: [Instant] = []
    for second in 0..<3600 {
      let now = start + .seconds(second)
      // Half an hour of short items, then a picture of an hour.
      if second < 1800, second % 4 == 0 { log.add(entry(at: Int64(second)), at: now) }
      if !log.beginWrite(at: now).isEmpty {
        writes.append(now)
        log.wrote(true, at: now)
      }
    }
    #expect(writes.count <= 30 && writes.count >= 28 && log.pending.isEmpty)
    #expect(zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= PlayLog.interval })
  }

  @Test("Entries of a failed write are kept up to a limit, reported once, and written later")
  func full() {
    var log = PlayLog()
    var told = 0
    var now = start
    for number in 0..<1500 {
      log.add(entry("\(number)"), at: now)
      now = now + .seconds(2)
      if !log.beginWrite(at: now).isEmpty, log.wrote(false, at: now) { told += 1 }
    }
    #expect(told == 1)
    #expect(log.pending.count == PlayLog.limit && log.lost == 500)
    #expect(log.pending.last?.item.uri == "file:///1499.mp4")
    let all = log.beginWrite(at: now + .seconds(60))
    #expect(all.count == PlayLog.limit)
    // An entry that ends during a write isn't lost.
    log.add(entry("late"), at: now + .seconds(61))
    log.wrote(true, at: now + .seconds(62))
    #expect(log.pending.map(\.item.uri) == ["file:///late.mp4"])
    #expect(log.beginWrite(at: now + .seconds(62), isLast: true).count == 1)
  }

  @Test("An item that can't be played gives one line with its tries")
  func folded() {
    var log = PlayLog()
    let failed = entry { ($0.ending, $0.frames, $0.error, $0.seconds) = (.failed, 0, 3001, 0) }
    for second in 0..<5 { log.add(failed, at: start + .seconds(second)) }
    #expect(log.pending.map(\.tries) == [5])
    _ = log.beginWrite(at: start + .seconds(60))
    log.add(failed, at: start + .seconds(60))
    #expect(log.pending.map(\.tries) == [5, 1], "what is being written stays as it is")
  }

  // MARK: As text

  @Test("A line reads back as it was written")
  func lines() {
    let entries = [
      entry(), entry { ($0.ending, $0.error, $0.tries, $0.isClockGood) = (.failed, 3001, 4, false) },
      entry { ($0.frames, $0.dropped, $0.monotonic, $0.ending) = (nil, nil, nil, .died) },
      entry { $0.item = PlayedItem(uri: "https://a/b?c=\"d\"\n", title: "ÄÖ,\t\u{1F3AC}") },
    ]
    for one in entries {
      let line = one.line
      #expect(!line.utf8.contains(0x0A))
      #expect(PlayEntry(line: Array(line.utf8)) == one)
    }
    #expect(
      entry().line
        == "{\"start\":\"2026-11-18T11:06:40.000Z\",\"end\":\"2026-11-18T11:06:50.000Z\",\"seconds\":10,"
        + "\"item\":\"file:///a.mp4\",\"title\":\"Film a\",\"number\":3,\"list\":\"main\",\"screen\":\"left\","
        + "\"copy\":\"file:///var/lib/vitrine/store/x\",\"sha256\":\"\(String(repeating: "ab", count: 32))\","
        + "\"frames\":250,\"dropped\":1,\"why\":\"end\",\"monotonic\":12.5}")
  }

  @Test(
    "A line that the player can't have written is refused",
    arguments: [
      "", "{}", "[]", "null", "{\"start\":1}", "{\"start\":\"2026-02-31T00:00:00Z\"}",
      "{\"start\":\"2026-11-18T11:06:40Z\",\"end\":\"2026-11-18T11:06:40Z\",\"seconds\":-1,\"item\":\"a\",\"why\":\"end\"}",
      "{\"start\":\"2026-11-18T11:06:40Z\",\"end\":\"2026-11-18T11:06:40Z\",\"seconds\":1,\"item\":\"a\",\"why\":\"never\"}",
    ])
  func noLines(text: String) { #expect(PlayEntry(line: Array(text.utf8)) == nil) }

  @Test("An entry has no password of its address")
  func redacted() {
    let item = PlayedItem(uri: "https://me:secret@example.org/a.mp4?token=secret")
    #expect(!item.uri.contains("secret"))
  }

  // MARK: Torn

  @Test("A log cut at any byte keeps its whole lines, and loses the torn one")
  func torn() {
    let lines = (0..<4).map { entry("\($0)").line + "\n" }
    let text = Array(lines.joined().utf8)
    let ends = lines.indices.map { lines[...$0].joined().utf8.count }
    for cut in 0...text.count {
      let bytes = Array(text.prefix(cut))
      let whole = ends.last { $0 <= cut } ?? 0
      #expect(PlayTail(bytes, size: Int64(cut)) == .whole(Int64(whole)), "cut at \(cut)")
      var reader = PlayReader()
      #expect(reader.read(bytes).count == ends.count { $0 <= cut })
      // A file system may have stored the length without the data.
      let zeroes = bytes + [UInt8](repeating: 0, count: 300)
      #expect(PlayTail(zeroes, size: Int64(zeroes.count)) == .whole(Int64(whole)), "zeroes after \(cut)")
    }
  }

  @Test("A file that isn't a log isn't cut")
  func foreign() {
    let text = Array("a letter to my mother\n".utf8)
    #expect(PlayTail(text, size: Int64(text.count)) == .foreign)
    let long = [UInt8](repeating: 0x78, count: PlayTail.looksAt)
    #expect(PlayTail(long, size: Int64(long.count) * 5) == .foreign)
  }

  @Test("An unreadable line counts as whole when it has an end and no zeroes")
  func unreadable() {
    let ours = entry().line + "\n"
    let later = ours.replacing("\"why\":\"end\"", with: "\"why\":\"advertised\"")
    let long = "{\"start\":\"\(String(repeating: "x", count: PlayEntry.longestLine))\"}\n"
    for line in [later, "the screen was changed today\n", long, "\n"] {
      for torn in ["", "{\"st", "\0\0\0", "\0\0\0\n", "{\"st\0\0\n\0"] {
        let whole = Array((ours + line).utf8)
        let bytes = whole + Array(torn.utf8)
        #expect(PlayTail(bytes, size: Int64(bytes.count)) == .whole(Int64(whole.count)), "\(line.prefix(30)) \(torn)")
      }
    }
  }

  @Test("A line that would be too long is shortened, and can still be read")
  func tooLong() throws {
    let long = entry {
      $0.item = PlayedItem(uri: "file:///" + String(repeating: "\u{1}", count: 9000), title: "short", list: "main")
      $0.item.copy = String(repeating: "\u{1F3AC}", count: 9000)
    }
    let line = Array(long.line.utf8)
    let read = try #require(PlayEntry(line: line))
    #expect(line.count <= PlayEntry.longestLine && read.item.uri.hasPrefix("file:///") && read.item.title == "short")
    #expect(read.line == long.line && read.start == long.start)
    let allowed = entry { $0.item.title = String(repeating: "a", count: 9000) }
    #expect(PlayEntry(line: Array(allowed.line.utf8)) == allowed)
  }

  @Test("Reading in pieces of any length gives the same entries, and counts unreadable ones")
  func pieces() {
    let text = Array((entry("a").line + "\nnonsense\n\n" + entry("b").line + "\n" + "{\"start\"").utf8)
    for length in [1, 2, 7, 100, 10_000] {
      var reader = PlayReader()
      var read: [PlayEntry] = []
      for start in stride(from: 0, to: text.count, by: length) {
        read += reader.read(text[start..<min(start + length, text.count)])
      }
      reader.end()
      #expect(read == [entry("a"), entry("b")] && reader.unreadable == 2)
    }
  }

  // MARK: Clocks

  @Test("A clock set during an item gives the right dates; an unset clock is marked")
  func clocks() {
    let play = FinishedPlay(
      item: PlayedItem(uri: "a"), start: start, end: start + .seconds(10), shown: .seconds(10), ending: .end)
    let right = PlayEntry(
      play, at: PlayMoment(start + .seconds(12), milliseconds: 1_795_000_012_000, isSynchronised: true))
    #expect(right.start == 1_795_000_000_000 && right.end == 1_795_000_010_000 && right.isClockGood)
    let early = PlayEntry(play, at: PlayMoment(start + .seconds(10), milliseconds: 12_345, isSynchronised: false))
    #expect(early.line.contains("\"clock\":\"unsynchronised\"") && early.monotonic == 5)
  }

  @Test("A killed player's entry has the right dates, even if the clock was set after its start")
  func died() throws {
    func put(_ value: UInt32, at place: Int, in bytes: inout [UInt8]) {
      for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte))) }
    }
    var bytes = [UInt8](repeating: 0, count: CrashRecord.size)
    bytes.replaceSubrange(0..<8, with: Array("VITRINE\0".utf8))
    put(CrashRecord.version, at: 8, in: &bytes)
    put(UInt32(CrashRecord.size), at: 12, in: &bytes)
    var record = try #require(CrashRecord(bytes))
    // Without a battery the clock starts at the image's date.
    (record.started, record.startTime, record.alive) = (.seconds(10), 1_700_000_000, .seconds(100))
    record.decks = [
      CrashRecord.Deck(
        id: 1, step: .playing, number: 1, position: .zero, since: .seconds(70), screen: "", uri: "file:///a.mp4",
        listed: "file:///a.mp4", elements: [])
    ]
    let died = PlayEntry.died(
      in: record, isClockGood: true, now: 1_795_000_103_000, sinceBoot: .milliseconds(103_500))
    #expect(died.map(\.start) == [1_794_999_999_000 + 70_500] && died.map(\.seconds) == [30])
    #expect(died.map(\.end) == [1_794_999_999_000 + 100_500])
  }

  @Test("A time converts to text and back")
  func times() {
    for time: Int64 in [0, 999, 951_782_400_000, 1_795_000_000_123, 4_102_444_799_999, 253_402_300_799_999] {
      #expect(UTCTime.milliseconds(iso: UTCTime.iso(milliseconds: time)) == time)
    }
    #expect(UTCTime.milliseconds(iso: "2026-11-18T11:06:40Z") == 1_795_000_000_000)
    for text in ["", "2026-11-18", "2026-13-18T11:06:40Z", "2026-02-30T00:00:00Z", "2026-11-18T11:06:4aZ"] {
      #expect(UTCTime.milliseconds(iso: text) == nil)
    }
  }

  // MARK: Sums

  @Test("The sum counts plays and seconds of each item between two times, without plays that showed no frame")
  func sums() throws {
    var sums = PlaySums(PlayPeriod(since: 1000, until: 3000))
    for time: Int64 in [999, 1000, 2999, 3000] { sums.add(entry("a", at: time)) }
    sums.add(entry("b", at: 1500) { ($0.ending, $0.frames, $0.seconds, $0.tries) = (.failed, 0, 0, 4) })
    sums.add(entry("c", at: 1500) { ($0.ending, $0.frames, $0.isClockGood) = (.died, nil, false) })
    #expect(sums.entries.count == 4)
    #expect(sums.items.map(\.plays) == [2, 0, 1] && sums.items.map(\.seconds) == [20, 0, 10])
    #expect(sums.items.map(\.failures) == [0, 4, 0] && sums.items.map(\.unsynchronised) == [0, 0, 1])
    #expect(PlayTable.sums(sums)[1] == "file:///a.mp4,Film a,2,20.000,500,2,0,0")
    #expect(PlayTable.text(sums)[1].hasSuffix("2     0:00:20        2       0  Film a (file:///a.mp4)"))
  }

  @Test("Numbers of a forged file don't overflow the sum")
  func made() {
    var sums = PlaySums(keepsEntries: false)
    let line = Array(entry { ($0.frames, $0.dropped) = (1 << 48, 1 << 48) }.line.utf8)
    #expect(PlayEntry(line: line).map { $0.frames == nil && $0.dropped == nil } == true)
    let most = Array(entry { ($0.frames, $0.dropped) = (1 << 40, 1 << 40) }.line.utf8)
    guard let entry = PlayEntry(line: most) else { return #expect(Bool(false), "the most is a number") }
    for _ in 0..<100_000 { sums.add(entry) }
    #expect(sums.items.map(\.frames) == [100_000 << 40])
  }

  @Test("A title steers no terminal and forges no line, in the table, as CSV and as JSON")
  func titles() {
    let title = "\u{1B}]0;PWN\u{7}\u{9B}31m\u{202E}gnp\nvitrine: all is well\u{2028}\u{200B}x"
    var sums = PlaySums()
    let one = entry("a") { $0.item.title = title }
    sums.add(one)
    let texts =
      PlayTable.text(sums) + PlayTable.sums(sums) + [PlayTable.row(one), one.line]
      + [PlayTable.json(sums, withPlays: true).compact]
    for text in texts { #expect(!text.unicodeScalars.contains(where: PlainText.isActive), "\(text)") }
    #expect(texts[1].contains("\\u{1b}]0;PWN") && texts.last?.contains("\\u001b]0;PWN") == true)
    // Other programs get the title unchanged.
    #expect(PlayEntry(line: Array(one.line.utf8))?.item.title == title)
  }

  @Test("A spreadsheet takes each cell for text")
  func cells() {
    #expect(PlayTable.cell("a,b") == "\"a,b\"" && PlayTable.cell("say \"a\"") == "\"say \"\"a\"\"\"")
    #expect(PlayTable.cell("=1+1") == "'=1+1" && PlayTable.cell("plain") == "plain")
    for first in ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"] {
      #expect(PlayTable.cell("\(first)1") == "'\(first)1", "\(first)")
      #expect(PlayTable.cell("a;\(first)1") == "\"a;'\(first)1\"", "\(first) behind a semicolon")
    }
    // Characters that spreadsheets skip, and those they take for a cell's beginning.
    #expect(PlayTable.cell(" =1") == "' =1" && PlayTable.cell("\u{200B}=1") == "'\\u{200b}=1")
    #expect(PlayTable.cell("\t1") == "'\\u{9}1" && PlayTable.cell("\r1") == "'\\u{d}1")
    #expect(PlayTable.cell("x; \"=1\"") == "\"x;' \"\"=1\"\"\"" && PlayTable.cell("a;b") == "\"a;b\"")
    #expect(PlayTable.cell("1-1") == "1-1" && PlayTable.cell("2026-01-01") == "2026-01-01")
    #expect(PlayTable.row(entry()).split(separator: ",", omittingEmptySubsequences: false).count == 21)
    #expect(PlayTable.head.split(separator: ",").count == 21)
  }
}

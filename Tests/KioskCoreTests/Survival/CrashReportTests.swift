import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Crash reports")
struct CrashReportTests {
  private func report() throws -> CrashReport {
    var record = CrashRecord.made([.made(1, .playing, elements: ["avdec_h264-0"])])
    record.crash = .made(signal: 11, code: 1, deck: 1, thread: "multiqueue0:src")
    record.crash?.frames = [
      CrashRecord.Frame(offset: 0x1234, module: "/usr/bin/vitrine"), CrashRecord.Frame(offset: 7, module: nil),
      CrashRecord.Frame(offset: 0x99, module: "/usr/bin/vitrine"),
    ]
    record.log = ["playing http://user:secret@host/film.mp4?key=1"]
    return CrashReport(
      record, try #require(Death(of: record)),
      modules: [CrashReport.Module(path: "/usr/bin/vitrine", buildID: "abcd")], foundAt: 0)
  }

  @Test("A report has the cause, the time, the item, its elements and the commands for symbols, but no secrets")
  func text() throws {
    let text = try report().text
    for part in [
      "time: 2023-11-14 22:13:20 UTC", "signal 11 (SIGSEGV)", "item: file:///1.mp4",
      "multiqueue0:src, which worked for deck 1",
      "playing, at 7.0 s; blamed", "elements: avdec_h264-0", "/usr/bin/vitrine abcd",
      "addr2line -fiC -e /usr/bin/vitrine 0x1234 0x99", "film.mp4",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("secret") && !text.contains("key=1"))
  }

  @Test("A report's head gives its summary")
  func summary() throws {
    let report = try report()
    #expect(CrashSummary(text: report.text) == CrashSummary(report))
    #expect(CrashSummary(text: "something else\n") == nil && CrashSummary(text: "") == nil)
  }

  @Test("At most ten reports and a megabyte together are kept; the oldest are removed")
  func limits() {
    let files = (0..<10).map { (name: "\($0)", size: Int64(1000)) }
    #expect(CrashReportLimits.toRemove(files, adding: 1000) == ["0"])
    #expect(CrashReportLimits.toRemove(Array(files.prefix(9)), adding: 1000) == [])
    #expect(CrashReportLimits.toRemove([("b", 600_000), ("a", 300_000)], adding: 200_000) == ["a"])
  }

  @Test("After five reports within an hour none is written until it is over; a wrong clock doesn't stop reports")
  func wear() {
    let times: [Int64] = [1000, 1001, 1002, 1003, 1004]
    #expect(!CrashReportLimits.mayWrite(times, at: 1005) && CrashReportLimits.mayWrite(times, at: 4600))
    #expect(CrashReportLimits.mayWrite(times.map { $0 + 1_000_000 }, at: 1005))
  }

  @Test(
    "Seconds since 1970 give the right day and time",
    arguments: [
      (Int64(0), "1970-01-01 00:00:00 UTC"), (951_782_400, "2000-02-29 00:00:00 UTC"),
      (1_709_251_199, "2024-02-29 23:59:59 UTC"), (4_102_444_799, "2099-12-31 23:59:59 UTC"),
      (-5, "1970-01-01 00:00:00 UTC"),
    ])
  func days(time: Int64, text: String) { #expect(UTCTime.text(time) == text) }

  @Test("A build id is only found in a note")
  func buildID() {
    var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 200)
    func put(_ value: Int, _ place: Int, _ width: Int) {
      for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    for (value, place, width) in [
      (64, 32, 8), (56, 54, 2), (1, 56, 2), (4, 64, 4), (120, 72, 8), (24, 96, 8), (4, 120, 4), (8, 124, 4),
      (3, 128, 4),
    ] { put(value, place, width) }
    bytes.replaceSubrange(132..<136, with: Array("GNU\0".utf8))
    bytes.replaceSubrange(136..<144, with: [1, 2, 3, 0xAB, 5, 6, 7, 8])
    #expect(BuildID.find(in: bytes) == "010203ab05060708")
    put(1 << 40, 72, 8)
    #expect(BuildID.find(in: bytes) == nil)
    #expect(BuildID.find(in: []) == nil && BuildID.find(in: Array("#!/bin/sh".utf8)) == nil)
  }

  @Test("The doctor reports every fault with its remedy, and nothing else")
  func doctor() throws {
    var checkup = Checkup()
    checkup.checkSurvival(recordProblem: nil, quarantine: Quarantine(), loop: CrashLoop(), last: nil)
    #expect(checkup.verdict == .ok && checkup.lines.allSatisfy { $0.remedy.isEmpty })
    var quarantine = Quarantine()
    for _ in 0..<2 { quarantine.died(of: Quarantine.Subject(uri: "file:///a.mp4"), signal: 11, at: 1) }
    var ill = Checkup()
    ill.checkSurvival(
      recordProblem: "no folder", quarantine: quarantine, loop: CrashLoop(text: "mode 5 card\n"),
      last: (CrashSummary(try report()), "/x.txt"))
    #expect(ill.verdict == .problem && ill.lines.count == 4 && ill.lines.allSatisfy { !$0.remedy.isEmpty })
    #expect(ill.text.contains("file:///a.mp4") && ill.text.contains("(error 3040)"))
  }
}

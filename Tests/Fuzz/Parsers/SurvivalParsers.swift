import KioskCore
import PlaybackCore

/// Parses the files of a run that died: its record, the quarantine, the count of deaths, a report. The first byte
/// chooses.
func readSurvivalFiles(_ bytes: [UInt8]) {
  guard let kind = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  let text = String(decoding: rest, as: UTF8.self)
  switch kind % 4 {
  case 0: readRecord(rest)
  case 1:
    let quarantine = Quarantine(text: text)
    precondition(quarantine.entries.count <= 64, "a quarantine without a bound")
    precondition(Quarantine(text: quarantine.text) == quarantine, "a quarantine that changes by itself")
    var other = quarantine
    for entry in quarantine.entries {
      precondition(!entry.error.line.isEmpty, "an item that is left out without a word")
      _ = other.holds(entry.subject, at: 1_800_000_000)
      other.died(of: entry.subject, signal: 11, at: 1_800_000_000)
    }
  case 2:
    var loop = CrashLoop(text: text)
    precondition(CrashLoop(text: loop.text) == loop, "a count of deaths that changes by itself")
    loop.began(after: nil, at: 1000)
    _ = loop.ranWell(since: 0, at: 2000)
  default:
    if let summary = CrashSummary(text: text) { precondition(summary.cause.count <= 500, "a summary without an end") }
    _ = BuildID.find(in: rest)
  }
}

/// Puts the bytes over a valid record, so that the parts behind its head are reached.
private func readRecord(_ bytes: [UInt8]) {
  var record = [UInt8](repeating: 0, count: CrashRecord.size)
  let whole =
    Array("VITRINE\0".utf8) + [UInt8(CrashRecord.version), 0, 0, 0]
    + withUnsafeBytes(of: UInt32(CrashRecord.size).littleEndian) { Array($0) }
  record.replaceSubrange(0..<whole.count, with: whole)
  // Pieces of 64 bytes, each at a place of its own.
  var rest = bytes[...]
  while rest.count > 2 {
    let place = (Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])) % (CrashRecord.size - 80) + 16
    let part = rest.dropFirst(2).prefix(64)
    record.replaceSubrange(place..<place + part.count, with: part)
    rest = rest.dropFirst(2 + part.count)
  }
  guard let read = CrashRecord(record) else { preconditionFailure("a whole record isn't read") }
  let death = Death(of: read)
  for point in LastPlace.all(of: read, after: death) { _ = point.index(in: PlayQueue()) }
  guard let death else { return }
  let report = CrashReport(read, death, modules: [], foundAt: 0)
  precondition(report.text.hasPrefix(CrashReport.heading), "a report without a head")
  precondition(!report.fileName.contains("/"), "a report that goes elsewhere")
}

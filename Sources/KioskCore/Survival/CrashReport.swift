internal import PlaybackCore

/// What a death leaves for people: one text, most important first. Addresses are redacted as the log's are.
public struct CrashReport: Hashable, Sendable {
  /// A file of the program's that was mapped.
  public struct Module: Hashable, Sendable {
    public var path: String
    /// Tells this build of it from others; nil where it says none.
    public var buildID: String?

    public init(path: String, buildID: String?) {
      self.path = path
      self.buildID = buildID
    }
  }

  public var record: RunRecord
  public var death: Death
  public var modules: [Module]
  /// Seconds since 1970: of the death, else of its being found.
  public var time: Int64

  public init(_ record: RunRecord, _ death: Death, modules: [Module], foundAt now: Int64) {
    self.record = record
    self.death = death
    self.modules = modules
    time = record.crash?.time ?? now
  }

  public static let heading = "Vitrine crash report"

  /// Ends with a line break.
  public var text: String {
    var lines = [Self.heading, "time: \(UTCTime.text(time))", "signal: \(death.signal)", "cause: it \(death.text)"]
    if let suspect = death.suspect { lines.append("item: \(Redaction.value(suspect.listed))") }
    lines.append("program: \(record.program), process \(record.pid)")
    lines.append(
      "ran: \(Int(death.ran.inSeconds)) s, \(death.hadShown ? "a picture was shown" : "no picture was shown")")
    if let crash = record.crash {
      let deck = crash.deck.map { ", which worked for deck \($0)" } ?? ""
      lines.append("thread: \(crash.thread)\(deck)")
      lines.append("fault: code \(crash.code), address 0x\(String(crash.faultAddress, radix: 16))")
      if crash.sender != 0 { lines.append("sender: process \(crash.sender)") }
    }
    for deck in record.decks { lines += Self.lines(of: deck, isSuspect: deck == death.suspect) }
    lines += backtrace
    lines.append("log:")
    lines += record.log.map { "  \(Redaction.text($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of deck: RunRecord.Deck, isSuspect: Bool) -> [String] {
    let place = deck.number.map { ", item \($0)" } ?? ""
    let screen = deck.screen.isEmpty ? "" : " of screen \(deck.screen)"
    var lines = [
      "deck \(deck.id)\(screen)\(place): \(deck.step.text), at \(deck.position.inSeconds) s\(isSuspect ? "; blamed" : "")",
      "  listed: \(Redaction.value(deck.listed))",
    ]
    if deck.uri != deck.listed { lines.append("  played: \(Redaction.value(deck.uri))") }
    if let sum = deck.sha256 { lines.append("  sha256: \(sum)") }
    lines.append("  elements: \(deck.elements.joined(separator: " "))")
    return lines
  }

  private var backtrace: [String] {
    guard let frames = record.crash?.frames, !frames.isEmpty else { return [] }
    var lines = ["backtrace:"]
    for (index, frame) in frames.enumerated() {
      lines.append("  \(index) \(frame.module ?? "(nowhere)") +0x\(String(frame.offset, radix: 16))")
    }
    lines.append("modules:")
    lines += modules.map { "  \($0.path) \($0.buildID ?? "without a build id")" }
    lines.append("symbols, with the packages of debug symbols installed:")
    lines += Self.symbolCommands(frames).map { "  \($0)" }
    return lines
  }

  /// A line to be typed for each module. The tool of binutils finds the symbols of a package by the build id; that of elfutils finds no
  /// lines in what Swift's compiler writes. `C` comes last: elfutils takes what follows it for the name of a style.
  static func symbolCommands(_ frames: [RunRecord.Frame]) -> [String] {
    var modules: [String] = []
    for module in frames.compactMap(\.module) where !modules.contains(module) { modules.append(module) }
    return modules.map { module in
      let offsets = frames.filter { $0.module == module }.map { "0x" + String($0.offset, radix: 16) }
      return "addr2line -fiC -e \(quoted(module)) \(offsets.joined(separator: " "))"
    }
  }

  private static func quoted(_ text: String) -> String {
    text.allSatisfy { $0.isLetter || $0.isNumber || "/._+-".contains($0) }
      ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Sorts by time; the number is unlikely to be met twice within a second.
  public var fileName: String { "\(UTCTime.compact(time))-\(record.pid).txt" }
}

/// The head of a report, read again: what status and `doctor` tell of the last death.
public struct CrashSummary: Hashable, Sendable, Encodable {
  /// UTC, by the board's clock.
  public var time: String
  public var signal: Int
  public var cause: String
  /// Redacted.
  public var item: String?

  public init(time: String, signal: Int, cause: String, item: String?) {
    self.time = time
    self.signal = signal
    self.cause = cause
    self.item = item.map { PlainText.clipped($0) }
  }

  public init(_ report: CrashReport) {
    self.init(
      time: UTCTime.text(report.time), signal: Int(report.death.signal), cause: "it \(report.death.text)",
      item: report.death.suspect.map { Redaction.value($0.listed) })
  }

  /// Nil for what is no report.
  public init?(text: String) {
    let lines = text.split(separator: "\n", maxSplits: 8, omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == CrashReport.heading else { return nil }
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2).prefix(500)) }
    }
    guard let time = value("time"), let cause = value("cause") else { return nil }
    self.init(time: time, signal: value("signal").flatMap { Int($0) } ?? 0, cause: cause, item: value("item"))
  }
}

/// Which reports are kept.
public enum CrashReportLimits {
  /// One each of what a bad week brings; the older ones are of another version by then.
  public static let files = 10
  /// Together.
  public static let bytes = 1_000_000
  /// So many within `window`, then none: a crash loop writes the same again and again, and wears out the disk.
  public static let written = 5
  public static let window: Int64 = 3600

  /// Names of those to be removed, oldest first, so that another of that size fits.
  public static func toRemove(_ files: [(name: String, size: Int64)], adding size: Int64) -> [String] {
    var kept = files.sorted { $0.name < $1.name }
    var gone: [String] = []
    while let first = kept.first,
      kept.count >= Self.files || kept.reduce(size, { $0.clampedAdding($1.size) }) > Self.bytes
    {
      gone.append(first.name)
      kept.removeFirst()
    }
    return gone
  }

  /// Whether another may be written.
  ///
  /// - Parameters:
  ///   - times: when those that are there were written, in seconds since 1970.
  ///   - now: the same.
  public static func mayWrite(_ times: [Int64], at now: Int64) -> Bool {
    // A clock that was set back doesn't stop them for years: what lies in the future doesn't count.
    times.count { $0 <= now && now.clampedSubtracting($0) < window } < written
  }
}

/// Seconds since 1970 as people write them. UTC: a report is read elsewhere.
public enum UTCTime {
  /// `2026-11-23 08:00:40 UTC`.
  public static func text(_ time: Int64) -> String {
    let (date, clock) = parts(time)
    return "\(date.joined(separator: "-")) \(clock.joined(separator: ":")) UTC"
  }

  /// `20261123-080040`.
  public static func compact(_ time: Int64) -> String {
    let (date, clock) = parts(time)
    return date.joined() + "-" + clock.joined()
  }

  static func parts(_ time: Int64) -> (date: [String], clock: [String]) {
    // Four digits of a year.
    let time = min(max(0, time), 253_402_300_799)
    let (days, rest) = time.quotientAndRemainder(dividingBy: 86_400)
    // Days from civil, backwards, by Howard Hinnant: eras of 400 years that begin in March.
    let shifted = days + 719_468
    let (era, day) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = [
      era * 400 + year + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1,
    ]
    return (date.map(twoDigits), [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits))
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

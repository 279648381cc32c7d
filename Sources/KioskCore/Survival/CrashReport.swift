internal import PlaybackCore

/// The report on a crash, for people: one text, the most important facts first. Addresses are redacted as in the log.
public struct CrashReport: Hashable, Sendable {
  /// A file of the program that was mapped into memory.
  public struct Module: Hashable, Sendable {
    public var path: String
    /// The identifier of this build; nil where the file has none.
    public var buildID: String?

    public init(path: String, buildID: String?) {
      self.path = path
      self.buildID = buildID
    }
  }

  public var record: CrashRecord
  public var death: Death
  public var modules: [Module]
  /// Seconds since 1970: the time of the crash, or of its discovery where that isn't known.
  public var time: Int64

  public init(_ record: CrashRecord, _ death: Death, modules: [Module], foundAt now: Int64) {
    self.record = record
    self.death = death
    self.modules = modules
    time = record.crash?.time ?? now
  }

  public static let heading = "Vitrine crash report"

  /// The report's text, which ends with a line break.
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

  private static func lines(of deck: CrashRecord.Deck, isSuspect: Bool) -> [String] {
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

  /// A command line for each module, to find the symbols. The tool of binutils finds a package's symbols by the build
  /// id; that of elfutils finds no lines in the output of Swift's compiler. `C` comes last: elfutils takes the text
  /// after it as a style's name.
  static func symbolCommands(_ frames: [CrashRecord.Frame]) -> [String] {
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

  /// The file name sorts by time; two crashes of one process number within a second are unlikely.
  public var fileName: String { "\(UTCTime.compact(time))-\(record.pid).txt" }
}

/// The head of a report, for the status and `doctor`.
public struct CrashSummary: Hashable, Sendable, Encodable {
  /// The time in UTC, by the board's clock.
  public var time: String
  public var signal: Int
  public var cause: String
  /// The redacted address of the blamed item.
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

  /// Nil for a text that isn't a report.
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

/// The limits for the kept reports.
public enum CrashReportLimits {
  /// The number of files: the reports of a bad week; older ones are of an older version by then.
  public static let files = 10
  /// The size of all files together.
  public static let bytes = 1_000_000
  /// The number of reports within `window`; then none is written: a crash loop writes the same again and again, and
  /// wears out the disk.
  public static let written = 5
  public static let window: Int64 = 3600

  /// The names of the files to remove, oldest first, so that a new one of that size fits.
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

  /// Whether another report may be written.
  ///
  /// - Parameters:
  ///   - times: when the kept reports were written, in seconds since 1970.
  ///   - now: the time, in seconds since 1970.
  public static func mayWrite(_ times: [Int64], at now: Int64) -> Bool {
    // Times in the future don't count: otherwise a clock that was set back would stop the reports for years.
    times.count { $0 <= now && now.clampedSubtracting($0) < window } < written
  }
}

/// Writes seconds since 1970 for people. In UTC, because a report is read elsewhere.
public enum UTCTime {
  /// Writes a time as `2026-11-23 08:00:40 UTC`.
  public static func text(_ time: Int64) -> String {
    let (date, clock) = parts(time)
    return "\(date.joined(separator: "-")) \(clock.joined(separator: ":")) UTC"
  }

  /// Writes a time as `20261123-080040`.
  public static func compact(_ time: Int64) -> String {
    let (date, clock) = parts(time)
    return date.joined() + "-" + clock.joined()
  }

  static func parts(_ time: Int64) -> (date: [String], clock: [String]) {
    // The year has at most four digits.
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

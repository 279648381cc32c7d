public import JSONText
internal import KioskCore
internal import PlaybackCore

/// The table that `vitrine log` prints.
public enum PlayTable {
  private static let columns = [
    "start", "end", "seconds", "screen", "list", "number", "item", "title", "frames", "dropped", "why", "error",
    "tries",
    "clock", "sha256", "copy", "visit", "captions", "language", "description", "signed",
  ]

  public static var head: String { columns.joined(separator: ",") }

  public static func row(_ entry: PlayEntry) -> String {
    func number(_ value: Int?) -> String { value.map { String($0) } ?? "" }
    let cells = [
      UTCTime.iso(milliseconds: entry.start), UTCTime.iso(milliseconds: entry.end), seconds(entry.seconds),
      entry.item.screen ?? "", entry.item.list ?? "", number(entry.item.number), entry.item.uri, entry.item.title,
      number(entry.frames), number(entry.dropped), entry.ending.rawValue, number(entry.error), number(entry.tries),
      entry.isClockGood ? "" : "unsynchronised", entry.item.sha256 ?? "", entry.item.copy ?? "",
      number(entry.item.visit?.number), entry.item.visit?.captions ?? "", entry.item.visit?.language ?? "",
      entry.item.visit?.hearsDescription == true ? "on" : "", entry.item.visit?.isSigned == true ? "on" : "",
    ]
    return cells.map(cell).joined(separator: ",")
  }

  /// A line of names, and one for each item.
  public static func sums(_ sums: PlaySums) -> [String] {
    ["item,title,plays,seconds,frames,dropped,failures,unsynchronised"]
      + sums.items.map { item in
        [
          item.uri, item.title, "\(item.plays)", seconds(item.seconds), "\(item.frames)", "\(item.dropped)",
          "\(item.failures)", "\(item.unsynchronised)",
        ].map(cell).joined(separator: ",")
      }
  }

  /// The table for people.
  public static func text(_ sums: PlaySums) -> [String] {
    guard !sums.items.isEmpty else { return ["nothing has played"] }
    var lines = ["   plays        time  dropped  failed  item"]
    for item in sums.items {
      let name = name(item.title, item.uri)
      lines.append(
        "\(right(item.plays, 8))\(right(clock(item.seconds), 12))\(right(item.dropped, 9))\(right(item.failures, 8))  \(name)"
      )
    }
    return lines + doubt(sums.items.reduce(0) { $0 + $1.unsynchronised }, of: "plays")
  }

  public static func json(_ sums: PlaySums, withPlays: Bool) -> JSONValue {
    var members: [JSONValue.Member] = []
    if withPlays {
      let plays = sums.entries.compactMap { try? JSONValue(parsing: $0.line.utf8) }
      members.append(.init("plays", .array(plays)))
    }
    let items = sums.items.map { item in
      JSONValue.object([
        .init("item", .string(item.uri)), .init("title", .string(item.title)),
        .init("plays", .integer(Int64(item.plays))), .init("seconds", .number(item.seconds)),
        .init("frames", .integer(Int64(item.frames))), .init("dropped", .integer(Int64(item.dropped))),
        .init("failures", .integer(Int64(item.failures))),
        .init("unsynchronised", .integer(Int64(item.unsynchronised))),
      ])
    }
    return .object(members + [.init("items", .array(items))])
  }

  // MARK: Cells

  /// A cell on one line by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe: titles come
  /// from the authors of lists. Spreadsheets that use semicolons begin a new cell after each, even within quotes.
  static func cell(_ text: String) -> String {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let shown = parts.map {
      beginsFormula($0.unicodeScalars) ? "'" + PlainText.shown(String($0)) : PlainText.shown(String($0))
    }
    .joined(separator: ";")
    guard shown.unicodeScalars.contains(where: { ",;\"".unicodeScalars.contains($0) }) else { return shown }
    return "\"" + shown.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Whether a spreadsheet would evaluate a cell that begins like this. Spreadsheets skip invisible characters and
  /// quotes.
  private static func beginsFormula(_ text: Substring.UnicodeScalarView) -> Bool {
    // A tab or a line break begins the next cell.
    if let first = text.first, first == "\t" || first == "\r" { return true }
    let begin = text.first { !$0.properties.isWhitespace && !PlainText.isActive($0) && $0 != "\"" && $0 != "'" }
    guard let begin else { return false }
    // Also in the full-width forms of East Asian keyboards.
    return "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(begin)
  }

  /// The name of an item for people.
  static func name(_ title: String, _ uri: String) -> String {
    PlainText.shown(title.isEmpty ? uri : "\(title) (\(uri))")
  }

  /// The remark that the dates of so many plays or visits may be wrong.
  static func doubt(_ count: Int, of what: String) -> [String] {
    count > 0 ? ["\(count) of the \(what) were written down while nothing kept the clock right"] : []
  }

  static func seconds(_ value: Double) -> String {
    let milliseconds = Int64((min(max(0, value), 1e12) * 1000).rounded())
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  /// `26:03:09`, hours first.
  static func clock(_ seconds: Double) -> String {
    let whole = Int64(min(max(0, seconds), 1e12).rounded())
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  static func right(_ value: some CustomStringConvertible, _ width: Int) -> String {
    let text = value.description
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Goes on reading a text that isn't TOML after its first mistake. Each mistake is reported with its likely correction,
/// and the corrected line is read, so that the user gets all faulty lines at once (decision 0182).
/// The result is for diagnostics only.
struct TOMLRepair {
  /// One line that isn't right.
  struct Slip: Hashable, Sendable {
    var position: TOMLPosition?
    var message: String
    var allowed: String
    /// The corrected line; nil if no correction is known.
    var corrected: String?
  }

  private(set) var slips: [Slip] = []
  /// The corrected text as a table; nil if it still can't be parsed.
  private(set) var table: TOMLTable?
  /// The corrected lines, as many as the text has.
  private(set) var lines: [String]
  /// Whether a part had to be left out: a key that seems to be missing may stand there.
  private(set) var isPartial = false

  /// Mistakes that are reported; a file with more isn't a configuration.
  static let mostSlips = 20
  /// For a longer text, only the first mistake is reported: each line is parsed by itself, which takes its time.
  static let longest = 1 << 20
  /// The most lines of a list in brackets or a text in three quotes.
  private static let longestValue = 500

  /// Limits on the bytes of such a value, on searches for the end of one in the whole text, and on lines without a
  /// correction: a text that was built to cost time must not cost much.
  private static let longestValueBytes = 16 << 10
  private var triesLeft = 2000
  private var riddlesLeft = 100

  private let file: Int

  /// - Parameter error: the parser's error.
  init(_ text: [UInt8], file: Int, error: TOMLSyntaxError) {
    self.file = file
    lines = []
    if let slip = ForeignText.slip(of: text, file: file) {
      slips.append(slip.slip)
      guard slip.isReadOn, text.count <= Self.longest else { return }
    } else if text.count > Self.longest {
      slips.append(Self.unknown(error, at: error.position))
      return
    }
    let utf8 = TextEncoding(of: text).utf8(text)
    lines = Self.split(utf8)
    mendLines()
    mendRest()
    slips.sort { ($0.position ?? TOMLPosition(line: 0, column: 0)) < ($1.position ?? TOMLPosition(line: 0, column: 0)) }
    if slips.isEmpty { slips.append(Self.unknown(error, at: error.position)) }
  }

  static func split(_ text: [UInt8]) -> [String] {
    TextLines.split(text).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Line by line

  private mutating func mendLines() {
    var index = 0
    while index < lines.count, slips.count < Self.mostSlips, riddlesLeft > 0 {
      let line = lines[index]
      if line.isEmpty || LineMend.isTOML(line) {
        index += 1
      } else if let end = valueEnd(from: index) {
        index = end
      } else {
        mend(index)
        index += 1
      }
    }
  }

  /// The line after a value that spans several lines, in brackets or three quotes; nil for a value on one line, and for
  /// one without an end.
  private mutating func valueEnd(from start: Int) -> Int? {
    let line = lines[start]
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let value = line[line.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
    let isList = value.hasPrefix("[") || value.hasPrefix("{")
    guard isList || value.hasPrefix("\"\"\"") || value.hasPrefix("'''") else { return nil }
    var text = line
    for index in (start + 1)..<max(start + 1, min(lines.count, start + Self.longestValue)) {
      // In a list, a line that looks like a setting or a table is one: the closing bracket was forgotten.
      let isOther = LineMend.isTOML(lines[index]) && !LineMend.withoutRemark(lines[index]).text.trimmedSpaces.isEmpty
      if isList, isOther { return nil }
      text += "\n" + lines[index]
      triesLeft -= 1
      guard triesLeft > 0, text.utf8.count < Self.longestValueBytes else { return nil }
      if LineMend.isTOML(text) { return index + 1 }
    }
    return nil
  }

  private mutating func mend(_ index: Int) {
    let line = lines[index]
    if let list = listOverLines(from: index) { return list }
    guard let mend = LineMend(of: line, in: table(of: index)) else {
      riddlesLeft -= 1
      return
    }
    slips.append(
      Slip(
        position: position(index, Self.firstDifference(line, mend.text)), message: mend.message, allowed: mend.allowed,
        corrected: mend.text))
    lines[index] = mend.text
  }

  /// The name of the table in which a line stands.
  private func table(of index: Int) -> String {
    // Looks back only over the length of one value, so that a long table doesn't cost the square of its length.
    for line in lines[max(0, index - Self.longestValue)..<index].reversed() where line.contains("[") {
      if let header = Self.header(line) { return header.name }
    }
    return ""
  }

  /// Corrects a list over several lines that was never closed or has no commas.
  private mutating func listOverLines(from start: Int) -> Void? {
    guard let equals = lines[start].firstIndex(of: "="),
      lines[start][lines[start].index(after: equals)...].trimmedSpaces == "["
    else { return nil }
    var end = start + 1
    while end < lines.count, end < start + Self.longestValue, !lines[end].trimmedSpaces.isEmpty {
      let content = LineMend.withoutRemark(lines[end]).text.trimmedSpaces
      if content.hasPrefix("["), content.hasSuffix("]") { break }
      if content.contains("="), !content.hasPrefix("\"") { break }
      end += 1
      if content == "]" { break }
    }
    let body = lines[(start + 1)..<end].map { LineMend.withoutRemark($0).text.trimmedSpaces }
    let isClosed = body.last?.hasSuffix("]") == true
    let inner = body.map { $0 == "]" ? "" : $0 }.filter { !$0.isEmpty }
    guard let mend = ValueMend(of: "[" + inner.joined(separator: " ") + (isClosed ? "]" : "")) else { return nil }
    let text = String(lines[start][...equals]) + " " + mend.text
    guard LineMend.isTOML(text) else { return nil }
    slips.append(
      Slip(position: position(start, lines[start].count), message: mend.message, allowed: mend.allowed, corrected: text)
    )
    lines[start] = text
    for index in (start + 1)..<end { lines[index] = "" }
    return ()
  }

  // MARK: Faults of several lines

  /// Parses again and again, and removes each line that the parser refuses.
  private mutating func mendRest() {
    for _ in 0...Self.mostSlips {
      do throws(TOMLSyntaxError) {
        table = try TOMLParser.parse(Array(lines.joined(separator: "\n").utf8), file: file)
        return
      } catch {
        guard slips.count < Self.mostSlips, let place = error.position, lines.indices.contains(place.line - 1) else {
          if slips.isEmpty { slips.append(Self.unknown(error, at: error.position)) }
          return
        }
        leaveOut(place.line - 1, error)
      }
    }
  }

  private mutating func leaveOut(_ index: Int, _ error: TOMLSyntaxError) {
    isPartial = true
    if let slip = twice(index) { return slips.append(slip) }
    // The parser notices an end that is missing at the line behind.
    var index = index
    while index > 0, lines[index].trimmedSpaces.isEmpty { index -= 1 }
    let column = index == (error.position?.line ?? 0) - 1 ? error.position?.column ?? 1 : 1
    if !slips.contains(where: { $0.position?.line == index + 1 }) {
      slips.append(Self.unknown(error, at: position(index, column - 1)))
    }
    lines[index] = lines[index].isEmpty ? "" : "#"
  }

  /// Removes a table or a setting that stands there for the second time.
  private mutating func twice(_ index: Int) -> Slip? {
    guard let (name, isList) = Self.header(lines[index]) else { return settingTwice(index) }
    // `[[list]]` may repeat, and its inner tables with it; the schema has no table within a list's element.
    guard let first = lines[..<index].lastIndex(where: { Self.header($0)?.name == name }) else { return nil }
    var slip = Slip(
      position: position(index, 0), message: "[\(name)] is there twice, first in line \(first + 1)",
      allowed: "put its settings under the first, and take this line out")
    if Schema.isList(name) == true {
      // One bracket where two belong: all of them, so that the rest is read.
      slip.message = "the tables [\(name)] are a list, which has two brackets"
      slip.allowed = "[[\(name)]] is the form, each time"
      slip.corrected = "[[\(name)]]"
      for other in lines.indices where Self.header(lines[other])?.name == name { lines[other] = "[[\(name)]]" }
      return slip
    }
    guard !isList else { return nil }
    let end = lines[(index + 1)...].firstIndex { Self.header($0) != nil } ?? lines.endIndex
    for other in index..<end { lines[other] = "" }
    return slip
  }

  private mutating func settingTwice(_ index: Int) -> Slip? {
    guard let key = Self.key(lines[index]) else { return nil }
    let start = lines[..<index].lastIndex { Self.header($0) != nil } ?? -1
    guard let first = lines[(start + 1)..<index].lastIndex(where: { Self.key($0) == key }) else { return nil }
    // The user can still keep this line and remove the other.
    lines[index] = ""
    return Slip(
      position: position(index, 0), message: "\(key) is there twice, first in line \(first + 1)",
      allowed: "take one of the two lines out")
  }

  private static func header(_ line: String) -> (name: String, isList: Bool)? {
    let text = LineMend.withoutRemark(line).text.trimmedSpaces
    guard text.hasPrefix("["), text.hasSuffix("]"), LineMend.isTOML(text) else { return nil }
    let isList = text.hasPrefix("[[")
    return (text.dropFirst(isList ? 2 : 1).dropLast(isList ? 2 : 1).trimmedSpaces, isList)
  }

  private static func key(_ line: String) -> String? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let key = line[..<equals].trimmedSpaces
    return !key.isEmpty && key.utf8.allSatisfy(TableContext.isBareKeyByte) ? key : nil
  }

  /// The parser's own message, for a fault that no rule here explains.
  private static func unknown(_ error: TOMLSyntaxError, at position: TOMLPosition?) -> Slip {
    Slip(
      position: position, message: error.message,
      allowed: position == nil ? "" : "name = value is the form, and a text stands between quotes")
  }

  // MARK: Places

  /// - Parameter column: from 0.
  private func position(_ index: Int, _ column: Int) -> TOMLPosition {
    TOMLPosition(line: index + 1, column: column + 1, file: file)
  }

  /// The number of characters (Unicode scalars) that both lines have in common at the start.
  private static func firstDifference(_ a: String, _ b: String) -> Int {
    zip(a.unicodeScalars, b.unicodeScalars).prefix { $0 == $1 }.count
  }
}

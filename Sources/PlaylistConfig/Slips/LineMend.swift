/// The likely correction of a line that isn't TOML.
///
/// It is a proposal: the parser has read it, as a single line. The user sees it, and the reader goes on with it to find
/// the mistakes further down; a corrected text never plays.
struct LineMend: Hashable, Sendable {
  /// The whole corrected line as TOML.
  var text: String
  /// The mistake; no full stop.
  var message: String
  /// The allowed form.
  var allowed: String

  private init(_ text: String, _ message: String, _ allowed: String) {
    self.text = text
    self.message = message
    self.allowed = allowed
  }

  /// Nil if no likely correction is TOML.
  ///
  /// - Parameters:
  ///   - line: a line that isn't TOML.
  ///   - table: the table in which the line stands; empty for none.
  init?(of line: String, in table: String = "") {
    guard line.unicodeScalars.count <= ValueMend.longest else { return nil }
    for mend in [Self.header, { Self.setting($0, in: table) }, Self.remark] {
      if let found = mend(line), found.text != line, Self.isTOML(found.text) {
        self = found
        return
      }
    }
    return nil
  }

  static func isTOML(_ text: String) -> Bool { (try? TOMLParser.whole(Array((text + "\n").utf8))) != nil }

  private static func indent(of line: String) -> String { String(line.prefix { $0 == " " || $0 == "\t" }) }

  // MARK: Names of tables

  /// `[display`, `[[playlist.main.item]`, `[playlist main]`
  private static func header(_ line: String) -> LineMend? {
    let trimmed = withoutRemark(line).text.trimmedSpaces
    guard trimmed.hasPrefix("[") || (trimmed.hasSuffix("]") && !trimmed.contains("=") && !trimmed.contains(":")) else {
      return nil
    }
    let opening = trimmed.prefix { $0 == "[" || $0 == " " }.count { $0 == "[" }
    let closing = trimmed.reversed().prefix { $0 == "]" || $0 == " " }.count { $0 == "]" }
    let name = trimmed.drop { $0 == "[" || $0 == " " }.reversed().drop { $0 == "]" || $0 == " " }.reversed()
    let isPart = { (character: Character) in
      character.isASCII && (character.isLetter || character.isNumber || "-_. ".contains(character))
    }
    guard !name.isEmpty, name.allSatisfy(isPart) else { return nil }
    let parts = String(name).split { $0 == "." || $0 == " " }.joined(separator: ".")
    let isList = Schema.isList(parts) ?? (max(opening, closing) > 1)
    let text = indent(of: line) + (isList ? "[[\(parts)]]" : "[\(parts)]") + withoutRemark(line).remark
    let header = isList ? "[[\(parts)]]" : "[\(parts)]"
    if opening != closing {
      let missing = closing < opening ? "behind" : "before"
      return LineMend(text, "a bracket \(missing) the name of the table is missing", "\(header) is the form")
    }
    if name.contains(" ") {
      return LineMend(text, "the name of a table has a space in it", "its parts are separated by points: \(header)")
    }
    return LineMend(text, "is no name of a table", "\(header) is the form")
  }

  // MARK: Settings

  private static func setting(_ line: String, in table: String) -> LineMend? {
    let (body, remark) = withoutRemark(line)
    var words: [(message: String, allowed: String)] = []
    var trimmed = body.trimmedSpaces
    if trimmed.hasPrefix("- ") || trimmed.hasPrefix("* ") {
      trimmed = String(trimmed.dropFirst(2)).trimmedSpaces
      words.append(("a dash stands before the setting", "take it out"))
    }
    guard let (key, sign, value) = split(trimmed) else { return nil }
    var name = key
    if let quote = name.first, quote == "\"" || quote == "'" || ValueMend.doubleQuotes.contains(quote) {
      name = name.filter { !"\"'".contains($0) && !ValueMend.doubleQuotes.contains($0) }
    }
    let typed = name.split { $0 == " " || $0 == "\u{A0}" || $0 == "\t" }.joined(separator: "_")
    guard !typed.isEmpty, typed.utf8.count <= 64,
      typed.utf8.allSatisfy({ TableContext.isBareKeyByte($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    if name.contains(" ") || name.contains("\u{A0}") {
      words.append(("the name of a setting has a space in it", "write \(typed)"))
    }
    if sign == ":" { words.append(("a colon stands where = belongs", "name = value is the form")) }
    if sign.isEmpty { words.append(("= is missing between name and value", "name = value is the form")) }
    if sign.count > 1 { words.append(("\(sign) stands where = belongs", "name = value is the form")) }
    guard !value.isEmpty else {
      let text = "\(indent(of: line))# \(typed) =\(remark)"
      return LineMend(text, "the value behind = is missing", "write one, or take the line out")
    }
    var rest = value
    if let last = rest.last, ",;".contains(last), rest.count > 1 {
      rest = String(rest.dropLast()).trimmedSpaces
      if !isTOML("a = \(value)") { words.append(("\(last) stands at the end of the line", "take it out")) }
    }
    if let second = secondSetting(in: rest) {
      let text = "\(indent(of: line))\(typed) = \(second.first)\(remark)"
      return LineMend(
        text, "two settings stand in one line", "each has a line of its own: \(second.rest) belongs on the next")
    }
    if !isTOML("a = \(rest)") {
      guard let mend = ValueMend(of: rest) else { return nil }
      let shape = Schema.shape(of: table.isEmpty ? typed : "[\(table)].\(typed)")
      rest = shape.flatMap { $0.isMet(by: mend.text) ? nil : $0.mended(rest) ?? $0.mended(mend.text) } ?? mend.text
      words.insert((mend.message, mend.allowed), at: words.isEmpty || sign == "=" ? 0 : words.count)
    }
    let text = "\(indent(of: line))\(typed) = \(rest)\(remark)"
    guard let first = words.first else {
      return LineMend(
        text, "there is a special space between the words, as word processors and web pages write it",
        "type the line again")
    }
    let more = words.dropFirst().map { "; \($0.message)" }.joined()
    return LineMend(text, first.message + more, first.allowed)
  }

  /// A second setting after a value that is complete without it.
  private static func secondSetting(in value: String) -> (first: String, rest: String)? {
    guard let equals = value.lastIndex(of: "="), equals > value.startIndex else { return nil }
    let before = value[..<equals].trimmedSpaces
    guard let space = before.lastIndex(of: " ") else { return nil }
    let key = before[space...].trimmedSpaces
    var first = before[..<space].trimmedSpaces
    if let last = first.last, ",;".contains(last) { first = String(first.dropLast()) }
    guard Schema.isKey(key), isTOML("a = \(first)"), isTOML("\(key) =\(value[value.index(after: equals)...])") else {
      return nil
    }
    return (first, "\(key) =\(value[value.index(after: equals)...])")
  }

  /// Splits a line at `=`, else at a colon, else at the first space.
  private static func split(_ text: String) -> (key: String, sign: String, value: String)? {
    // Not inside quotes.
    let head = text.prefix { !"[{".contains($0) }
    if let sign = head.firstIndex(of: "=") {
      var end = sign
      while end < text.endIndex, "=>".contains(text[end]) { end = text.index(after: end) }
      var start = sign
      if start > text.startIndex, ":+".contains(text[text.index(before: start)]) { start = text.index(before: start) }
      return (text[..<start].trimmedSpaces, String(text[start..<end]), text[end...].trimmedSpaces)
    }
    if let colon = head.firstIndex(of: ":"), text[text.index(after: colon)...].first != "/",
      text[text.index(after: colon)...].first != "\\"
    {
      return (text[..<colon].trimmedSpaces, ":", text[text.index(after: colon)...].trimmedSpaces)
    }
    guard let space = text.firstIndex(where: { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }) else { return nil }
    let (key, value) = (text[..<space].trimmedSpaces, text[space...].trimmedSpaces)
    // A sentence isn't a setting.
    guard Schema.isKey(key), isTOML("a = \(value)") || !value.contains(" ") else { return nil }
    return (key, "", value)
  }

  /// The line without a comment, and the comment with the spaces before it.
  static func withoutRemark(_ line: String) -> (text: String, remark: String) {
    var quote: Character?
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open, !(open == "\"" && previous == "\\") { quote = nil }
      } else if character == "\"" || character == "'" {
        // Within a word it is an apostrophe.
        if !previous.isLetter { quote = character }
      } else if character == "#" {
        return cut(line, at: index)
      } else if character == "/", previous == " ", line[index...].hasPrefix("// ") || line[index...] == "//" {
        let (text, remark) = cut(line, at: index)
        return (text, remark.replacingFirst("//", with: "#"))
      }
      previous = character
    }
    // A quote that was never closed may have taken the comment along.
    guard quote != nil, let hash = line.lastIndex(of: "#"), hash > line.startIndex,
      line[line.index(before: hash)] == " "
    else { return (line, "") }
    return cut(line, at: hash)
  }

  private static func cut(_ line: String, at index: String.Index) -> (text: String, remark: String) {
    var start = index
    while start > line.startIndex, line[line.index(before: start)] == " " { start = line.index(before: start) }
    return (String(line[..<start]), String(line[start...]))
  }

  // MARK: Remarks

  /// Words that are no setting: a comment without its sign, or with that of another language.
  private static func remark(_ line: String) -> LineMend? {
    let trimmed = line.trimmedSpaces
    guard !trimmed.isEmpty, !trimmed.hasPrefix("[") else { return nil }
    let others = ["//", ";", "--", "/*", "<!--", "REM ", "rem ", "%"]
    let text =
      "\(indent(of: line))# \(others.first(where: trimmed.hasPrefix).map { String(trimmed.dropFirst($0.count)).trimmedSpaces } ?? trimmed)"
    if let sign = others.first(where: trimmed.hasPrefix) {
      return LineMend(text, "\(sign.trimmedSpaces) doesn't begin a remark", "a remark begins with #")
    }
    guard !trimmed.contains("=") else { return nil }
    return LineMend(text, "this line is no setting", "name = value is one, and a remark begins with #")
  }
}

extension String {
  fileprivate func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }

  fileprivate func firstRange(of part: String) -> Range<String.Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(part), let end = self.index(index, offsetBy: part.count, limitedBy: endIndex) {
        return index..<end
      }
      index = self.index(after: index)
    }
    return nil
  }
}

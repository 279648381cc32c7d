/// The likely correction of a value that isn't TOML, such as `yes`, `0,5` or `film.mp4`.
struct ValueMend: Hashable, Sendable {
  /// The value as TOML.
  var text: String
  /// The mistake; no full stop.
  var message: String
  /// The allowed form.
  var allowed: String

  init(_ text: String, _ message: String, _ allowed: String) {
    self.text = text
    self.message = message
    self.allowed = allowed
  }

  /// The longest value that is examined, in characters; a longer one gets no proposal.
  static let longest = 2000

  /// - Parameter value: without spaces around it and without a comment.
  init?(of value: String) {
    guard !value.isEmpty, value.unicodeScalars.count <= Self.longest else { return nil }
    let found =
      Self.list(value) ?? Self.curly(value) ?? Self.quoted(value) ?? Self.boolean(value) ?? Self.time(value)
      ?? Self.number(value) ?? Self.bare(value)
    guard let found else { return nil }
    self = found
  }

  // MARK: Quotes

  /// Typographic quotes, which word processors and web pages insert.
  static let doubleQuotes: Set<Character> = ["“", "”", "„", "‟", "«", "»", "″", "＂"]
  static let singleQuotes: Set<Character> = ["‘", "’", "‚", "‛", "‹", "›", "′", "´", "`", "＇"]

  private static func curly(_ value: String) -> ValueMend? {
    let isCurly = { (character: Character) in doubleQuotes.contains(character) || singleQuotes.contains(character) }
    let isQuote = { (character: Character) in isCurly(character) || character == "\"" || character == "'" }
    guard let first = value.first, let last = value.last, isCurly(first) || (isCurly(last) && isQuote(first)) else {
      return nil
    }
    var inner = value.dropFirst()
    if let end = inner.last, isQuote(end) { inner = inner.dropLast() }
    let curly = isCurly(first) ? first : last
    return ValueMend(
      TOMLText.mended(String(inner)), "\(curly) is a curly quote, and a text stands between straight quotes",
      "as the keyboard types them: \"")
  }

  /// A text in straight quotes that is wrong all the same.
  private static func quoted(_ value: String) -> ValueMend? {
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      guard let end = value.last, end == "\"" || end == "'", !value.contains(",") else { return nil }
      return ValueMend(
        TOMLText.mended(String(value.dropLast())), "the quote before the text is missing",
        "a text stands between two quotes")
    }
    let hasEnd = value.count > 1 && value.last == quote
    if value.contains("\\"), quote == "\"" {
      return backslash(hasEnd ? value.dropFirst().dropLast() : value.dropFirst(), isClosed: hasEnd)
    }
    if !hasEnd {
      var inner = value.dropFirst()
      if let end = inner.last, end == "\"" || end == "'" || doubleQuotes.contains(end) { inner = inner.dropLast() }
      return ValueMend(
        TOMLText.mended(String(inner)), "the quote behind the text is missing", "a text stands between two quotes")
    }
    let inner = value.dropFirst().dropLast()
    guard inner.contains(quote) else { return nil }
    return ValueMend(
      TOMLText.mended(String(inner)), "the text has quotes within its quotes",
      "put the whole into the other kind of quotes")
  }

  private static func backslash(_ inner: Substring, isClosed: Bool) -> ValueMend {
    var path = String(inner).split(separator: "\\", omittingEmptySubsequences: true).joined(separator: "/")
    let isDrive = inner.dropFirst().first == ":" || inner.hasPrefix("\\")
    if isDrive { path = path.split(separator: "/").last.map(String.init) ?? path }
    if !isDrive, inner.first == "\\" { path = "/" + path }
    let drive = isDrive ? "; a drive of Windows isn't on the board: put the file beside this one" : ""
    return ValueMend(
      TOMLText.mended(path), "a backslash between double quotes begins a code",
      "write / in place of it, or put the text in single quotes\(drive)\(isClosed ? "" : "; the quote behind it is missing")"
    )
  }

  // MARK: Words

  static let yes: Set<String> = ["yes", "on", "true", "ja", "an", "wahr", "oui", "si", "y", "enabled", "enable"]
  static let no: Set<String> = ["no", "off", "false", "nein", "aus", "falsch", "non", "n", "disabled", "disable"]

  static func boolean(_ value: String) -> ValueMend? {
    let word = value.lowercased()
    guard yes.contains(word) || no.contains(word), value != "true", value != "false" else { return nil }
    return ValueMend(
      yes.contains(word) ? "true" : "false", "\(value) is no word that is known here",
      "true or false is allowed, in small letters")
  }

  private static func bare(_ value: String) -> ValueMend? {
    guard let first = value.first, !"[{".contains(first), !value.contains("\"") else { return nil }
    // A second `=` begins another setting.
    guard !value.contains(" = ") else { return nil }
    var text = value
    if value.contains("\\") { text = String(backslash(value[...], isClosed: true).text.dropFirst().dropLast()) }
    return ValueMend(TOMLText.mended(text), "the text has no quotes around it", "a text stands between quotes")
  }

  // MARK: Numbers and times

  /// `8:30`, `08.30 Uhr`, `20:00 - 22:00`
  private static func time(_ value: String) -> ValueMend? {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3,
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigit) })
    else {
      let dots = value.split(separator: ".", omittingEmptySubsequences: false)
      guard dots.count == 3, dots[2].count == 4,
        dots.allSatisfy({ !$0.isEmpty && $0.count <= 4 && $0.allSatisfy(isDigit) }),
        dots[0].count <= 2, dots[1].count <= 2
      else { return nil }
      return ValueMend(
        "\(dots[2])-\(two(dots[1]))-\(two(dots[0]))", "the date begins with the day",
        "the year comes first, as in 2026-12-24")
    }
    return ValueMend(
      "\"" + parts.map(two).joined(separator: ":") + "\"", "the time has no quotes around it", "\"08:30\" is the form")
  }

  private static func two(_ digits: Substring) -> String { digits.count == 1 ? "0\(digits)" : String(digits) }
  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// A number with something that people write and TOML doesn't: a comma, a unit, a percent sign, zeros before it.
  static func number(_ value: String) -> ValueMend? {
    let head = value.prefix { isDigit($0) || ".,+-_".contains($0) }
    let unit = value.dropFirst(head.count).drop { $0 == " " || $0 == "\u{A0}" || $0 == "\u{202F}" }
    guard let number = plain(head) else { return nil }
    guard !unit.isEmpty else {
      guard number != value else { return nil }
      if head.contains(",") {
        return ValueMend(number, "the number has a comma in it", "a number has a point: \(number)")
      }
      if value.hasPrefix(".") || value.hasSuffix(".") {
        return ValueMend(number, "the number has no digit on one side of its point", "write \(number)")
      }
      return ValueMend(number, "the number has more than its digits", "write \(number)")
    }
    if ["kb", "mb", "gb", "tb"].contains(unit.lowercased()) {
      let letters = unit.lowercased() == "kb" ? "kB" : unit.uppercased()
      return ValueMend(
        "\"\(number) \(letters)\"", "the amount has no quotes around it",
        "an amount with its unit stands between quotes")
    }
    let factors: [String: Double] = [
      "%": 0.01, "percent": 0.01, "prozent": 0.01, "ms": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
      "sek": 1, "sekunden": 1, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60, "h": 3600,
      "hour": 3600, "hours": 3600, "std": 3600, "px": 1, "mm": 1, "hz": 1, "fps": 1, "x": 1, "°": 1, "deg": 1,
      "degree": 1,
      "degrees": 1, "grad": 1,
    ]
    guard let factor = factors[unit.lowercased()], let plain = Double(number) else { return nil }
    let result = spelled(plain * factor)
    if factor == 0.01 {
      return ValueMend(result, "\(unit) stands behind the number", "half is 0.5, and all is 1")
    }
    return ValueMend(
      result, "the number has a unit behind it", "write the number alone\(factor == 1 ? "" : ", in seconds")")
  }

  /// The number in TOML's spelling; nil if the text isn't a number.
  private static func plain(_ text: Substring) -> String? {
    var text = String(text)
    if text.hasPrefix("+") { text.removeFirst() }
    let sign = text.hasPrefix("-") ? "-" : ""
    text = text.dropFirst(sign.count).filter { $0 != "_" }.description
    guard !text.isEmpty, !text.contains("-"), !text.contains("+") else { return nil }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count <= 2, let whole = parts.first, whole.count + (parts.last?.count ?? 0) > 0 else { return nil }
    let digits = whole.drop { $0 == "0" }
    let start = digits.isEmpty ? "0" : String(digits)
    guard parts.count == 2 else { return sign + start }
    return sign + start + "." + (parts[1].isEmpty ? "0" : parts[1])
  }

  private static func spelled(_ value: Double) -> String {
    let rounded = (value * 1_000_000).rounded() / 1_000_000
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
  }

  // MARK: Lists

  /// `["mon" "tue"]`, `[mon, tue]`, `"mon", "tue"`, `["mon", "tue"`
  private static func list(_ value: String) -> ValueMend? {
    let hasStart = value.hasPrefix("[")
    let hasEnd = value.hasSuffix("]")
    let open = value.first.map { "({<".contains($0) } ?? false
    let inner = value.dropFirst(hasStart || open ? 1 : 0).dropLast(
      hasEnd || (open && value.last.map { ")}>".contains($0) } == true) ? 1 : 0)
    let (parts, separators) = elements(of: inner)
    guard hasStart || hasEnd || (parts.count > 1 && parts.allSatisfy(isQuoted)) || (open && parts.allSatisfy(isQuoted))
    else {
      return nil
    }
    guard !inner.contains("=") else { return nil }
    var mended: [String] = []
    var first: ValueMend?
    for part in parts {
      let isRight = isQuoted(part) && !part.contains("\\")
      if isRight || Double(part) != nil || part == "true" || part == "false" {
        mended.append(part)
        continue
      }
      guard let mend = curly(part) ?? quoted(part) ?? time(part) ?? number(part) ?? bare(part) else { return nil }
      first = first ?? mend
      mended.append(mend.text)
    }
    let text = "[" + mended.joined(separator: ", ") + "]"
    if !hasStart, !hasEnd { return ValueMend(text, "a list stands in square brackets", "[ before it and ] behind it") }
    if !hasEnd { return ValueMend(text, "the bracket ] behind the list is missing", "a list stands between [ and ]") }
    if !hasStart { return ValueMend(text, "the bracket [ before the list is missing", "a list stands between [ and ]") }
    if let first { return ValueMend(text, "in the list, \(first.message)", first.allowed) }
    if separators.contains(" ") {
      return ValueMend(text, "a comma is missing in the list", "a comma stands between its entries")
    }
    if separators.contains(";") {
      return ValueMend(text, "a semicolon stands in the list", "a comma stands between its entries")
    }
    return text == value ? nil : ValueMend(text, "the list can't be read", "a comma stands between its entries")
  }

  private static func isQuoted(_ part: String) -> Bool {
    guard part.count > 1, let quote = part.first, quote == "\"" || quote == "'", part.last == quote else {
      return false
    }
    return !part.dropFirst().dropLast().contains(quote)
  }

  /// The parts between commas, semicolons, and spaces after a quote; and these separators.
  private static func elements(of text: Substring) -> (parts: [String], separators: [Character]) {
    var parts: [String] = []
    var separators: [Character] = []
    var part = ""
    var quote: Character?
    var isClosed = false
    func isEnd(_ character: Character, of quote: Character) -> Bool {
      character == quote || (doubleQuotes.contains(quote) && doubleQuotes.contains(character))
    }
    func finish(_ separator: Character) {
      let trimmed = part.trimmedSpaces
      if !trimmed.isEmpty {
        parts.append(trimmed)
        separators.append(separator)
      }
      (part, isClosed) = ("", false)
    }
    for character in text {
      if let open = quote {
        part.append(character)
        if isEnd(character, of: open) { (quote, isClosed) = (nil, true) }
      } else if character == "," || character == ";" {
        finish(character)
      } else if isClosed, !character.isWhitespace {
        finish(" ")
        part.append(character)
        if "\"'".contains(character) || doubleQuotes.contains(character) { quote = character }
      } else {
        if part.allSatisfy(\.isWhitespace), "\"'".contains(character) || doubleQuotes.contains(character) {
          quote = character
        }
        part.append(character)
      }
    }
    finish(",")
    return (parts, Array(separators.dropLast()))
  }
}

extension StringProtocol {
  /// The text without spaces around it, including those of word processors.
  var trimmedSpaces: String {
    let isBlank = { (character: Character) in
      character.isWhitespace || character == "\u{200B}" || character == "\u{FEFF}"
    }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}

extension TOMLText {
  /// A text in the quotes that people type: double ones, or single ones if these need no backslash.
  static func mended(_ text: String) -> String {
    guard text.contains("\"") || text.contains("\\") else { return "\"\(text)\"" }
    return text.contains("'") ? quotedWhole(text) : "'\(text)'"
  }
}

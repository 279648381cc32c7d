internal import InteractionCore

extension Schema {
  /// The description of a key or table by its path, such as `playlist.main.item.uri`; nil if it doesn't exist.
  static func description(of path: some Sequence<some StringProtocol>) -> KeyDescription? {
    var keys = root.keys
    var found: KeyDescription?
    var isName = false
    for part in path {
      if isName {
        // A name that the user has chosen.
        isName = false
        continue
      }
      guard let key = keys.first(where: { $0.name == part }) else { return nil }
      (found, keys) = (key, key.inner)
      if case .namedTables = key.form { isName = true }
    }
    return found
  }

  /// Whether a table is written with two brackets; nil if there is no such table.
  static func isList(_ path: String) -> Bool? {
    switch description(of: path.split(separator: "."))?.form {
    case .tables: true
    case .table, .namedTables, .namedValues: false
    case .value, .inlineTable, nil: nil
    }
  }

  /// Whether any table has a key of that name.
  static func isKey(_ name: String) -> Bool { names.contains(name) }

  private static let names: Set<String> = {
    func names(_ keys: [KeyDescription]) -> [String] { keys.flatMap { [$0.name] + names($0.inner) } }
    return Set(names(root.keys))
  }()

  /// The shape of a key's values, by its path in diagnostics: `[playlist.main.item 2].uri`.
  static func shape(of keyPath: String) -> ValueShape? {
    var parts: [Substring] = []
    for part in keyPath.split(whereSeparator: { "[].".contains($0) }) {
      // The number of an element.
      parts.append(part.prefix { $0 != " " })
    }
    guard case .value(let shape)? = description(of: parts)?.form else { return nil }
    return shape
  }
}

extension ValueShape {
  /// Whether a value has this shape; patterns aren't checked.
  func accepts(_ value: TOMLNode.Value) -> Bool {
    switch (self, value) {
    case (.boolean, .boolean), (.text, .string), (.localText, .string), (.localText, .table): true
    case (.integer(let range), .integer(let number)): range.contains(number)
    case (.number(let range), .integer(let number)): range.contains(Double(number))
    case (.number(let range), .float(let number)): range.contains(number)
    case (.words(let words), .string(let word)): words.contains(word)
    case (.list(let shape, let count), .array(let elements)):
      count.contains(elements.count) && elements.allSatisfy { shape.accepts($0.value) }
    case (.scalar, .string), (.scalar, .integer), (.scalar, .float), (.scalar, .boolean): true
    case (.date, .string(let text)): ScheduleDate(parsing: text) != nil
    case (.date, .temporal(let text, .localDate)): ScheduleDate(parsing: text) != nil
    case (.time, .string(let text)): TimeOfDay(parsing: text) != nil
    case (.time, .temporal(_, .localTime)): true
    case (.moment, let value): value.momentText.flatMap { AlertEnd(parsing: $0) }?.isDate == true
    default: false
    }
  }

  /// Whether a text, read as TOML, is a value of this shape.
  func isMet(by text: String) -> Bool {
    (try? TOMLParser.whole(Array("a = \(text)\n".utf8)))?["a"].map { accepts($0.value) } == true
  }

  /// The value of this shape that a user probably meant by a value of another; nil without a likely one.
  ///
  /// - Parameter written: the value as in the file.
  func mended(_ written: String) -> String? {
    let inner = written.trimmingQuotes
    var candidates: [String] = []
    if let number = ValueMend.number(inner) { candidates += [number.text, number.text.trimmingQuotes] }
    if let word = ValueMend.boolean(inner) { candidates.append(word.text) }
    candidates += [inner, TOMLText.mended(inner), "[\(written)]"]
    switch self {
    case .boolean where inner == "1" || inner == "0": candidates.append(inner == "1" ? "true" : "false")
    case .words(let words):
      if let near = Suggestion.nearest(to: inner, among: words) { candidates.append("\"\(near)\"") }
    case .number(let range) where range.upperBound == 1:
      // Half as loud is 50 for most people.
      if let percent = Double(inner), percent > 1, percent <= 100 { candidates.append("\(percent / 100)") }
    case .time:
      if let short = Self.time(inner) { candidates.append(short) }
    case .list(let shape, _):
      let elements = inner.split { ",; ".contains($0) }.map(String.init)
      let mended = elements.compactMap { element -> String? in
        if case .words(let words) = shape {
          return Suggestion.nearest(to: String(element.prefix(3)), among: words).map { "\"\($0)\"" }
        }
        return TOMLText.mended(element)
      }
      if !elements.contains(where: { $0.contains("[") }), mended.count == elements.count {
        candidates.append("[" + mended.joined(separator: ", ") + "]")
      }
    default: break
    }
    return candidates.first { $0 != written && isMet(by: $0) }
  }

  /// `8`, `8:00`, `20 Uhr`, `8.30`
  private static func time(_ text: String) -> String? {
    let digits = text.split { !("0"..."9").contains($0) }
    guard let hour = digits.first, digits.count <= 2, hour.count <= 2, digits.last.map({ $0.count <= 2 }) == true else {
      return nil
    }
    func two(_ part: Substring) -> String { part.count == 1 ? "0\(part)" : String(part) }
    return "\"\(two(hour)):\(digits.count == 2 ? two(digits[1]) : "00")\""
  }
}

extension String {
  /// The text without quotes around it.
  var trimmingQuotes: String {
    guard count > 1, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }
}

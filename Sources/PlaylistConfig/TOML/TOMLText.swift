internal import PlaybackCore

/// Values as they are written in a file, for messages and for people: redacted.
enum TOMLText {
  /// Characters of a string that a message shows.
  private static let shownLength = 60

  /// A value on one line, shortened.
  static func spelled(_ node: TOMLNode) -> String {
    switch node.value {
    case .string(let text): quoted(text)
    case .integer(let number): String(number)
    case .float(let number): number.isNaN ? "nan" : String(number)
    case .boolean(let value): String(value)
    case .temporal(let text, _): text
    case .array(let elements): elements.isEmpty ? "[]" : "[...]"
    case .table(let table): table.entries.isEmpty ? "{}" : "{...}"
    }
  }

  /// A whole value as TOML, on one line.
  static func written(_ node: TOMLNode) -> String {
    switch node.value {
    case .string(let text): quoted(Redaction.value(text), limit: .max)
    case .array(let elements): "[" + elements.map(written).joined(separator: ", ") + "]"
    case .table(let table):
      table.entries.isEmpty
        ? "{}"
        : "{ " + table.entries.map { "\(key($0.key)) = \(written($0.node))" }.joined(separator: ", ") + " }"
    default: spelled(node)
    }
  }

  private static func key(_ name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(TableContext.isBareKeyByte) ? name : quoted(name, limit: .max)
  }

  /// A basic string, redacted, then shortened, with control characters escaped.
  static func quoted(_ text: String) -> String { quoted(Redaction.value(text), limit: shownLength) }

  /// A basic string with the text as it is: neither redacted nor shortened.
  static func quotedWhole(_ text: String) -> String { quoted(text, limit: .max) }

  private static func quoted(_ text: String, limit: Int) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.properties.generalCategory == .control:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    if text.unicodeScalars.dropFirst(limit).first != nil { quoted += "..." }
    return quoted + "\""
  }
}

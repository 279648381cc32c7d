/// Values as they are written in a file, for messages.
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

  /// A basic string, shortened, with control characters escaped.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(shownLength) {
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
    if text.unicodeScalars.dropFirst(shownLength).first != nil { quoted += "..." }
    return quoted + "\""
  }
}

/// A value to be written as JSON (RFC 8259); an object's members keep their order.
///
/// Reading isn't needed here. Foundation's encoder would put members in an order of its own and brings a library with it.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Infinities and NaN, which JSON doesn't have, become null.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value on one line.
  public var compact: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// The value over many lines, two spaces a level, without a line break at its end.
  public var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.spelled(value)
    case .string(let value): Self.write(quoted: value, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, indent: indent) { member, text, indent in
        Self.write(quoted: member.name, to: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ start: String, _ end: String, to text: inout String, indent: Int?,
    _ body: (Element, inout String, Int?) -> Void
  ) {
    text += start
    let inner = indent.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: "  ", count: inner) }
      body(element, &text, inner)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += end
  }

  private static func spelled(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return String(value)
  }

  private static func write(quoted value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

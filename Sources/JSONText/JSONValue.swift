internal import PlaybackCore

/// A value to be written as JSON (RFC 8259); an object's members keep their order.
///
/// The program writes all of its JSON, and reads that of others, through this type.
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

  /// How a value is laid out.
  private enum Layout {
    /// On one line.
    case line
    /// Over many lines, two spaces a level.
    case lines
    /// Like `lines`, with a space before each colon and an empty line in empty objects and lists: the layout that
    /// reports have always had.
    case report
  }

  /// The value on one line.
  public var compact: String { laidOut(.line) }

  /// The value over many lines, two spaces a level, without a line break at its end.
  public var pretty: String { laidOut(.lines) }

  /// The value as reports are laid out, members in the order of their names, without a line break at its end.
  public var report: String { sorted.laidOut(.report) }

  /// Objects with their members in the order of their names.
  private var sorted: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members): .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
    default: self
    }
  }

  private func laidOut(_ layout: Layout) -> String {
    var text = ""
    write(to: &text, layout, level: 0)
    return text
  }

  private func write(to text: inout String, _ layout: Layout, level: Int) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.spelled(value)
    case .string(let value): Self.write(quoted: value, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text, layout, level: level) { $0.write(to: &$1, layout, level: level + 1) }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, layout, level: level) { member, text in
        Self.write(quoted: member.name, to: &text)
        text += layout == .report ? " : " : layout == .lines ? ": " : ":"
        member.value.write(to: &text, layout, level: level + 1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ start: String, _ end: String, to text: inout String, _ layout: Layout, level: Int,
    _ body: (Element, inout String) -> Void
  ) {
    func newLine(_ level: Int) {
      if layout != .line { text += "\n" + String(repeating: "  ", count: level) }
    }
    text += start
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      newLine(level + 1)
      body(element, &text)
    }
    if elements.isEmpty, layout == .report { text += "\n" }
    if !elements.isEmpty || layout == .report { newLine(level) }
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
      // Escaped, so that a terminal shows the character without obeying it; for programs the text is the same.
      case _ where PlainText.isActive(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

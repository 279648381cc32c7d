public import JSONText

extension TOMLTable {
  /// The table in the form that toml-test compares: every value as `{"type": ..., "value": ...}` with the value in a
  /// string, tables as objects, arrays as arrays.
  public var taggedJSON: JSONValue {
    .object(entries.map { JSONValue.Member($0.key, $0.node.taggedJSON) })
  }
}

extension TOMLNode {
  fileprivate var taggedJSON: JSONValue {
    switch value {
    case .string(let text): Self.tagged("string", text)
    case .integer(let number): Self.tagged("integer", String(number))
    case .float(let number): Self.tagged("float", Self.spelled(number))
    case .boolean(let value): Self.tagged("bool", String(value))
    case .temporal(let text, let kind): Self.tagged(Self.tag(of: kind), text)
    case .array(let elements): .array(elements.map(\.taggedJSON))
    case .table(let table): table.taggedJSON
    }
  }

  private static func tagged(_ type: String, _ value: String) -> JSONValue {
    .object([JSONValue.Member("type", .string(type)), JSONValue.Member("value", .string(value))])
  }

  /// The sign of a NaN says nothing.
  private static func spelled(_ number: Double) -> String { number.isNaN ? "nan" : String(number) }

  private static func tag(of kind: Kind) -> String {
    switch kind {
    case .offsetDateTime: "datetime"
    case .localDateTime: "datetime-local"
    case .localDate: "date-local"
    default: "time-local"
    }
  }
}

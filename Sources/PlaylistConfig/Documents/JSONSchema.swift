public import JSONText

extension ConfigurationDocuments {
  /// The format as JSON Schema, draft 7, for editors that complete and check TOML.
  public static var jsonSchema: JSONValue {
    var schema = object(of: Schema.root.keys)
    schema.insert(JSONValue.Member("$schema", .string("http://json-schema.org/draft-07/schema#")), at: 0)
    schema.insert(JSONValue.Member("title", .string("Vitrine configuration")), at: 1)
    return .object(schema)
  }

  private static func object(of keys: [KeyDescription]) -> [JSONValue.Member] {
    var members = [
      JSONValue.Member("type", .string("object")),
      JSONValue.Member("additionalProperties", .boolean(false)),
      JSONValue.Member("properties", .object(keys.map { JSONValue.Member($0.name, .object(property($0))) })),
    ]
    let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { members.append(JSONValue.Member("required", .array(required))) }
    return members
  }

  private static func property(_ key: KeyDescription) -> [JSONValue.Member] {
    var members = [JSONValue.Member("description", .string(key.summary))]
    switch key.form {
    case .value(let shape): members += self.members(of: shape)
    case .table(let keys), .inlineTable(let keys): members += object(of: keys)
    case .namedTables(_, let keys):
      members += [
        JSONValue.Member("type", .string("object")),
        JSONValue.Member("propertyNames", .object([JSONValue.Member("pattern", .string("^[A-Za-z0-9_-]+$"))])),
        JSONValue.Member("additionalProperties", .object(object(of: keys))),
      ]
    case .namedValues(_, let pattern, let shape):
      members += [
        JSONValue.Member("type", .string("object")),
        JSONValue.Member("propertyNames", .object([JSONValue.Member("pattern", .string(pattern))])),
        JSONValue.Member("additionalProperties", .object(self.members(of: shape))),
      ]
    case .tables(let keys):
      members += [
        JSONValue.Member("type", .string("array")), JSONValue.Member("items", .object(object(of: keys))),
      ]
      if key.isRequired { members.append(JSONValue.Member("minItems", .integer(1))) }
    }
    if let value = key.defaultText.flatMap(json) { members.append(JSONValue.Member("default", value)) }
    return members
  }

  private static func members(of shape: ValueShape) -> [JSONValue.Member] {
    switch shape {
    case .boolean: return [JSONValue.Member("type", .string("boolean"))]
    case .integer(let range):
      return [
        JSONValue.Member("type", .string("integer")), JSONValue.Member("minimum", .integer(range.lowerBound)),
        JSONValue.Member("maximum", .integer(range.upperBound)),
      ]
    case .number(let range):
      return [
        JSONValue.Member("type", .string("number")), JSONValue.Member("minimum", .number(range.lowerBound)),
        JSONValue.Member("maximum", .number(range.upperBound)),
      ]
    case .text(let pattern):
      return [JSONValue.Member("type", .string("string"))]
        + [pattern.map { JSONValue.Member("pattern", .string($0)) }].compactMap(\.self)
    case .words(let words):
      return [
        JSONValue.Member("type", .string("string")),
        JSONValue.Member("enum", .array(words.map { .string($0) })),
      ]
    case .localText:
      let text = JSONValue.object([JSONValue.Member("type", .string("string"))])
      return [
        JSONValue.Member("type", .array([.string("string"), .string("object")])),
        JSONValue.Member("additionalProperties", text),
      ]
    case .list(let element, let count):
      return [
        JSONValue.Member("type", .string("array")), JSONValue.Member("items", .object(members(of: element))),
        JSONValue.Member("minItems", .integer(Int64(count.lowerBound))),
        JSONValue.Member("maxItems", .integer(Int64(count.upperBound))),
      ]
    case .scalar:
      let types = ["string", "integer", "number", "boolean"]
      return [JSONValue.Member("type", .array(types.map { .string($0) }))]
    // Editors hand TOML's dates and times on as texts.
    case .date: return [JSONValue.Member("type", .string("string"))]
    case .time, .moment: return [JSONValue.Member("type", .string("string"))]
    }
  }

  private static func json(_ text: String) -> JSONValue? {
    guard let value = try? TOMLParser.parse("value = \(text)")["value"]?.value else { return nil }
    switch value {
    case .string(let text): return .string(text)
    case .integer(let number): return .integer(number)
    case .float(let number): return .number(number)
    case .boolean(let value): return .boolean(value)
    case .temporal, .array, .table: return nil
    }
  }
}

extension JSONValue {
  /// How the names of properties become those of members.
  public enum Names: Sendable {
    case asTheyAre
    /// `planeScales` becomes `plane_scales`.
    case snakeCase

    func name(_ property: String) -> String {
      guard self == .snakeCase else { return property }
      var words = ""
      let letters = Array(property)
      for (index, letter) in letters.enumerated() {
        // The last of several capitals begins a word: `crtcID` has two words, `isHDRScreen` three.
        let begins =
          index > 0 && letter.isUppercase
          && (!letters[index - 1].isUppercase || (index + 1 < letters.count && letters[index + 1].isLowercase))
        words += (begins ? "_" : "") + letter.lowercased()
      }
      return words
    }
  }

  /// - Throws: the value's own errors, and an error for a number outside 64 bits with a sign.
  public init(encoding value: some Encodable, names: Names = .asTheyAre) throws {
    let node = JSONNode()
    try JSONNodeEncoder(node: node, names: names, codingPath: []).encode(value)
    self = node.value
  }
}

/// A value under construction: containers are handed out before their content is known.
private final class JSONNode {
  private enum Content {
    case value(JSONValue)
    case elements([JSONNode])
    case members([(name: String, node: JSONNode)])
  }

  /// Nil if the value has encoded nothing, which becomes an empty object.
  private var content: Content?

  var value: JSONValue {
    switch content {
    case .value(let value): value
    case .elements(let elements): .array(elements.map(\.value))
    case .members(let members): .object(members.map { JSONValue.Member($0.name, $0.node.value) })
    case nil: .object([])
    }
  }

  var count: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

  func set(_ value: JSONValue) { content = .value(value) }

  func beginElements() { if case .elements = content {} else { content = .elements([]) } }

  func beginMembers() { if case .members = content {} else { content = .members([]) } }

  func appendElement() -> JSONNode {
    let node = JSONNode()
    var elements: [JSONNode] = []
    if case .elements(let those) = content { elements = those }
    // Let go of before it grows: a list that is held twice is copied for each element.
    content = nil
    elements.append(node)
    content = .elements(elements)
    return node
  }

  /// A member that is there already is replaced.
  func appendMember(_ name: String) -> JSONNode {
    let node = JSONNode()
    var members: [(name: String, node: JSONNode)] = []
    if case .members(let those) = content { members = those.filter { $0.name != name } }
    content = .members(members + [(name, node)])
    return node
  }
}

private struct JSONNodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  let names: JSONValue.Names
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginMembers()
    return KeyedEncodingContainer(JSONMembers<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginElements()
    return JSONElements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(.boolean(value)) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Double) { node.set(.number(value)) }
  // Converted by its shortest text: the nearest Double would print more digits than the Float has.
  func encode(_ value: Float) { node.set(.number(Double(value.description) ?? Double(value))) }
  func encode(_ value: Int) throws { try encode(integer: value) }
  func encode(_ value: Int8) throws { try encode(integer: value) }
  func encode(_ value: Int16) throws { try encode(integer: value) }
  func encode(_ value: Int32) throws { try encode(integer: value) }
  func encode(_ value: Int64) throws { try encode(integer: value) }
  func encode(_ value: UInt) throws { try encode(integer: value) }
  func encode(_ value: UInt8) throws { try encode(integer: value) }
  func encode(_ value: UInt16) throws { try encode(integer: value) }
  func encode(_ value: UInt32) throws { try encode(integer: value) }
  func encode(_ value: UInt64) throws { try encode(integer: value) }
  func encode(_ value: some Encodable) throws { try value.encode(to: self) }

  private func encode(integer: some BinaryInteger) throws {
    guard let value = Int64(exactly: integer) else {
      throw EncodingError.invalidValue(
        integer, EncodingError.Context(codingPath: codingPath, debugDescription: "more than 64 bits with a sign hold"))
    }
    node.set(.integer(value))
  }

  func child(_ node: JSONNode, _ key: any CodingKey) -> JSONNodeEncoder {
    JSONNodeEncoder(node: node, names: names, codingPath: codingPath + [key])
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONNodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func member(_ key: some CodingKey) -> JSONNodeEncoder {
    encoder.child(encoder.node.appendMember(encoder.names.name(key.stringValue)), key)
  }

  func encodeNil(forKey key: Key) { member(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws { try value.encode(to: member(key)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { member(JSONPlace(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let encoder: JSONNodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private func element() -> JSONNodeEncoder {
    encoder.child(encoder.node.appendElement(), JSONPlace(intValue: count))
  }

  func encodeNil() { element().encodeNil() }
  func encode(_ value: some Encodable) throws { try value.encode(to: element()) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}

/// The place of an element in its list, for messages.
private struct JSONPlace: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension JSONValue {
  /// Reads one value (RFC 8259) from untrusted bytes.
  ///
  /// Stricter than some parsers: a name that stands twice in an object is refused, because two readers could read it
  /// differently, and so are bytes that aren't UTF-8.
  /// - Parameter depth: how deep arrays and objects may be nested; the parser recurses as deep.
  public init(parsing bytes: some Collection<UInt8>, depth: Int = 16) throws(JSONProblem) {
    var parser = JSONParser(bytes: Array(bytes), depthLimit: depth)
    self = try parser.document()
  }

  /// A member of an object; nil without such a member, or if this isn't an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var text: String? { if case .string(let text) = self { text } else { nil } }
  public var truth: Bool? { if case .boolean(let value) = self { value } else { nil } }
  public var wholeNumber: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The number as a Double, also of a whole number.
  public var realNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
  public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

/// Why bytes are no JSON.
public struct JSONProblem: Error, Hashable, Sendable {
  /// The fault, for people.
  public var text: String
  /// How many bytes stand before it.
  public var offset: Int
}

private struct JSONParser {
  let bytes: [UInt8]
  let depthLimit: Int
  private var place = 0

  init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func document() throws(JSONProblem) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard place == bytes.count else { throw problem("something follows the value") }
    return value
  }

  private func problem(_ text: String) -> JSONProblem { JSONProblem(text: text, offset: place) }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
  }

  private mutating func consumeCharacter(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-")?: return try number()
    case let digit? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit): return try number()
    case nil: throw problem("it ends where a value should be")
    default: throw problem("a value can't begin so")
    }
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
    guard bytes[place...].starts(with: text.utf8) else { throw problem("a value can't begin so") }
    place += text.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONProblem) -> JSONValue {
    guard depth < depthLimit else { throw problem("too many arrays and objects in each other") }
    place += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if consumeCharacter("]") { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if consumeCharacter("]") { return .array(elements) }
      guard consumeCharacter(",") else { throw problem("a comma or a ] is missing") }
    }
  }

  private mutating func object(depth: Int) throws(JSONProblem) -> JSONValue {
    guard depth < depthLimit else { throw problem("too many arrays and objects in each other") }
    place += 1
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipBlanks()
    if consumeCharacter("}") { return .object([]) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
      let name = try string()
      guard names.insert(name).inserted else { throw problem("a name stands twice") }
      skipBlanks()
      guard consumeCharacter(":") else { throw problem("a colon is missing") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      skipBlanks()
      if consumeCharacter("}") { return .object(members) }
      guard consumeCharacter(",") else { throw problem("a comma or a } is missing") }
    }
  }

  // MARK: Numbers

  private mutating func digits() -> Int {
    let start = place
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    return place - start
  }

  private mutating func number() throws(JSONProblem) -> JSONValue {
    let start = place
    var isWhole = true
    _ = consumeCharacter("-")
    if !consumeCharacter("0"), digits() == 0 { throw problem("a digit is missing") }
    if consumeCharacter(".") {
      isWhole = false
      if digits() == 0 { throw problem("a digit is missing") }
    }
    if consumeCharacter("e") || consumeCharacter("E") {
      isWhole = false
      if !consumeCharacter("+") { _ = consumeCharacter("-") }
      if digits() == 0 { throw problem("a digit is missing") }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw problem("the number is too large") }
    return .number(value)
  }

  // MARK: Strings

  private mutating func string() throws(JSONProblem) -> String {
    place += 1
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else { throw problem("a string isn't UTF-8") }
        return valid
      case UInt8(ascii: "\\"): text += try escaped().utf8
      case 0..<0x20: throw problem("a control character stands in a string")
      default: text.append(byte)
      }
    }
    throw problem("a string has no end")
  }

  private mutating func escaped() throws(JSONProblem) -> String {
    guard let byte = next else { throw problem("a string has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try scalar())
    default: throw problem("there is no such escape")
    }
  }

  private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A character of two surrogates; a single surrogate isn't a character.
    guard (0xD800..<0xDC00).contains(first), consumeCharacter("\\"), consumeCharacter("u") else {
      throw problem("half a character")
    }
    let second = try unit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw problem("half a character") }
    return scalar
  }

  private mutating func unit() throws(JSONProblem) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("an escape has four hexadecimal digits")
      }
      place += 1
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

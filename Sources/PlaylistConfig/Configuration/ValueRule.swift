import PlaybackCore

/// The rule of a key's values: which are allowed, how one is read, and how it is written.
///
/// One rule serves the reader, the diagnostics, the schema and the reference documentation.
struct ValueRule<Value>: Sendable {
  /// The allowed values in words, as the beginning of "... is allowed".
  let allowed: String
  let shape: ValueShape
  /// Reads a value of the right kind. Throws its fault, as the beginning of a sentence.
  let read: @Sendable (TOMLNode) throws(Refusal) -> Value
  /// A value as it would be written in a file.
  let spell: @Sendable (Value) -> String
}

/// Why a value is refused.
struct Refusal: Error {
  let message: String
  /// Replaces the rule's `allowed` when more can be said.
  var allowed: String?

  init(_ message: String, allowed: String? = nil) {
    self.message = message
    self.allowed = allowed
  }

  static func kind(_ node: TOMLNode, expected: String) -> Refusal {
    Refusal("is of type \(node.kind.rawValue) and not \(expected)")
  }
}

extension ValueRule where Value == Bool {
  static var boolean: Self {
    ValueRule(allowed: "true or false is allowed", shape: .boolean) { (node) throws(Refusal) in
      guard case .boolean(let value) = node.value else { throw .kind(node, expected: "boolean") }
      return value
    } spell: {
      String($0)
    }
  }
}

extension ValueRule where Value == Int64 {
  static func exactly(_ wanted: Int64) -> Self {
    ValueRule(allowed: "\(wanted) is allowed", shape: .integer(wanted...wanted)) { (node) throws(Refusal) in
      guard case .integer(let value) = node.value else { throw .kind(node, expected: "integer") }
      guard value == wanted else { throw Refusal("is not known to this version of vitrine") }
      return value
    } spell: {
      String($0)
    }
  }
}

extension ValueRule where Value == Int {
  static func integer(in range: ClosedRange<Int64>) -> Self {
    let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound) is allowed"
    return ValueRule(allowed: allowed, shape: .integer(range)) { (node) throws(Refusal) in
      guard case .integer(let value) = node.value else { throw .kind(node, expected: "integer") }
      guard value >= range.lowerBound else { throw Refusal("is too small") }
      guard value <= range.upperBound else { throw Refusal("is too large") }
      return Int(value)
    } spell: {
      String($0)
    }
  }
}

extension ValueRule where Value == Double {
  static func number(in range: ClosedRange<Double>, of unit: String = "") -> Self {
    let what = unit.isEmpty ? "a number" : "a number of \(unit)"
    let allowed = "\(what) from \(spelled(range.lowerBound)) to \(spelled(range.upperBound)) is allowed"
    return ValueRule(allowed: allowed, shape: .number(range)) { (node) throws(Refusal) in
      let value: Double
      switch node.value {
      case .integer(let whole): value = Double(whole)
      case .float(let number): value = number
      default: throw .kind(node, expected: "number")
      }
      guard !value.isNaN else { throw Refusal("is not a number") }
      guard value >= range.lowerBound else { throw Refusal("is too small") }
      guard value <= range.upperBound else { throw Refusal("is too large") }
      return value
    } spell: {
      spelled($0)
    }
  }

  static func spelled(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}

extension ValueRule where Value == Duration {
  static func seconds(in range: ClosedRange<Double>) -> Self {
    let number = ValueRule<Double>.number(in: range, of: "seconds")
    return ValueRule(allowed: number.allowed, shape: number.shape) { (node) throws(Refusal) in
      // Rounded to milliseconds: 0.1 is then exactly a tenth.
      .milliseconds(Int64((try number.read(node) * 1000).rounded()))
    } spell: {
      number.spell($0.inSeconds)
    }
  }
}

extension ValueRule where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
  /// A word that is the raw value of an enumeration's case.
  static var word: Self {
    let words = Value.allCases.map(\.rawValue)
    let allowed = Refusal.listed(words)
    return ValueRule(allowed: allowed, shape: .words(words)) { (node) throws(Refusal) in
      guard case .string(let word) = node.value else { throw .kind(node, expected: "string") }
      guard let value = Value(rawValue: word) else { throw .unknown(word, among: words) }
      return value
    } spell: {
      TOMLText.quoted($0.rawValue)
    }
  }
}

extension Refusal {
  static func listed(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: ", ") + (words.count == 1 ? " is" : " are") + " allowed"
  }

  static func unknown(_ word: String, among words: [String]) -> Refusal {
    let meant = Suggestion.nearest(to: word, among: words).map { " (did you mean \"\($0)\"?)" } ?? ""
    return Refusal("is not known\(meant)")
  }
}

extension ValueRule where Value == DisplayMode {
  static var displayMode: Self {
    ValueRule(
      allowed: "\"auto\", \"match\", \"1920x1080\", \"1920x1080@60\" or \"1920x1080@match\" is allowed",
      shape: .text(pattern: "^(auto|match|[0-9]{1,5}x[0-9]{1,5}(@match|@[0-9]{1,4}([.][0-9]{1,3})?)?)$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let mode = DisplayMode(parsing: text) else { throw Refusal("is not a display mode") }
      return mode
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == UInt32 {
  /// A colour as 0xRRGGBB.
  static var colour: Self {
    ValueRule(
      allowed: "\"#RRGGBB\" with hexadecimal digits is allowed", shape: .text(pattern: "^#[0-9A-Fa-f]{6}$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      let digits = text.utf8.dropFirst()
      guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, !digits.contains(UInt8(ascii: "+")),
        !digits.contains(UInt8(ascii: "-")),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw Refusal("is not a colour") }
      return value
    } spell: { value in
      let digits = String(value & 0xFFFFFF, radix: 16, uppercase: true)
      return TOMLText.quoted("#" + String(repeating: "0", count: 6 - digits.count) + digits)
    }
  }
}

extension ValueRule where Value == ScreenRotation {
  static var rotation: Self {
    ValueRule(allowed: "0, 90, 180 or 270 (degrees, clockwise) is allowed", shape: .integer(0...270)) {
      (node) throws(Refusal) in
      guard case .integer(let degrees) = node.value else { throw .kind(node, expected: "integer") }
      guard let value = Int(exactly: degrees).flatMap(ScreenRotation.init) else { throw Refusal("is no quarter turn") }
      return value
    } spell: {
      String($0.rawValue)
    }
  }
}

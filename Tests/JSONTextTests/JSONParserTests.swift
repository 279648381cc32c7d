import JSONText
import Testing

@Suite("Parsing of JSON")
struct JSONParserTests {
  private func parse(_ text: String) -> JSONValue? { try? JSONValue(parsing: text.utf8) }

  @Test("Values of every kind parse")
  func values() {
    let text =
      #" {"a": [1, -0, 2.5e1, true, false, null], "b": {}, "c": [], "d": "\u00e4\ud83d\ude00\n\"\\\/\b\f\r\t"} "#
    let expected: JSONValue = .object([
      .init("a", .array([.integer(1), .integer(0), .number(25), .boolean(true), .boolean(false), .null])),
      .init("b", .object([])), .init("c", .array([])), .init("d", .string("ä😀\n\"\\/\u{8}\u{C}\r\t")),
    ])
    #expect(parse(text) == expected)
    #expect(parse("9223372036854775807") == .integer(.max))
    #expect(parse("9223372036854775808") == .number(9223372036854775808))
    #expect(expected["a"]?.elements?.count == 6 && expected["x"] == nil && JSONValue.null["a"] == nil)
    #expect(JSONValue.integer(2).realNumber == 2 && JSONValue.number(2).wholeNumber == nil)
  }

  @Test(
    "A text that isn't JSON is refused",
    arguments: [
      "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "01", "1.", ".5", "-", "1e",
      "+1",
      "tru", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "1 2",
      "[1]]", "1e999", "NaN", "{\"a\":1,\"a\":2}", "'a'", "/* */1",
    ])
  func refused(text: String) { #expect(parse(text) == nil) }

  @Test("Bytes that aren't UTF-8, and values nested too deep, are refused")
  func hostile() {
    #expect((try? JSONValue(parsing: [0x22, 0xFF, 0x22])) == nil)
    #expect((try? JSONValue(parsing: [0x22, 0xC0, 0x80, 0x22])) == nil)
    let deep = String(repeating: "[", count: 100_000)
    #expect(parse(deep) == nil)
    #expect(parse(String(repeating: "[", count: 16) + String(repeating: "]", count: 16)) != nil)
    #expect(parse(String(repeating: "[", count: 17) + String(repeating: "]", count: 17)) == nil)
  }

  @Test("Parsing gives back each value that was written")
  func roundTrip() throws {
    var seed: UInt64 = 7
    func random(_ limit: UInt64) -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (seed >> 33) % limit
    }
    func value(_ depth: Int) -> JSONValue {
      switch random(depth > 3 ? 5 : 7) {
      case 0: .null
      case 1: .boolean(random(2) == 0)
      case 2: .integer(Int64(bitPattern: random(1 << 31) << 32 | random(1 << 31)))
      case 3: .number(Double(random(1000)) + 0.25)
      case 4:
        .string(
          String(String.UnicodeScalarView((0..<random(9)).compactMap { _ in Unicode.Scalar(UInt32(random(0x3000))) })))
      case 5: .array((0..<random(4)).map { _ in value(depth + 1) })
      default: .object((0..<random(4)).map { JSONValue.Member("k\($0)", value(depth + 1)) })
      }
    }
    for _ in 0..<2000 {
      let made = value(0)
      #expect(try JSONValue(parsing: made.compact.utf8) == made)
      #expect(try JSONValue(parsing: made.pretty.utf8) == made)
    }
  }
}

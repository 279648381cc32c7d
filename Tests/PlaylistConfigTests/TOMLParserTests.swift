import PlaylistConfig
import Testing

@Suite("TOML parser")
struct TOMLParserTests {
  @Test("Every kind of value arrives with its value and its places")
  func kinds() throws {
    let table = try TOMLParser.parse(
      """
      text = "a\\tb é"
      whole = -42
      real = 1.5
      yes = true
      instant = 1979-05-27T07:32:00.5Z
      moment = 1979-05-27T07:32:00
      day = 1979-05-27
      hour = 07:32:00
      list = [1, "two"]
      inner = { a.b = 3 }
      """)
    let values: [(String, TOMLNode.Value)] = table.entries.prefix(8).map { ($0.key, $0.node.value) }
    #expect(values.map(\.0) == ["text", "whole", "real", "yes", "instant", "moment", "day", "hour"])
    #expect(
      values.map(\.1) == [
        .string("a\tb é"), .integer(-42), .float(1.5), .boolean(true),
        .temporal("1979-05-27T07:32:00.5Z", .offsetDateTime), .temporal("1979-05-27T07:32:00", .localDateTime),
        .temporal("1979-05-27", .localDate), .temporal("07:32:00", .localTime),
      ])
    #expect(
      table["list"]?.value
        == .array([
          TOMLNode(.integer(1), at: TOMLPosition(line: 9, column: 9)),
          TOMLNode(.string("two"), at: TOMLPosition(line: 9, column: 12)),
        ]))
    guard case .table(let inner)? = table["inner"]?.value, case .table(let a)? = inner["a"]?.value else {
      Issue.record("the inner tables are missing")
      return
    }
    #expect(a["b"]?.value == .integer(3))
    #expect(a["b"]?.keyPosition == TOMLPosition(line: 10, column: 13))
  }

  @Test("Columns count characters, not bytes")
  func columns() throws {
    let table = try TOMLParser.parse("\"é ü\" = 1")
    #expect(table["é ü"]?.position == TOMLPosition(line: 1, column: 9))
    #expect(table["é ü"]?.keyPosition == TOMLPosition(line: 1, column: 1))
  }

  @Test("Members keep the order of the file")
  func order() throws {
    let table = try TOMLParser.parse("z = 1\na = 2\n[m]\n[b]\n")
    #expect(table.entries.map(\.key) == ["z", "a", "m", "b"])
  }

  @Test(
    "A fault is reported with its place",
    arguments: [
      ("[\n", 1, 2, "key"),
      ("a = 1\na = 2\n", 2, 6, "redefine"),
      ("a = \n", 1, 5, "value"),
      ("ok = 1\nb = \"open\n", 2, 10, "string"),
      ("a = é", 1, 5, "value"),
      ("a = \(String(repeating: "[", count: 100_000))", 1, 37, "nested"),
      ("\(String(repeating: "a.", count: 100_000))b = 1", 1, 32, "more than 16 parts"),
      ("[\(String(repeating: "a.", count: 100_000))b]", 1, 33, "more than 16 parts"),
    ])
  func faults(text: String, line: Int, column: Int, word: String) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(text) }
    #expect(error?.position?.line == line)
    #expect(error?.position.map { abs($0.column - column) <= 1 } == true, "\(String(describing: error?.position))")
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("Dots in strings and comments are no depth")
  func dots() throws {
    let dots = String(repeating: "a.", count: 100)
    let quotes = "\"\"\""
    let text = """
      a = "\(dots)" # \(dots)
      b = '\(dots)'
      c = \(quotes)\(dots)" \\\(quotes)
      \(dots)\(quotes)
      d = '''
      '\(dots)''''
      e = "" # \(dots)
      "\(dots)".f = 1
      """
    #expect(try TOMLParser.parse(text).entries.map(\.key) == ["a", "b", "c", "d", "e", dots])
  }

  @Test("A text beyond the limit is refused as a whole")
  func limit() throws {
    let comment = [UInt8](repeating: UInt8(ascii: "#"), count: TOMLParser.maximumLength)
    #expect(try TOMLParser.parse(comment) == TOMLTable())
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(comment + [UInt8(ascii: "#")]) }
    #expect(error?.position == nil)
  }

  @Test(
    "Nasty texts are errors",
    arguments: [
      [0x00], [0x61, 0x20, 0x3D, 0x20, 0x00], [0xFF, 0xFE], [0x61, 0x3D, 0x22, 0xC3, 0x22],
      [0x61, 0x3D, 0x22, 0xED, 0xA0, 0x80, 0x22],
      Array("[".utf8), Array("[[".utf8), Array("[[a]\n".utf8), Array("[a\r".utf8), Array("= 1".utf8),
      Array("a = 1e".utf8),
      Array("a = 99999999999999999999".utf8), Array("a = \"\\u\"".utf8), Array("a = \"\\UFFFFFFFF\"".utf8),
      Array("a = 1979-13-45".utf8), Array("a = {b = 1,}".utf8), Array("a = [1,,2]".utf8), Array("a = \"\"\"".utf8),
      Array("[a]\n[a]\n".utf8), Array("a = {}\na.b = 1".utf8), Array("a = [{}]\n[[a]]".utf8), Array("a\n".utf8),
    ] as [[UInt8]])
  func nasty(bytes: [UInt8]) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(bytes) }
    #expect(error?.message.isEmpty == false)
    #expect(error?.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } == true)
  }

  @Test("Two thousand random texts neither trap nor hang; each is a table or an error with a message")
  func random() {
    var texts = HostileTexts(seed: 20_260_401)
    var tables = 0
    var errors = 0
    for _ in 0..<2000 {
      do {
        _ = try TOMLParser.parse(texts.next())
        tables += 1
      } catch {
        #expect(!error.message.isEmpty)
        errors += 1
      }
    }
    // Both happen, or the texts are not worth trying.
    #expect(tables > 200 && errors > 800)
  }
}

import Foundation
import JSONText
import KioskTestSupport
import PlaylistConfig
import Testing

/// The cases of toml-test (https://github.com/toml-lang/toml-test) as Debian packages them.
enum TOMLTestCases {
  static let root = URL(
    filePath: "/usr/share/gocode/src/github.com/BurntSushi/toml/internal/toml-test/tests", directoryHint: .isDirectory)

  static let missing: String? =
    FileManager.default.fileExists(atPath: root.path) ? nil : "golang-github-burntsushi-toml-dev is not installed"

  /// Cases of TOML 1.1 that 1.0 doesn't have, by toml-test's version.go.
  static let ofOtherVersions: Set<String> = [
    "valid/string/escape-esc", "valid/string/hex-escape", "valid/datetime/no-seconds", "valid/inline-table/newline",
    "valid/key/unicode",
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: [UInt8]
    /// Nil for an invalid case.
    var expected: Data?
    var testDescription: String { name }
  }

  static let all: [Case] = {
    guard let paths = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] else { return [] }
    return paths.sorted().flatMap { path -> [Case] in
      guard let data = FileManager.default.contents(atPath: root.appending(path: path).path) else { return [] }
      if path.hasSuffix(".multi") { return expanded(data, name: path) }
      guard path.hasSuffix(".toml") else { return [] }
      let name = String(path.dropLast(5))
      guard !ofOtherVersions.contains(name) else { return [] }
      let json = FileManager.default.contents(atPath: root.appending(path: name + ".json").path)
      return [Case(name: name, text: [UInt8](data), expected: json)]
    }
  }()

  static let valid = all.filter { $0.name.hasPrefix("valid/") }
  static let invalid = all.filter { $0.name.hasPrefix("invalid/") }

  /// Every line of such a file is an invalid text of its own; `\xNN` stands for a byte.
  private static func expanded(_ data: Data, name: String) -> [Case] {
    String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      var bytes: [UInt8] = []
      var rest = Array(line.utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
          let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
        {
          bytes.append(value)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return Case(name: "\(name): \(line.prefix { $0 != "=" })", text: bytes, expected: nil)
    }
  }
}

@Suite("toml-test", .enabled(if: TOMLTestCases.missing == nil, "golang-github-burntsushi-toml-dev is not installed"))
struct TOMLConformanceTests {
  @Test("The cases are all there")
  func count() {
    // Debian 12's; Debian 13 has 180.
    #expect(TOMLTestCases.valid.count >= 99)
    #expect(TOMLTestCases.invalid.count > 300)
  }

  @Test("Every valid TOML 1.0 text gives its expected values", arguments: TOMLTestCases.valid)
  func valid(_ item: TOMLTestCases.Case) throws {
    let expected = try JSONSerialization.jsonObject(with: #require(item.expected))
    let table = try TOMLParser.parse(item.text)
    let found = try JSONSerialization.jsonObject(with: Data(table.taggedJSON.compact.utf8))
    #expect(TaggedJSON.difference(expected, found) == nil)
  }

  @Test(
    "Every invalid TOML 1.0 text is refused, with a place and a message of one line", arguments: TOMLTestCases.invalid)
  func invalid(_ item: TOMLTestCases.Case) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(item.text) }
    #expect(error?.position != nil)
    #expect(error?.message.isEmpty == false)
    #expect(error?.message.contains("\n") == false)
  }

  @Test("The tool speaks toml-test's protocol")
  func protocolOfTool() async throws {
    let tool = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
      .appending(path: "toml-decoder").path
    let directory = try TemporaryDirectory()
    // A text with each kind of value, one that isn't TOML, one that isn't UTF-8, and an empty one.
    let good = try directory.write("a = [1, {b = \"\\u0001\\\"\"}]\nt = 07:32:00\nd = 1979-05-27\n", as: "good.toml")
    let bad = try directory.write("a = 1\na = 2\n", as: "bad.toml")
    try Data([0x61, 0x3D, 0x22, 0xFF, 0x22]).write(to: directory.url.appending(path: "bytes.toml"))

    let read = try await Tool.run("sh", ["-c", "'\(tool)' < \(good)"])
    #expect(read.status == 0 && read.errors.isEmpty)
    let found = try JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? NSDictionary
    let expected: NSDictionary = [
      "a": [["type": "integer", "value": "1"], ["b": ["type": "string", "value": "\u{1}\""]]],
      "t": ["type": "time-local", "value": "07:32:00"], "d": ["type": "date-local", "value": "1979-05-27"],
    ]
    #expect(found == expected)

    for file in [bad, directory.path("bytes.toml")] {
      let refused = try await Tool.run("sh", ["-c", "'\(tool)' < \(file)"])
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(refused.errors.hasPrefix("standard input:"), "\(refused.errors)")
    }
    let empty = try await Tool.run("sh", ["-c", "'\(tool)' < /dev/null"])
    #expect(empty.status == 0 && empty.output == "{}\n")
  }
}

/// Compares as toml-test does: numbers by value, dates and times as instants and clock readings.
enum TaggedJSON {
  /// Nil if both have the same meaning.
  static func difference(_ a: Any, _ b: Any, at path: String = "") -> String? {
    switch (a, b) {
    case (let a as [Any], let b as [Any]):
      guard a.count == b.count else { return "\(path): \(a.count) elements, not \(b.count)" }
      return zip(a, b).enumerated().lazy.compactMap { difference($1.0, $1.1, at: "\(path)[\($0)]") }.first
    case (let a as [String: Any], let b as [String: Any]):
      guard Set(a.keys) == Set(b.keys) else { return "\(path): keys \(a.keys.sorted()), not \(b.keys.sorted())" }
      if let type = a["type"] as? String, let value = a["value"] as? String, a.count == 2 {
        guard let otherType = b["type"] as? String, let other = b["value"] as? String, type == otherType else {
          return "\(path): \(a), not \(b)"
        }
        return isSame(value, other, type: type) ? nil : "\(path): \(value), not \(other)"
      }
      return a.keys.sorted().lazy.compactMap { key in
        difference(a[key] ?? NSNull(), b[key] ?? NSNull(), at: "\(path).\(key)")
      }.first
    default: return "\(path): of another type"
    }
  }

  private static func isSame(_ a: String, _ b: String, type: String) -> Bool {
    switch type {
    case "float": a == b || (a != "nan" && b != "nan" && Double(a) == Double(b) && Double(a) != nil)
    case "datetime", "datetime-local", "date-local", "time-local": normal(a) == normal(b)
    default: a == b
    }
  }

  /// A time in one spelling: fractions without trailing zeros, and T and Z for their alternatives.
  private static func normal(_ text: String) -> String {
    let text = text.uppercased().replacing(" ", with: "T").replacing("+00:00", with: "Z")
    guard let dot = text.firstIndex(of: ".") else { return text }
    let after = text.index(after: dot)
    let digits = text[after...].prefix { $0.isNumber }
    let fraction = digits.reversed().drop { $0 == "0" }.reversed()
    return text[..<dot] + (fraction.isEmpty ? "" : "." + String(fraction)) + text[digits.endIndex...]
  }
}

import Foundation
import JSONText
import PlaybackCore
import Testing

/// Reports and inventories have the layout of Foundation's encoder, so that scripts that compare texts see no change.
@Suite("Values written as JSON")
struct JSONEncodingTests {
  private struct Part: Codable {
    var planeScales: Bool?
    var crtcID: UInt32
    var isHDRScreen = true
    var kinds: [Kind]
    var share: Double
    var small: Float
  }

  private enum Kind: String, Codable { case film, picture }

  private struct Whole: Codable {
    var schema = 1
    var title: String
    var parts: [Part]
    var none: [Part] = []
    var empty = Nothing()
    var deep: [[Int64]] = [[], [1, -2]]
    var named = ["b": 1, "a": 2]
    var whole = 2.0
    var tiny = 0.000_001
    var huge = 1e300
    var chosen: Kind? = .film
    var missing: String?
  }

  private struct Nothing: Codable {}

  private let whole = Whole(
    title: "Über \"uns\" \\ /a/b\n\t\u{1}é😀",
    parts: [
      Part(planeScales: nil, crtcID: 33, kinds: [], share: 0.1, small: 0.1),
      Part(planeScales: false, crtcID: .max, kinds: [.film, .picture], share: -1.5, small: 3),
    ])

  private func foundation(_ value: some Encodable, snakeCase: Bool) throws -> String {
    let encoder = JSONEncoder()
    if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("A report has the same bytes as from Foundation's encoder", arguments: [false, true])
  func report(snakeCase: Bool) throws {
    let text = try JSONValue(encoding: whole, names: snakeCase ? .snakeCase : .asTheyAre).report
    #expect(try text == foundation(whole, snakeCase: snakeCase))
  }

  @Test("Foundation's decoder reads the encoded values back")
  func readBack() throws {
    for text in try [JSONValue(encoding: whole).compact, JSONValue(encoding: whole).pretty] {
      let read = try JSONDecoder().decode(Whole.self, from: Data(text.utf8))
      #expect(try foundation(read, snakeCase: false) == foundation(whole, snakeCase: false))
    }
  }

  @Test("JSON escapes characters that would steer a terminal, and parsing gives them back")
  func terminals() throws {
    let text = "\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2028}\u{200B}\u{FEFF}\u{E0041}ä愛👩‍👧"
    for json in [JSONValue.string(text).compact, JSONValue.object([.init(text, .null)]).pretty] {
      #expect(!json.unicodeScalars.contains { !"\n ".unicodeScalars.contains($0) && PlainText.isActive($0) }, "\(json)")
    }
    #expect(JSONValue.string("\u{9B}\u{E0041}").compact == #""\u009b\udb40\udc41""#)
    #expect(try JSONValue(parsing: Array(JSONValue.string(text).compact.utf8)) == .string(text))
  }

  @Test("Members keep their encoded order, except in reports")
  func order() throws {
    struct Pair: Encodable {
      var b = 1
      var a = Double.nan
    }
    #expect(try JSONValue(encoding: Pair()).compact == #"{"b":1,"a":null}"#)
    #expect(try JSONValue(encoding: Pair()).report == "{\n  \"a\" : null,\n  \"b\" : 1\n}")
    #expect(try JSONValue(encoding: [Int]()).pretty == "[]" && JSONValue(encoding: "x").compact == "\"x\"")
  }

  @Test("A number that JSON can't hold is an error")
  func tooLarge() { #expect(throws: EncodingError.self) { try JSONValue(encoding: [UInt64.max]) } }
}

import PlaybackCore
import Testing

@testable import PlaylistConfig

/// Compares the fast reader of long lists with the parser: the outcome is always the parser's.
@Suite("Long lists of TOML")
struct TOMLItemScanTests {
  private enum Outcome: Hashable {
    case table(TOMLTable)
    case error(TOMLSyntaxError)
  }

  private func outcome(_ read: () throws(TOMLSyntaxError) -> TOMLTable) -> Outcome {
    do throws(TOMLSyntaxError) { return .table(try read()) } catch { return .error(error) }
  }

  /// Long enough to be scanned at all.
  private func padded(_ text: String) -> [UInt8] {
    Array("# \(String(repeating: "-", count: TOMLItemScan.leastLength))\n\(text)".utf8)
  }

  /// - Returns: how many tables went past the parser.
  @discardableResult
  private func expectSame(_ text: [UInt8], _ comment: Comment? = nil) -> Int {
    #expect(
      outcome { () throws(TOMLSyntaxError) in try TOMLParser.parse(text) }
        == outcome { () throws(TOMLSyntaxError) in try TOMLParser.whole(text) }, comment)
    return TOMLItemScan.scan(text, file: 0)?.lists.values.reduce(0) { $0 + $1.elements.count { $0 != nil } } ?? 0
  }

  private func items(_ count: Int, _ list: String = "playlist.main.item") -> String {
    (0..<count).map { "[[\(list)]]\nuri = \"http://h/\($0).mp4\"\ntitle = \"Clip \($0)\"\n" }.joined()
  }

  @Test("Plain items go past the parser, all but the first and those that something else follows")
  func plain() {
    #expect(expectSame(padded("version = 1\n" + items(500))) == 499)
    #expect(expectSame(padded("version = 1\n" + items(500) + "[playback]\nloop = false\n" + items(10))) == 498 + 10)
    #expect(expectSame(padded(items(40) + items(40, "playlist.other.item") + items(40))) == 38 + 38 + 40)
  }

  /// Lines as people write them, plain or not, right or wrong.
  private static let lines = [
    "uri = \"a.mp4\"", "uri = 'a.mp4'", "title = \"Grüße, 世界\"", "title = \"with \\\"quotes\\\" and \\u00E9\"",
    "title = \"# no comment\" # a comment", "duration = 8", "volume = 0.8", "volume = 1e-1", "duration = 08",
    "duration = -3", "repeat = 1_000", "repeat = 0x10", "store = true", "store=false", "  fit = \"cover\"  ", "",
    "# a comment", "#é", "audio_language = [\"de\", \"en\"]", "audio_language = [", "]", "when = { days = [\"sat\"] }",
    "network.buffer = 3", "\"uri\" = \"b\"", "uri =", "uri", "= 3", "title = \"open", "title = \"\"\"", "\"\"\"",
    "title = '''x'''", "[playlist.main.item.when]", "days = [\"sun\"]", "[[playlist.main.item]]",
    " [[playlist.main.item]]", "[[playlist.main.item]] # first", "[[playlist.other.item]]", "[playlist.main]",
    "[playback]",
    "[[playlist.main]]", "[playlist.main.item]", "playlist.main.item = []", "start = 1979-05-27", "volume = inf",
    "title = \"a\u{7}b\"", "title = \"\u{7F}\"", "9 = 9", "a-b_c = 1", "start = 1.5.2", "start = 1.",
    "uri = \"a\" \"b\"",
    "end = 123456789012345", "end = 1234567890123456789", "title = \"tab\tin it\"", "[[a.b]]", "[[1.5]]", "x = [",
    "[[inf]],",
  ]

  @Test("Random lists of right and wrong lines: the same tree or the same error as the parser's", arguments: 0..<300)
  func random(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var text = "version = 1\n"
    for number in 0..<40 {
      text += "[[playlist.\(next(6) == 0 ? "other" : "main").item]]\n"
      text += "uri = \"\(number).mp4\"\n"
      // Most are plain; a wrong line in most texts, but not in all.
      for _ in 0..<(next(4) == 0 ? next(3) : 0) {
        let line = Self.lines[next(seed % 3 == 0 ? 15 : Self.lines.count)]
        text += line + (next(40) == 0 ? "\r\n" : "\n")
      }
    }
    if next(5) == 0 { text.removeLast() }
    expectSame(padded(text), "\(text)")
  }

  @Test("Both readers agree about bytes that aren't UTF-8 and about texts cut anywhere")
  func damaged() {
    let text = padded("version = 1\n" + items(30) + "title = \"é\"\n")
    for cut in stride(from: text.count - 120, to: text.count, by: 1) {
      expectSame(Array(text[..<cut]), "cut at \(cut)")
    }
    for byte: UInt8 in [0xFF, 0xC3, 0x80, 0x00, 0x0D, 0x1B] {
      for place in stride(from: text.count - 90, to: text.count, by: 7) {
        var text = text
        text[place] = byte
        expectSame(text, "\(byte) at \(place)")
      }
    }
  }

  @Test("Values, entries and items are no larger than the decision's page says")
  func sizes() {
    #expect(MemoryLayout<TOMLPosition>.size == 8)
    #expect(MemoryLayout<TOMLTable.Entry>.stride <= 56)
    #expect(MemoryLayout<PlaylistEntry>.stride <= 48)
    #expect(MemoryLayout<MediaItem>.stride <= 64)
    #expect(MemoryLayout<PlayQueue.Entry>.stride <= 72)
  }

  @Test("Positions keep their parts and their order, up to the largest text")
  func positions() {
    let last = TOMLPosition(line: 1 << 24, column: (1 << 24) - 1, file: 200)
    #expect((last.line, last.column, last.file) == (1 << 24, (1 << 24) - 1, 200))
    let ordered = [(0, 1, 1), (0, 1, 2), (0, 2, 1), (1, 0, 0), (3, 7, 9)].map {
      TOMLPosition(line: $0.1, column: $0.2, file: $0.0)
    }
    #expect(ordered == ordered.shuffled().sorted())
    #expect(TOMLNode(.boolean(true), at: last).keyPosition == nil)
    #expect(TOMLNode(.boolean(true), at: last, keyPosition: ordered[0]).keyPosition == ordered[0])
    let far = TOMLPosition(line: .max, column: .max, file: .max)
    #expect(last < far)
  }
}

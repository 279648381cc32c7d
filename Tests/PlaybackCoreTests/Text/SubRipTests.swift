import Testing

@testable import PlaybackCore

func cues(_ text: String) throws -> [SubtitleCue] { try SubtitleParser.parse(Array(text.utf8)) }

func cue(
  _ start: Int, _ end: Int, _ text: String, spans: [StyleSpan] = [], speaker: String? = nil,
  placement: CuePlacement? = nil
) -> SubtitleCue {
  SubtitleCue(
    start: .milliseconds(start), end: .milliseconds(end), text: text, spans: spans, speaker: speaker,
    placement: placement)
}

@Suite("Subtitles: SubRip")
struct SubRipTests {
  private static let plain = "1\n00:00:01,000 --> 00:00:02,500\nOne\ntwo\n\n2\n00:00:03,000 --> 00:00:04,000\nThree\n"

  @Test("Any line end is read, with or without a byte order mark", arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func lines(end: String, mark: String) throws {
    let text = mark + Self.plain.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
    #expect(try cues(text) == [cue(1000, 2500, "One\ntwo"), cue(3000, 4000, "Three")])
  }

  @Test(
    "Common faults of real files are read",
    arguments: [
      ("no numbers", "00:00:01,000 --> 00:00:02,500\nOne\ntwo\n\n00:00:03,000 --> 00:00:04,000\nThree"),
      ("wrong numbers", "7\n00:00:01,000 --> 00:00:02,500\nOne\ntwo\n\n7\n00:00:03,000 --> 00:00:04,000\nThree"),
      ("no empty line", "1\n00:00:01,000 --> 00:00:02,500\nOne\ntwo\n2\n00:00:03,000 --> 00:00:04,000\nThree"),
      (
        "too many",
        "\n\n1\n00:00:01,000 --> 00:00:02,500\n\nOne\n\ntwo\n\n\n\n2\n00:00:03,000 --> 00:00:04,000\nThree\n\n"
      ),
      ("wrong order", "2\n00:00:03,000 --> 00:00:04,000\nThree\n\n1\n00:00:01,000 --> 00:00:02,500\nOne\ntwo"),
      ("dots", "1\n00:00:01.000 --> 00:00:02.500\nOne\ntwo\n\n2\n00:00:03.000 --> 00:00:04.000\nThree"),
      ("short", "1\n0:0:1,0-->0:0:2,5\nOne\ntwo\n\n2\n00:03 --> 0:4\nThree"),
      ("blanks", "1 \n 00:00:01,000  -->\t00:00:02,500 \n One \n\ttwo\n \t\n2\n00:00:03,000 --> 00:00:04,000\nThree "),
      (
        "coordinates", "1\n00:00:01,000 --> 00:00:02,500 X1:1 X2:2\nOne\ntwo\n\n2\n00:00:03,000 --> 00:00:04,000\nThree"
      ),
      (
        "broken ones between",
        "x\n1\n00:00:01,000 --> 00:00:02,500\nOne\ntwo\n\n5\n00:09:00,000 --> 00:08:00,000\nEnds first\n\n"
          + "6\n00:00:05,000 --> 00:00:06,000\n\n\n2\n00:00:03,000 --> 00:00:04,000\nThree"
      ),
    ])
  func tolerance(name: String, text: String) throws {
    #expect(try cues(text) == [cue(1000, 2500, "One\ntwo"), cue(3000, 4000, "Three")], "\(name)")
  }

  @Test("Cues may overlap, and those that start together keep their order")
  func overlap() throws {
    let text = "00:01,000 --> 00:09,000\na\n\n00:02,000 --> 00:03,000\nb\n\n00:01,000 --> 00:02,000\nc"
    #expect(try cues(text).map(\.text) == ["a", "c", "b"])
  }

  @Test("A number is text unless it stands right before the times")
  func numbers() throws {
    let text = "1\n00:01,000 --> 00:02,000\n1984\n\n2\n00:03,000 --> 00:04,000\n42\n"
    #expect(try cues(text) == [cue(1000, 2000, "1984"), cue(3000, 4000, "42")])
  }

  @Test(
    "Times are read in all usual forms",
    arguments: [
      ("00:00:00,001", 1), ("1:02:03,4", 3_723_400), ("100:00:00,000", 360_000_000), ("00:90:00,000", 5_400_000),
      ("-00:00:05,000", 0), ("00:01", 1000), ("00:00:01,123456789", nil), ("1", nil), ("00:00:00:01", nil),
      ("00:00:01,", nil), ("a0:00:01", nil), ("1234567890:00:00,000", nil), ("00:00:01,1234567890", nil),
    ] as [(String, Int?)])
  func times(text: String, milliseconds: Int?) throws {
    let line = Array("\(text) --> 999999:00:00,000".utf8)
    let times = CueTimes(line[...])
    if text.hasSuffix("123456789") {
      #expect(times?.start == .nanoseconds(1_123_456_789))
    } else {
      #expect(times?.start == milliseconds.map { .milliseconds($0) })
    }
  }

  @Test(
    "Markup becomes styles",
    arguments: [
      ("<i>One</i> two", "One two", [StyleSpan(.italic, bytes: 0..<3)]),
      ("<B>é</B><u>x</u>", "éx", [StyleSpan(.bold, bytes: 0..<2), StyleSpan(.underline, bytes: 2..<3)]),
      ("<i>a<b>b</i>c</b>", "abc", [StyleSpan(.italic, bytes: 0..<2), StyleSpan(.bold, bytes: 1..<3)]),
      ("<i>open", "open", [StyleSpan(.italic, bytes: 0..<4)]), ("shut</i>", "shut", []), ("<i></i>x", "x", []),
      ("<i>a\nb</i>", "a\nb", [StyleSpan(.italic, bytes: 0..<3)]),
      ("<font color=\"#fff\">x</font>", "x", [StyleSpan(.color(.white), bytes: 0..<1)]),
      ("a<br>b<br/>c", "a\nb\nc", []),
      ("I <3 you, 1 < 2 > 0", "I <3 you, 1 < 2 > 0", []), ("<img src=x>", "<img src=x>", []), ("<", "<", []),
      ("a < b <i>c</i>", "a < b c", [StyleSpan(.italic, bytes: 6..<7)]),
      ("{\\an8}{\\i1}up", "up", []), ("{x}", "{x}", []), ("{\\an8", "{\\an8", []),
      ("&lt;b&gt; &amp;amp; &#233;&#xE9;&nbsp;.", "<b> &amp; éé\u{A0}.", []),
      ("AT&T & &unknown; &#0; &#xD800; &#99999999; &#-1;", "AT&T & &unknown; \u{FFFD} \u{FFFD} \u{FFFD} &#-1;", []),
    ] as [(String, String, [StyleSpan])])
  func markup(raw: String, text: String, spans: [StyleSpan]) throws {
    let cue = try #require(try cues("00:01,000 --> 00:02,000\n\(raw)").first)
    #expect(cue.text == text)
    #expect(cue.spans == spans)
  }

  @Test("A cue with only tags in it is dropped")
  func blank() throws {
    #expect(try cues("00:01,000 --> 00:02,000\n<i> </i>&nbsp;\n\n00:03,000 --> 00:04,000\nx").map(\.text) == ["x"])
  }

  @Test(
    "Positions are read from {\\anN}",
    arguments: [
      (1, CuePlacement(alignment: .left)), (2, CuePlacement(alignment: .center)),
      (5, CuePlacement(line: .percent(50), alignment: .center)), (7, CuePlacement(line: .row(0), alignment: .left)),
      (9, CuePlacement(line: .row(0), alignment: .right)),
    ])
  func placement(key: Int, expected: CuePlacement) throws {
    #expect(try cues("00:01,000 --> 00:02,000\n{\\an\(key)}x").first?.placement == expected)
  }

  @Test("Encodings are recognised")
  func encodings() throws {
    let text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nGrüße – 5 €\r\n"
    let expected = [cue(1000, 2000, "Grüße – 5 €")]
    let units = Array(text.utf16)
    let little = units.reduce(into: [0xFF, 0xFE] as [UInt8]) { $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)] }
    let big = units.reduce(into: [0xFE, 0xFF] as [UInt8]) { $0 += [UInt8($1 >> 8), UInt8($1 & 0xFF)] }
    let windows = text.unicodeScalars.map { scalar -> UInt8 in
      switch scalar {
      case "–": 0x96
      case "€": 0x80
      default: UInt8(scalar.value)
      }
    }
    for bytes in [Array(text.utf8), little, big, windows, little + [0x41]] {
      #expect(try SubtitleParser.parse(bytes) == expected)
    }
  }

  @Test("Each fault has its own error, and an empty file is no fault")
  func faults() throws {
    #expect(try SubtitleParser.parse([]).isEmpty)
    #expect(try cues("\n \r\n").isEmpty)
    #expect(throws: SubtitleError.noCues) { try cues("hello") }
    #expect(throws: SubtitleError.noCues) { try SubtitleParser.parse([0, 1, 2, 255]) }
    let long = [UInt8](repeating: 0x41, count: SubtitleParser.maximumLength + 1)
    #expect(throws: SubtitleError.tooLong) { try SubtitleParser.parse(long) }
    #expect(throws: SubtitleError.noCues) { try SubtitleParser.parse(long.dropLast()) }
    let one = "0:1-->0:2\nx\n"
    let many = String(repeating: one, count: SubtitleParser.maximumCues)
    #expect(try cues(many).count == SubtitleParser.maximumCues)
    #expect(throws: SubtitleError.tooManyCues) { try cues(many + one) }
    let faults: [SubtitleError] = [.tooLong, .tooManyCues, .noCues]
    #expect(faults.map { $0.error(subject: "film.srt").number } == [3201, 3202, 3203])
  }

  @Test("A text too long for a screen is cut between characters")
  func cut() throws {
    let cue = try #require(try cues("0:1 --> 0:2\nx" + String(repeating: "é", count: 9000)).first)
    #expect(cue.text == "x" + String(repeating: "é", count: 2047))
  }
}

import Testing

@testable import PlaybackCore

@Suite("Subtitles: WebVTT")
struct WebVTTTests {
  @Test("A file with every feature is read")
  func everything() throws {
    func red(_ bytes: Range<Int>) -> StyleSpan { StyleSpan(.color(RGBColor(0xFF0000)), bytes: bytes) }
    let text = """
      WEBVTT - a title
      Kind: captions

      STYLE
      ::cue { color: red }

      REGION
      id:fred
      width:40%

      NOTE a remark
      00:00.500 --> 00:00.600
      not a cue

      intro
      00:01.000 --> 00:02.000 line:90% position:10%,line-left size:35.5% align:start region:fred vertical:rl
      <v.loud Mary Ann>Hi, <c.yellow>you</c> <00:01.500><i>there</i></v>

      01:00:03.000 --> 01:00:04.000 line:-2 align:middle
      two &lt;lines&gt;
      1984
      NOTE is text here
      00:05.000 --> 00:06.000
      no empty line before
      """
    #expect(
      try cues(text) == [
        cue(
          1000, 2000, "Hi, you there",
          spans: [red(0..<13), StyleSpan(.color(RGBColor(0xFFFF00)), bytes: 4..<7), StyleSpan(.italic, bytes: 8..<13)],
          speaker: "Mary Ann",
          placement: CuePlacement(line: .percent(90), position: 10, size: 35.5, alignment: .start)),
        cue(5000, 6000, "no empty line before", spans: [red(0..<20)]),
        cue(
          3_603_000, 3_604_000, "two <lines>\n1984\nNOTE is text here", spans: [red(0..<34)],
          placement: CuePlacement(line: .row(-2), alignment: .center)),
      ])
  }

  @Test("The header tells WebVTT from SubRip", arguments: ["WEBVTT", "\u{FEFF}WEBVTT", "WEBVTT\theader"])
  func header(header: String) throws {
    let text = "\(header)\r\n\r\n00:01.000 --> 00:02.000\r\nx\r\n\r\n7\r\n00:03.000 --> 00:04.000\r\ny\r\n"
    #expect(try cues(text) == [cue(1000, 2000, "x"), cue(3000, 4000, "y")])
    #expect(try cues(header).isEmpty)
  }

  @Test("Text after an empty line isn't part of the cue before it")
  func blocks() throws {
    #expect(try cues("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\nstray\n").map(\.text) == ["x"])
  }

  @Test(
    "Senseless settings are ignored",
    arguments: [
      "line:101%", "line:nan", "line:99999", "line:%", "line:", "position:5", "position:-1%", "size:0x10%", "size:1e1%",
      "size:..%", "align:top", "align", ":", "line: 5% ", "unknown:1",
    ])
  func settings(text: String) throws {
    let cue = try #require(try cues("WEBVTT\n\n00:01.000 --> 00:02.000 \(text)\nx").first)
    #expect(cue.placement == nil)
  }

  @Test("A broken setting leaves the others valid")
  func someSettings() throws {
    let cue = try #require(try cues("WEBVTT\n\n00:01.000 --> 00:02.000 size:x line:0 align:end\nx").first)
    #expect(cue.placement == CuePlacement(line: .row(0), alignment: .end))
  }
}

@Suite("Subtitles: timeline")
struct SubtitleTimelineTests {
  @Test(
    "A cue shows from its start until its end",
    arguments: [
      (-1, "", 1000), (0, "", 1000), (999, "", 1000), (1000, "a", 2000), (2000, "ab", 3000), (3000, "a", 5000),
      (4999, "a", 5000), (5000, "", 7000), (7000, "c", 8000), (8000, "", nil), (99_000, "", nil),
    ] as [(Int, String, Int?)])
  func cuesAt(time: Int, texts: String, next: Int?) {
    let timeline = SubtitleTimeline([
      cue(7000, 8000, "c"), cue(1000, 5000, "a"), cue(2000, 3000, "b"), cue(9000, 9000, "never"),
    ])
    #expect(timeline.cues(at: .milliseconds(time)).map(\.text).joined() == texts)
    #expect(timeline.nextChange(after: .milliseconds(time)) == next.map { .milliseconds($0) })
  }

  @Test("Without cues there are no changes")
  func empty() {
    #expect(SubtitleTimeline().cues(at: .zero).isEmpty)
    #expect(SubtitleTimeline().nextChange(after: .zero) == nil)
  }

  @Test("Random cues agree with a search of all", arguments: 0..<60)
  func random(count: Int) throws {
    var generator = SplitMix64(state: UInt64(count))
    let cues = (0..<count).map { index in
      let start = Int.random(in: 0..<100, using: &generator)
      return cue(start, start + Int.random(in: -2..<12, using: &generator), "\(index)")
    }
    let timeline = SubtitleTimeline(cues)
    for milliseconds in -3..<120 {
      let time = Duration.milliseconds(milliseconds)
      let shown = timeline.cues.filter { $0.start <= time && time < $0.end }
      try #require(timeline.cues(at: time) == Array(shown.prefix(SubtitleTimeline.maximumAtOnce)))
      let changes = cues.filter { $0.start < $0.end }.flatMap { [$0.start, $0.end] }
      try #require(timeline.nextChange(after: time) == changes.filter { $0 > time }.min())
    }
  }

  @Test("A hostile file with all cues at once gives one screenful")
  func crowd() {
    let timeline = SubtitleTimeline((0..<10_000).map { cue(0, 1000 + $0, "\($0)") })
    #expect(timeline.cues(at: .milliseconds(10_990)).map(\.text) == (9991...9999).map { "\($0)" })
    #expect(timeline.cues(at: .zero).map(\.text) == (0..<16).map { "\($0)" })
  }
}

@Suite("Subtitles: hostile texts")
struct HostileSubtitleTests {
  private static let scraps: [[UInt8]] = [
    "1\n", "\n", "\r\n", "00:00:01,000 --> 00:00:02,000\n", "00:01.000 --> 00:03.000 line:50% align:end\n", "-->", ":",
    ",",
    "WEBVTT\n\n", "NOTE ", "STYLE\n", "<i>", "</i>", "<b>", "<v Ann>", "<00:01.000>", "<", ">", "{\\an8}", "{", "}",
    "&amp;",
    "STYLE\n::cue(.x[voice=\"Ann\"], #y) { color: #f80; background: rgb(1,2,3) }", "<c.yellow.bg_blue>", "</c>",
    "::cue(",
    "<font color='#1234567'>", "REGION\nid:a lines:2 viewportanchor:50%,50%\n", "region:a ", "/*", "color:",
    "&#x", ";", "é", "€", "\u{1F600}", "text", "99999999:99:99,999 --> ", "0", "-", "\u{FEFF}",
    "999999999:0:1 --> 9:9\n",
  ].map { Array($0.utf8) }

  private static let lines: [[UInt8]] = [
    "\n\n", "\n00:00:01,000 --> 00:00:02,000\nx", "\n00:02.000 --> 00:09.000 position:9%\n<i>é",
  ].map { Array($0.utf8) }

  @Test("5,000 random texts cause no trap, and every cue keeps its invariants")
  func random() throws {
    var generator = SplitMix64(state: 20)
    var found = 0
    for round in 0..<5000 {
      var text: [UInt8] = round % 3 == 0 ? Array("WEBVTT\n\n".utf8) : round % 7 == 1 ? [0xFF, 0xFE] : []
      for _ in 0..<Int.random(in: 0..<60, using: &generator) {
        if Int.random(in: 0..<12, using: &generator) == 0 {
          text.append(UInt8.random(in: .min ... .max, using: &generator))
        } else {
          // Without valid lines the parser would rarely get far.
          let isLine = Int.random(in: 0..<4, using: &generator) == 0
          text += (isLine ? Self.lines : Self.scraps).randomElement(using: &generator) ?? []
        }
      }
      guard let cues = try? SubtitleParser.parse(text) else { continue }
      found += cues.count
      for cue in cues {
        try #require(cue.start >= .zero && cue.start < cue.end)
        try #require(!cue.text.isEmpty && !cue.text.utf8.contains(0))
        for span in cue.spans {
          try #require(!span.bytes.isEmpty && span.bytes.upperBound <= cue.text.utf8.count)
          for offset in [span.bytes.lowerBound, span.bytes.upperBound] {
            let index = cue.text.utf8.index(cue.text.startIndex, offsetBy: offset)
            try #require(index.samePosition(in: cue.text.unicodeScalars) != nil, "a span within a character")
          }
        }
      }
      try #require(zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start })
      let timeline = SubtitleTimeline(cues)
      if let first = cues.first { try #require(timeline.nextChange(after: .seconds(-1)) == first.start) }
    }
    #expect(found > 5000, "texts that the parser gets somewhere with")
  }

  @Test(
    "No text takes time that grows with the square of its length",
    arguments: ["<", "{\\", "&", "<i>", "<font color=", "<c.red>"])
  func noBlowUp(scrap: String) throws {
    let length = SubtitleParser.maximumCueLength
    // A quarter of the text takes a quarter of the time, not a sixteenth.
    func cost(_ length: Int) throws -> Double {
      let cue = "0:1 --> 0:2\n" + String(repeating: scrap, count: length / scrap.utf8.count) + "x\n"
      let text = String(repeating: cue, count: 20)
      return try processorTime {
        let cues = try cues(text)
        #expect(cues.count == 20)
        #expect(cues.allSatisfy { $0.text.utf8.count <= SubtitleParser.maximumCueLength })
      }
    }
    #expect(try cost(length) < 9 * cost(length / 4), "\(scrap)")
  }
}

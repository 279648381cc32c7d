import Testing

@testable import PlaybackCore

@Suite("Captions: colours and regions of WebVTT")
struct CaptionColorTests {
  /// Each colour with its text, outer colours first; with `bg` where the colour is behind the letters.
  private func colors(_ markup: String, sheet: String = "") throws -> [String] {
    let style = sheet.isEmpty ? "" : "STYLE\n\(sheet)\n\n"
    let cue = try #require(try cues("WEBVTT\n\n\(style)intro\n00:01.000 --> 00:02.000\n\(markup)").first)
    return cue.spans.compactMap { span in
      let text = String(decoding: Array(cue.text.utf8)[span.bytes], as: UTF8.self)
      switch span.style {
      case .color(let color): return "\(Self.spelled(color)) \(text)"
      case .background(let color): return "bg \(Self.spelled(color)) \(text)"
      case .italic, .bold, .underline: return nil
      }
    }
  }

  private static func spelled(_ color: RGBColor) -> String {
    [color.red, color.green, color.blue].map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  @Test(
    "The eight classes of WebVTT, alone and behind the letters, on each tag",
    arguments: [
      ("<c.yellow>Ann</c> says", ["ffff00 Ann"]), ("<c.lime.bg_blue>x</c>", ["bg 0000ff x", "00ff00 x"]),
      ("<v.cyan Ann>x</v> y", ["00ffff x"]), ("<i.red>x</i>", ["ff0000 x"]), ("<c.loud>x</c>", []),
      ("<c.red>a<c.yellow>b</c>c</c>", ["ff0000 abc", "ffff00 b"]),
      ("<c.red><c.lime>b</c></c>", ["ff0000 b", "00ff00 b"]),
      ("<c.red>a<c>b</c>c</c>d", ["ff0000 abc"]), ("<c.white>open", ["ffffff open"]), ("<c.black></c>x", []),
      ("<c.YELLOW>x</c>", []), ("<b.magenta/>x", ["ff00ff x"]),
    ] as [(String, [String])])
  func classes(markup: String, expected: [String]) throws {
    #expect(try colors(markup) == expected)
  }

  @Test(
    "A style sheet's rules for the whole cue, a tag, a class, a voice, an identifier; the more exact one wins",
    arguments: [
      ("::cue { color: #0ff }", "x", ["00ffff x"]),
      ("::cue(b) { color: red; background-color: rgba(0, 0, 255, 0.5) }", "<b>x</b> y", ["bg 0000ff x", "ff0000 x"]),
      ("::cue(.loud) { color: orange }", "<c.loud>x</c><c.low>y</c>", ["ffa500 x"]),
      ("::cue(.a.b) { color: red }", "<c.a>x</c><c.b.a>y</c>", ["ff0000 y"]),
      ("::cue(v[voice=\"Ann\"]) { color: red }", "<v Ann>x</v><v Bob>y</v>", ["ff0000 x"]),
      ("::cue([voice='Bob']) { color: red }", "<v Ann>x</v><v Bob>y</v>", ["ff0000 y"]),
      ("::cue(#intro) { color: lime } ::cue(#other) { color: red }", "x", ["00ff00 x"]),
      ("::cue(b), ::cue(i) { color: red }", "<i>x</i>", ["ff0000 x"]),
      ("::cue(*) { color: red }", "x<i>y</i>", ["ff0000 y"]),
      // The order within the file decides only between equals, and a file's rule goes before the class of WebVTT.
      ("::cue(.a) { color: red } ::cue(c) { color: blue }", "<c.a>x</c>", ["ff0000 x"]),
      ("::cue(c) { color: red } ::cue(c) { color: blue }", "<c>x</c>", ["0000ff x"]),
      ("::cue(.yellow) { color: gold; color: #ffd700 }", "<c.yellow>x</c>", ["ffd700 x"]),
      ("/* a { remark */ ::cue { color: /* no */ red !important }", "x", ["ff0000 x"]),
      // What has no place here is skipped, and what follows is read.
      (
        "::cue(c i) { color: red } ::cue(:past) { color: red } p { color: red } ::cue(b) { color: lime }", "<b>x</b>",
        ["00ff00 x"]
      ),
      ("@import url(x); ::cue(b) { color: lime }", "<b>x</b>", []),
      ("::cue(lang[lang='de']) { color: red }", "<lang de>x</lang>", []),
      ("::cue { color: }", "x", []), ("::cue {", "x", []), ("::cue { color: red", "x", ["ff0000 x"]),
      ("::cue { font-size: 200%; color: transparent; background: none }", "x", []),
    ] as [(String, String, [String])])
  func sheets(sheet: String, markup: String, expected: [String]) throws {
    #expect(try colors(markup, sheet: sheet) == expected)
  }

  @Test(
    "Each way in which a colour is written",
    arguments: [
      ("yellow", 0xFFFF00), (" Yellow ", 0xFFFF00), ("#ff0", 0xFFFF00), ("#FFFF00", 0xFFFF00), ("#ff08", 0xFFFF00),
      ("#ffff0080", 0xFFFF00), ("FFFF00", 0xFFFF00), ("rgb(255, 255, 0)", 0xFFFF00), ("rgb(100% 100% 0%)", 0xFFFF00),
      ("rgba(255,255,0,.5)", 0xFFFF00), ("rgb(255 255 0 / 50%)", 0xFFFF00), ("rgb(300, 255, -5)", 0xFFFF00),
      ("rgba(0,0,0,0)", nil), ("#0000", nil), ("#ff", nil), ("#gggggg", nil), ("#ffff00+8", nil), ("ff0", nil),
      ("rgb(1,2)", nil),
      ("rgb(1,2,nan)", nil), ("rgb", nil), ("", nil), ("#", nil), ("hsl(60, 100%, 50%)", nil), ("inherit", nil),
    ] as [(String, UInt32?)])
  func spellings(text: String, value: UInt32?) {
    #expect(CSSColor.read(Array(text.utf8)[...]) == value.map { RGBColor($0) })
  }

  @Test(
    "SubRip's font tags have colours, too",
    arguments: [
      ("<font color=\"#ffff00\">x</font> y", ["ffff00 x"]), ("<font color='red'>x</font>", ["ff0000 x"]),
      ("<FONT COLOR=00FF00>x</FONT>", ["00ff00 x"]), ("<font face=\"Arial\" color=\"cyan\">x</font>", ["00ffff x"]),
      ("<font size=7>x</font>", []), ("<font color=\"\">x</font>", []), ("<font color=>x</font>", []),
    ] as [(String, [String])])
  func fonts(markup: String, expected: [String]) throws {
    #expect(try colors(markup) == expected)
  }

  @Test("A sheet beyond the limits is cut, and the file is read")
  func limits() throws {
    let many = (0..<500).map { "::cue(.k\($0)) { color: red }" }
    #expect(try colors("<c.k1>x</c><c.k400>y</c>", sheet: many.prefix(450).joined(separator: "\n")) == ["ff0000 x"])
    #expect(try colors("<c.k1>x</c>", sheet: String(repeating: " ::cue(b){color:red}", count: 20_000)).isEmpty)
  }

  // MARK: Regions

  private func placement(_ region: String, _ settings: String) throws -> CuePlacement? {
    try #require(try cues("WEBVTT\n\n\(region)\n\n00:01.000 --> 00:02.000 \(settings)\nx").first).placement
  }

  @Test("A cue stands in its region, by one or several lines of settings")
  func region() throws {
    var region = CueRegion()
    (region.width, region.lines) = (40, 2)
    (region.anchor, region.viewportAnchor) = (.init(x: 0, y: 100), .init(x: 10, y: 90))
    let lines = "REGION\nid:ann\nwidth:40%\nlines:2\nregionanchor:0%,100%\nviewportanchor:10%,90%\nscroll:up"
    #expect(try placement(lines, "region:ann align:start") == CuePlacement(alignment: .start, region: region))
    let line = "REGION\nid:ann width:40% lines:2 regionanchor:0%,100% viewportanchor:10%,90%"
    #expect(try placement(line, "size:100% region:ann") == CuePlacement(size: 100, region: region))
    #expect(try placement("REGION\nid:ann", "region:ann") == CuePlacement(region: CueRegion()))
  }

  @Test("A cue with a line or a width of its own stands there, and one of an unknown region at the bottom")
  func noRegion() throws {
    #expect(try placement("REGION\nid:ann", "region:ann line:0") == CuePlacement(line: .row(0)))
    #expect(try placement("REGION\nid:ann", "region:ann size:50%") == CuePlacement(size: 50))
    #expect(try placement("REGION\nid:ann", "region:bob") == nil)
    #expect(try placement("REGION\nwidth:50%", "region:") == nil)
  }

  @Test(
    "Senseless settings of a region are ignored",
    arguments: [
      "width:140%", "width:x", "lines:0", "lines:-1", "lines:101", "lines:2.5", "regionanchor:5%", "regionanchor:5,5",
      "viewportanchor:5%,5%,5%", "viewportanchor:101%,0%", "scroll:down", "x", ":", "width:",
    ])
  func regionSettings(text: String) throws {
    #expect(try placement("REGION\nid:ann \(text)", "region:ann") == CuePlacement(region: CueRegion()))
  }
}

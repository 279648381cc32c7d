import Foundation
import PlaybackCore
import PlaylistConfig
import Testing

/// Configurations with one mistake each, as people make them, and every word of their reports. The words are in
/// Slips/messages.txt; each was read by the rule "a person at the shop knows what to type". After a change:
///
///   VITRINE_UPDATE_GOLDEN=1 swift test --filter SlipTests
@Suite("Configurations with a slip")
struct SlipTests {
  private struct Slip {
    var name: String
    var text: [UInt8]
    /// The number of lines that are reported.
    var count = 1
    /// Whether the report has a correction.
    var isMended = true
  }

  private static let item = "version = 1\n\n[[playlist.main.item]]\nuri = \"film.mp4\"\n"

  private static func slip(_ name: String, _ text: String, isMended: Bool = true) -> Slip {
    Slip(name: name, text: Array(text.utf8), isMended: isMended)
  }

  /// A configuration with these words in place of the film's address.
  private static func uri(_ name: String, _ value: String) -> Slip {
    slip(name, item.replacingOccurrences(of: "\"film.mp4\"", with: value))
  }

  /// A configuration with these lines after a film.
  private static func after(_ name: String, _ lines: String, isMended: Bool = true) -> Slip {
    slip(name, item + lines + "\n", isMended: isMended)
  }

  private static let slips: [Slip] =
    [
      // Quotes
      uri("quote behind the text missing", "\"film.mp4"), uri("quote before the text missing", "film.mp4\""),
      uri("text without quotes", "film.mp4"), uri("text with spaces without quotes", "My film.mp4"),
      uri("address without quotes", "http://server/film.mp4"), uri("curly quotes", "“film.mp4”"),
      uri("German quotes", "„film.mp4“"), uri("French quotes", "«film.mp4»"), uri("curly single quotes", "‘film.mp4’"),
      uri("backticks", "`film.mp4`"), uri("one curly, one straight", "\"film.mp4”"),
      uri("quotes of two kinds", "\"film.mp4'"), uri("quotes within quotes", "\"My \"best\" film.mp4\""),
      uri("curly quotes around an apostrophe", "“Bear's film.mp4”"),
      uri("quote missing before a remark", "\"film.mp4 # the first"),
      // Windows
      uri("drive of Windows", "\"C:\\video\\film.mp4\""), uri("drive of Windows without quotes", "C:\\video\\film.mp4"),
      uri("share of Windows", "\"\\\\server\\share\\film.mp4\""), uri("backslash that is a code", "\"media\\new.mp4\""),
      uri("backslash that is none", "\"media\\holiday.mp4\""),
      after("backslash that is a code, in a file beside the film", "signed = \"media\\new.mp4\""),
      // Numbers and words
      after("comma in a number", "[audio]\nvolume = 0,5"), after("percent", "[audio]\nvolume = 50%"),
      after("percent with a space", "[audio]\nvolume = 50 %"), after("percent in quotes", "[audio]\nvolume = \"50%\""),
      after("fifty of a hundred", "[audio]\nvolume = 50"), after("number in quotes", "[audio]\nvolume = \"0.5\""),
      after("no digit before the point", "[audio]\nvolume = .5"), after("zeros before", "[display]\nrotation = 090"),
      after("unit", "[playback]\npicture_duration = 10s"), after("minutes", "[playback]\npicture_duration = 2 min"),
      after("unit in quotes", "[playback]\npicture_duration = \"10 seconds\""),
      after("degrees", "[display]\nrotation = 90°"), after("amount without quotes", "[store]\ncapacity = 8 GB"),
      after("yes", "[playback]\nloop = yes"), after("on", "[playback]\nloop = on"),
      after("True", "[playback]\nloop = True"), after("true in quotes", "[playback]\nloop = \"true\""),
      after("ja", "[playback]\nloop = ja"), after("word in capitals", "[overlay]\nosd = \"Never\""),
      // Signs
      slip("colon in place of =", item.replacingOccurrences(of: "version = 1", with: "version: 1")),
      after("= missing", "[audio]\nvolume 0.5"), after("two =", "[audio]\nvolume == 0.5"),
      after("arrow", "[audio]\nvolume => 0.5"), after("semicolon at the end", "[audio]\nvolume = 0.5;"),
      after("comma at the end", "[audio]\nvolume = 0.5,"), after("value missing", "[audio]\nvolume ="),
      after("two settings in a line", "[audio]\nvolume = 0.5 muted = true"),
      after("space in a name", "[playback]\npicture duration = 5"),
      after("no-break space", "[audio]\nvolume\u{A0}= 0.5"),
      // Tables
      after("bracket behind a table missing", "[audio\nvolume = 0.5"),
      after("bracket before a table missing", "audio]\nvolume = 0.5"),
      slip("one of two brackets missing", item.replacingOccurrences(of: "item]]", with: "item]")),
      slip("the other of two brackets missing", item.replacingOccurrences(of: "[[", with: "[")),
      slip("one bracket where two belong", "version = 1\n\n[playlist.main.item]\nuri = \"film.mp4\"\n"),
      slip(
        "one bracket where two belong, twice",
        "version = 1\n\n[playlist.main.item]\nuri = \"a.mp4\"\n\n[playlist.main.item]\nuri = \"b.mp4\"\n"),
      after("space in a table", "[[schedule off]]\nstart = \"22:00\""),
      after("setting twice", "uri = \"b.mp4\"", isMended: false),
      after("table twice", "[audio]\nvolume = 0.5\n[display]\nrotation = 90\n[audio]\noffset = 0", isMended: false),
      after("capital in a table", "[Audio]\nvolume = 0.5"), after("slip in a name", "[audio]\nvolum = 0.5"),
      // Lists, times, remarks
      after("comma missing in a list", "[[schedule.off]]\ndays = [\"mon\" \"tue\"]"),
      after("bracket of a list missing", "[[schedule.off]]\ndays = [\"mon\", \"tue\"\nstart = \"22:00\""),
      after("bracket of a long list missing", "[[schedule.off]]\ndays = [\n  \"mon\",\n  \"tue\"\nstart = \"22:00\""),
      after("list without brackets", "[[schedule.off]]\ndays = \"mon\", \"tue\""),
      after("list without quotes", "[[schedule.off]]\ndays = [mon, tue]"),
      after("one day without brackets", "[[schedule.off]]\ndays = \"mon\""),
      after("time without quotes", "[[schedule.off]]\nstart = 22:00"),
      after("hour with one digit", "[[schedule.off]]\nstart = 8:30"),
      after("o'clock", "[[schedule.off]]\nstart = \"8 Uhr\""),
      after("date with the day first", "[[schedule.off]]\nfrom = 24.12.2026"),
      after("remark without its sign", "the screen in the window"),
      after("remark of another language", "// the window"),
      after("zone of Windows", "[schedule]\ntimezone = \"W. Europe Standard Time\""),
      // Whole files
      Slip(name: "UTF-16, as Notepad's Unicode", text: utf16(item, isBig: false), isMended: false),
      Slip(name: "UTF-16, the greater byte first", text: utf16(item, isBig: true), isMended: false),
      Slip(
        name: "code page of Windows",
        text: Array("version = 1\n\n[[playlist.main.item]]\nuri = \"B".utf8) + [0xE4] + Array("r.mp4\"\n".utf8),
        isMended: false),
      slip("document of Word", "PK\u{3}\u{4}\u{14}\u{0}word/document.xml", isMended: false),
      slip("document in RTF", "{\\rtf1\\ansi version = 1}", isMended: false),
      slip("web page", "<!DOCTYPE html>\n<html><body>version = 1", isMended: false),
      slip("JSON", "{\n  \"version\": 1\n}\n", isMended: false),
      slip("YAML", "version: 1\nplaylist:\n  - uri: film.mp4\n", isMended: false),
      slip("ends of lines of an old Mac", item.replacingOccurrences(of: "\n", with: "\r"), isMended: false),
    ]

  private static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap {
      isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
    }
  }

  private static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Slips/messages.txt")

  @Test("Sixty mistakes and more: the report of each, word by word")
  func messages() throws {
    var told = ""
    for slip in Self.slips {
      let lines = Configuration.parse(slip.text, path: "vitrine.toml").diagnostics.flatMap(\.lines)
      told += "== \(slip.name)\n" + lines.map { "\($0)\n" }.joined() + "\n"
    }
    #expect(Self.slips.count >= 60)
    if ProcessInfo.processInfo.environment["VITRINE_UPDATE_GOLDEN"] != nil {
      try told.write(to: Self.golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: Self.golden, encoding: .utf8)
    for (a, b) in zip(told.split(separator: "== "), expected.split(separator: "== ")) { #expect(a == b) }
    #expect(told == expected)
  }

  @Test("Each mistake is reported in one line, and a proposed correction is valid")
  func mended() throws {
    for slip in Self.slips {
      let loaded = Configuration.parse(slip.text, path: "vitrine.toml")
      #expect(loaded.configuration == nil && loaded.diagnostics.count == 1, "\(slip.name): \(loaded.diagnostics)")
      guard let diagnostic = loaded.diagnostics.first else { continue }
      let write = diagnostic.excerpt?.corrected
      #expect((write != nil) == slip.isMended, "\(slip.name): \(write ?? "nothing")")
      guard let write, let line = diagnostic.line else { continue }
      // The proposed line makes the configuration valid.
      var lines = String(decoding: slip.text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      lines[line - 1] = write
      if slip.name == "bracket of a long list missing" { lines.removeSubrange(line...(line + 1)) }
      if slip.name == "one bracket where two belong, twice" { lines[2] = write }
      if slip.name == "two settings in a line" { lines.insert("muted = true", at: line) }
      let again = Configuration.parse(Array(lines.joined(separator: "\n").utf8), path: "vitrine.toml")
      #expect(again.diagnostics.filter { $0.severity == .error } == [], "\(slip.name): \(write)")
    }
  }

  @Test("All mistakes of a file are reported in the order of their lines, up to a limit")
  func several() {
    let text =
      Self.item.replacingOccurrences(of: "film.mp4\"", with: "film.mp4") + """
        [audio
        volume = 50%
        [[schedule.off]]
        days = ["mon" "tue"]
        start = 22:00
        this is my shop
        [playback]
        loop = on
        lop = true
        picture_duration = "long"

        """
    let loaded = Configuration.parse(Array(text.utf8), path: "v")
    #expect(loaded.diagnostics.map(\.line) == [4, 5, 6, 8, 9, 10, 12, 13, 14])
    #expect(loaded.error?.message == "the configuration has 9 errors")
    #expect(loaded.error?.remedy.contains("v:4:16: the quote behind the text is missing") == true)
    #expect(loaded.error?.remedy.contains("write: uri = \"film.mp4\" | v:5:7: ") == true)
    #expect(loaded.error?.remedy.hasSuffix(" | and 4 more") == true)
    let many = Configuration.parse(Array((Self.item + String(repeating: "[audio\n", count: 300)).utf8), path: "v")
    #expect(many.diagnostics.count <= 21 && !many.diagnostics.isEmpty)
  }

  @Test("A guess never plays, and a valid file gets none")
  func onlyTold() {
    let loaded = Configuration.parse(Array((Self.item + "[audio]\nvolume = 0,5\n").utf8), path: "v")
    #expect(loaded.configuration == nil && loaded.merged.entries.isEmpty)
    let right = """
      # “curly”, C:\\x and 0,5 in a remark
      version = 1
      [[playlist.main.item]]
      title = "“My” film: yes, 50% = C:\\\\x [a" # it's one
      uri = '''
      film.mp4'''
      [[schedule.off]]
      days = [
        "mon", # the first
        "tue"
      ]

      """
    let right2 = Configuration.parse(Array(right.utf8), path: "v")
    #expect(right2.diagnostics.filter { $0.keyPath.isEmpty } == [])
  }

  @Test("Passwords and what steers terminals stay out of the lines that are shown")
  func secrets() {
    let text = "version = 1\npassword = hunter2\nuri = rtsp://me:hunter2@camera/x\ntitle = \"\u{1B}[2J\u{9B}31m\n"
    let told = Configuration.parse(Array(text.utf8), path: "v").diagnostics.flatMap { $0.lines + [$0.told] }
      .joined(separator: "\n")
    #expect(!told.contains("hunter2") && told.contains("camera"))
    #expect(!told.contains("\u{1B}") && !told.unicodeScalars.contains("\u{9B}"))
  }

  @Test("Any bytes are read to their end")
  func hostile() {
    for piece in [
      "[", "[[", "\"", "'''", "a=[", "a=“", "= =", "\\", "\r", "a = {", "#", "a b c d", "“”\"'", "][", "0,5,5", "=:=",
    ] {
      for count in [1, 7, 400] {
        for separator in ["", "\n", " "] {
          let text = Array(repeating: piece, count: count).joined(separator: separator)
          #expect(Configuration.parse(Array(text.utf8), path: "v").configuration == nil)
        }
      }
    }
  }
}

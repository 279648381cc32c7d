import Testing

@testable import PlaybackCore

@Suite("Untrusted texts, as people see them")
struct PlainTextTests {
  @Test("A text is clipped to a number of characters, its mark included, and a short one stays as it is")
  func clipped() {
    let just = String(repeating: "ä", count: PlainText.longest)
    #expect(PlainText.clipped(just) == just)
    let clipped = PlainText.clipped(just + "b")
    #expect(clipped.unicodeScalars.count == PlainText.longest && clipped.last == "…" && clipped.hasPrefix("ää"))
    // A letter with a thousand accents is one character to a reader, and a thousand to a program.
    let stacked = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(PlainText.clipped(stacked).unicodeScalars.count == PlainText.longest)
    #expect(PlainText.clipped("abc", to: 2) == "a…" && PlainText.clipped("", to: 0) == "")
  }

  @Test("Characters that a terminal would act on are spelled out; all others are shown")
  func shown() {
    #expect(PlainText.shown("Café – 愛 👩‍👩‍👧") == "Café – 愛 👩‍👩‍👧")
    #expect(PlainText.shown("\u{1b}]0;owned\u{7}a\u{9b}2Jb") == "\\u{1b}]0;owned\\u{7}a\\u{9b}2Jb")
    #expect(PlainText.shown("a\r\nb\tc\u{7f}") == "a\\u{d}\\u{a}b\\u{9}c\\u{7f}")
    #expect(
      PlainText.shown("a\u{200B}\u{2060}\u{61C}\u{180E}\u{E0041}\u{FFF9}b")
        == "a\\u{200b}\\u{2060}\\u{61c}\\u{180e}\\u{e0041}\\u{fff9}b")
    #expect(PlainText.clipped("a\u{1b}[2J", to: 20) == "a\\u{1b}[2J", "what is told to other programs too")
    #expect(PlainText.shown("gpj.\u{202e}exe\u{2066}\u{2028}") == "gpj.\\u{202e}exe\\u{2066}\\u{2028}")
  }

  @Test("An error is one line, whatever the name of its subject")
  func errors() {
    let error = VitrineError(
      1101, subject: "a\nvitrine: all is well\u{1b}[2J", message: "no\u{9b}", remedy: "b\u{202e}")
    #expect(error.line == "a\\u{a}vitrine: all is well\\u{1b}[2J: no\\u{9b}; b\\u{202e} (error 1101)")
  }
}

import Foundation
import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("Sentences for visitors")
struct VisitorTextsTests {
  @Test("English has every sentence, each with its placeholders and no others")
  func english() throws {
    let english = VisitorTexts.english
    for sentence in VisitorSentence.allCases {
      let forms = try #require(english.sentences[sentence])
      #expect(Set(forms.keys) == (sentence.counted == nil ? [.other] : english.plurals.categories))
      for (category, text) in forms {
        #expect(!text.isEmpty, "\(sentence)")
        let found = try #require(VisitorTexts.placeholders(of: text))
        let mayLack: Set<String> = category == .one ? Set([sentence.counted].compactMap(\.self)) : []
        #expect(Set(found).union(mayLack) == Set(sentence.placeholders), "\(sentence)")
      }
    }
    for number in VisitorErrors.numbers {
      let text = try #require(english.errors[number])
      #expect(VisitorTexts.placeholders(of: text) == VisitorErrors.placeholders(number), "\(number)")
    }
  }

  @Test("The number chooses the form, and names stand as they are")
  func counted() {
    func none(_ count: Int) -> String { VisitorText(.noItemPlayable, ["count": .number(count)]).english }
    #expect(none(1) == "The only item of the playlist could not be played.")
    #expect(none(12) == "None of the 12 items of the playlist could be played.")
    #expect(VisitorText(.fetching, ["item": .name("{count}.mp4")]).english == "fetching {count}.mp4")
  }

  private var german: VisitorTexts {
    var texts = VisitorTexts(language: LanguageTag("de") ?? .english, name: "Deutsch")
    texts.sentences[.muted] = [.other: "Stumm"]
    texts.errors = [2001: "keine Antwort", 2500: "gestört ({status})", VisitorErrors.other: "geht nicht"]
    return texts
  }

  @Test("English fills in a sentence that a language lacks")
  func fallback() {
    #expect(german.text(VisitorText(.muted)) == "Stumm")
    #expect(german.text(VisitorText(.locked)) == "Locked")
    #expect(
      german.text(VisitorText(.volume, ["percent": .number(40)])) == "Volume 40 %")
  }

  @Test("An error is told by its number, in English by its own message")
  func errors() {
    func error(_ number: Int) -> VisitorText {
      .error(VitrineError(number, subject: "a.mp4", message: "as the server says", remedy: ""))
    }
    #expect(german.text(error(2001)) == "keine Antwort")
    #expect(german.text(error(2503)) == "gestört (503)")
    #expect(german.text(error(4999)) == "geht nicht")
    #expect(error(2503).english == "as the server says")
    #expect([2403, 2407, 2410, 2418, 2599, 5001].map(VisitorErrors.group) == [2401, 2401, 2404, 2400, 2500, 0])
  }

  @Test(
    "Each line of a language from the right says so, and isolates what is foreign to it; a name alone stands as it is")
  func rightToLeft() {
    var arabic = VisitorTexts(language: LanguageTag("ar") ?? .english, name: "العربية")
    arabic.isRightToLeft = true
    arabic.sentences[.fault] = [.other: "{subject}: {error}"]
    let fault = VisitorText(.fault, ["subject": .name("a.toml"), "error": .name("خطأ")])
    #expect(arabic.text(fault) == "\u{200F}\u{2068}a.toml\u{2069}: \u{2068}خطأ\u{2069}")
    #expect(arabic.text(.lines(["one", "two"])) == "\u{200F}\u{2068}one\u{2069}\n\u{200F}\u{2068}two\u{2069}")
    #expect(arabic.text("Back at two") == "Back at two")
    #expect(fault.english == "a.toml: \u{2068}خطأ\u{2069}")
  }

  @Test("Braces come in pairs")
  func braces() {
    #expect(VisitorTexts.placeholders(of: "{a} and {b}") == ["a", "b"])
    for wrong in ["{a", "a}", "{a{b}", "}{"] { #expect(VisitorTexts.placeholders(of: wrong) == nil) }
  }

  /// The types of cards take no `String` for sentences; what is left is a sentence that is passed off as a name.
  @Test("No sentence for visitors stands outside the table")
  func noSentenceElsewhere() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    // A text in quotes whose fixed part has a letter.
    let passedOff = /\.(name|detail)\(\s*"([^"\\]|\\\([^)]*\))*[A-Za-z][^"]*"/
    let drawn = /text\.(line|paragraph)\(\s*"[^"\\]*[A-Za-z]/
    var read = 0
    var found: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      read += 1
      for match in text.matches(of: passedOff) {
        let fixed = match.0.replacing(/\\\([^)]*\)/, with: "").dropFirst(7)
        if fixed.contains(where: \.isLetter) { found.append("\(file.lastPathComponent): \(match.0)") }
      }
      if file.path.contains("/OverlayRenderer/") {
        found += text.matches(of: drawn).map { "\(file.lastPathComponent): \($0.0)" }
      }
    }
    #expect(read > 500 && found.isEmpty, "\(found)")
  }
}

import ConfigurationFiles
import Foundation
import InteractionCore
import KioskTestSupport
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Files of languages")
struct LanguageFileTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "config/languages").path
  private static let german = "\(folder)/de.toml"

  /// The languages of the folder.
  private static var languages: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(".toml".count)) }.sorted()
  }

  @Test("The folder has the languages that are promised")
  func promised() { #expect(Set(Self.languages).isSuperset(of: ["en", "de", "fr", "es", "ar", "ja"])) }

  @Test("Each language of the folder has every text and placeholder", arguments: languages)
  func ours(language: String) throws {
    let loaded = LanguageFolders.read(path: "\(Self.folder)/\(language).toml")
    #expect(loaded.diagnostics.isEmpty && loaded.problem == nil, "\(loaded.remarks)")
    #expect(loaded.texts.language.description == language)
    let rightToLeft = ["ar", "fa", "he", "ur"]
    #expect(loaded.texts.isRightToLeft == rightToLeft.contains { language == $0 || language.hasPrefix("\($0)-") })
    #expect(Set(loaded.texts.sentences.keys) == Set(VisitorSentence.allCases))
    #expect(Set(loaded.texts.errors.keys) == Set(VisitorErrors.numbers))
    // An untranslated text would be the same as in English; these words are so by right.
    guard language != "en" else { return }
    let same = VisitorSentence.allCases.filter {
      loaded.texts.sentences[$0] == VisitorTexts.english.sentences[$0]
    }
    let placeholdersOnly: [VisitorSentence] = [.percent, .volume, .megabytes, .itemFailed, .fault, .place]
    let words: [VisitorSentence] = [
      .live, .offline, .version, .mode, .configuration, .attention, .errorNumber, .sizeNormal,
    ]
    #expect(Set(same).isSubset(of: placeholdersOnly + words), "\(same)")
  }

  @Test("The English file says what is built in, so that translators begin with the truth")
  func english() {
    #expect(LanguageFolders.read(path: "\(Self.folder)/en.toml").texts == .english)
  }

  @Test("With a language come the others, but for a file with errors; a visitor's choice without texts changes nothing")
  func others() throws {
    let folder = try TemporaryDirectory()
    for language in ["de", "ar", "fr"] {
      let text = try String(contentsOfFile: "\(Self.folder)/\(language).toml", encoding: .utf8)
      _ = try folder.write(language == "fr" ? text.replacing("[bar]", with: "[bar") : text, as: "\(language).toml")
    }
    let folders = LanguageFolders([folder.url.path])
    let loaded = folders.loadAll(LanguageTag("de-AT"))
    #expect(loaded.remarks.isEmpty && loaded.texts.language.description == "de")
    #expect(loaded.texts.others.map(\.language.description) == ["ar"])
    let arabic = loaded.texts.texts(in: LanguageTag("ar-EG"))
    #expect(arabic.language.description == "ar" && arabic.others.isEmpty && arabic.isRightToLeft)
    for other in [nil, "fr", "de-CH", "ja"] {
      #expect(loaded.texts.texts(in: other.flatMap { LanguageTag($0) }) == folders.load(LanguageTag("de")).texts)
    }
    #expect(loaded.mark != folders.load(LanguageTag("de")).mark, "a translator may change another language")
  }

  private func check(_ change: (String) -> String) throws -> LoadedLanguage {
    let folder = try TemporaryDirectory()
    let text = try String(contentsOfFile: Self.german, encoding: .utf8)
    let changed = change(text)
    try #require(changed != text)
    return LanguageFolders.read(path: try folder.write(changed, as: "de.toml"))
  }

  @Test(
    "Keys and placeholders that are missing or unknown, and a brace alone, are told with their place"
  )
  func faults() throws {
    let faults: [(String, String, String)] = [
      ("muted = \"Stumm\"\n", "", "[messages].muted: missing"),
      ("muted = ", "mutet = ", "[messages].mutet: unknown key, did you mean muted?"),
      (
        "volume = \"Lautstärke {percent}", "volume = \"Lautstärke ",
        "[messages].volume: \"Lautstärke \u{A0}%\": {percent} is missing"
      ),
      ("fetching = \"lädt {item}\"", "fetching = \"lädt {datei}\"", "{datei} is not known"),
      ("fetching = \"lädt {item}\"", "fetching = \"lädt {item\"", "has a brace without its other"),
      ("2001 = ", "2099 = ", "[errors].2099: unknown key"),
      ("left-to-right", "up", "direction: \"up\": is not known"),
      ("one = \"n = 1\"", "one = \"n is 1\"", "[plural].one: \"n is 1\": can't be read"),
      (
        "one = \"n = 1\"", "one = \"n = 1\"\ntwo = \"n = 2\"",
        "has other forms than [plural] says, one, two, other are needed"
      ),
      ("language = \"de\"", "language = \"nl\"", "isn't the language that the file is called by"),
      ("version = 1", "version = 2", "is not known to this version"),
    ]
    for (old, new, told) in faults {
      let loaded = try check { $0.replacing(old, with: new) }
      #expect(loaded.diagnostics.contains { $0.description.contains(told) }, "\(told): \(loaded.remarks)")
      #expect(loaded.diagnostics.allSatisfy { ($0.line ?? 0) > 0 })
      #expect(loaded.problem?.number == 1006 && loaded.texts == .english)
    }
  }

  @Test("A text that is no TOML, and a file that isn't there, leave English")
  func unreadable() throws {
    let broken = try check { $0 + "\n[" }
    #expect(broken.texts == .english && broken.problem?.number == 1006)
    let missing = LanguageFolders.read(path: "/no/such/xx.toml")
    #expect(missing.texts == .english && missing.problem?.number == 1006)
  }

  @Test("A region falls back to its language; an unknown language is an error that lists the known ones")
  func lookup() {
    let folders = LanguageFolders([Self.folder], system: LanguageTag("fr-CA"))
    func name(_ tag: String?) -> String { folders.load(tag.flatMap { LanguageTag($0) }).texts.name }
    #expect(name("de") == "Deutsch" && name("de-AT") == "Deutsch" && name("ja-Jpan-JP") == "日本語")
    #expect(name(nil) == "Français")
    #expect(LanguageFolders([Self.folder]).load(nil).texts == .english)
    let unknown = folders.load(LanguageTag("tlh"))
    #expect(unknown.texts == .english && unknown.problem?.number == 1006)
    #expect(unknown.problem?.remedy.contains("ar, de, es, fr, ja") == true)
    #expect(folders.load(LanguageTag("en-GB")).problem == nil)
    #expect(LanguageFolders().load(LanguageTag("en")).problem == nil, "English is built in")
  }

  @Test("A new language takes one file, and a translator's own file comes before the program's")
  func newcomer() throws {
    let own = try TemporaryDirectory()
    let text = try String(contentsOfFile: Self.german, encoding: .utf8)
    _ = try own.write(
      text.replacing("language = \"de\"", with: "language = \"pt-BR\"").replacing("\"Deutsch\"", with: "\"Português\"")
        .replacing("\"Stumm\"", with: "\"Mudo\""), as: "pt-br.toml")
    _ = try own.write(text.replacing("\"Stumm\"", with: "\"Ton aus\""), as: "de.toml")
    let folders = LanguageFolders([own.url.path, Self.folder])
    let portuguese = folders.load(LanguageTag("pt-BR"))
    #expect(portuguese.problem == nil, "\(portuguese.remarks)")
    #expect(portuguese.texts.text(VisitorText(.muted)) == "Mudo")
    #expect(folders.load(LanguageTag("de")).texts.text(VisitorText(.muted)) == "Ton aus")
    #expect(folders.load(LanguageTag("es")).texts.name == "Español")
    #expect(portuguese.mark != folders.load(LanguageTag("de")).mark)
  }

  @Test("The system's language comes from LC_ALL, LC_MESSAGES or LANG, in the order that POSIX prescribes")
  func system() {
    func tag(_ environment: [String: String]) -> String? { LanguageFolders.system(environment)?.description }
    #expect(tag(["LANG": "de_AT.UTF-8"]) == "de-at")
    #expect(tag(["LANG": "de_AT.UTF-8", "LC_MESSAGES": "ar", "LC_ALL": ""]) == "ar")
    #expect(tag(["LC_ALL": "ja_JP.eucJP", "LC_MESSAGES": "ar"]) == "ja-jp")
    #expect(tag(["LANG": "ca_ES@valencia"]) == "ca-es")
    for none in ["C", "C.UTF-8", "POSIX", ""] { #expect(tag(["LANG": none]) == nil) }
    #expect(tag([:]) == nil)
  }

  @Test("Arabic says numbers in six forms, German in two, Japanese in one")
  func plurals() {
    func texts(_ language: String) -> VisitorTexts {
      LanguageFolders.read(path: "\(Self.folder)/\(language).toml").texts
    }
    func tries(_ language: String) -> Set<String> {
      let texts = texts(language)
      return Set(
        [0, 1, 2, 3, 11, 100].map { number in
          texts.text(VisitorText(.noItemPlayable, ["count": .number(number)])).filter { !$0.isNumber }
        })
    }
    #expect(tries("ar").count == 6 && tries("de").count == 2 && tries("ja").count == 1)
    #expect(texts("de").text(VisitorText(.noItemPlayable, ["count": .number(12)])).contains("12 Einträge"))
  }
}

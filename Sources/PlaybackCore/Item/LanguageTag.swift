/// A language code of people or containers, normalised for comparison.
///
/// Containers write ISO 639-2 (`ger`, `deu`), people BCP 47 (`de`, `de-AT`). Case doesn't matter, and `_` stands for
/// `-`.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The two-letter code if the table below has one, else the code as written, in lower case.
  public let language: String
  /// The script, region and so on, in lower case, as written.
  public let subtags: [String]

  /// - Returns: nil for texts with other characters than letters, digits and separators, and for the codes of unknown
  ///   languages (`und`, `mul`, `mis`, `zxx`).
  public init?(_ text: String) {
    let lower = String(text.lowercased().map { $0 == "_" ? "-" : $0 })
    let parts = lower.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.utf8.count), first.utf8.allSatisfy(Self.isLetter) else {
      return nil
    }
    // File names are made from tags, so other characters must not get through.
    guard parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isLetterOrDigit) }) else {
      return nil
    }
    guard !["und", "mul", "mis", "zxx"].contains(first) else { return nil }
    language = Self.shortCodes[String(first)] ?? String(first)
    subtags = parts.dropFirst().map { String($0) }
  }

  private init(language: String) {
    self.language = language
    subtags = []
  }

  public static let english = LanguageTag(language: "en")

  /// Whether the language is written from right to left: by its script where that is named, else by its usual one.
  public var isRightToLeft: Bool {
    if let script = subtags.first(where: { $0.utf8.count == 4 && $0.utf8.allSatisfy(Self.isLetter) }) {
      return Self.rightToLeftScripts.contains(script)
    }
    return Self.rightToLeftLanguages.contains(language)
  }

  // Scripts of the Unicode Character Database whose letters are R or AL, as far as they are in use; and the languages
  // that CLDR writes in one of them.
  private static let rightToLeftScripts: Set = ["adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "syrc", "thaa"]
  private static let rightToLeftLanguages: Set = [
    "ar", "arc", "arz", "azb", "bal", "bqi", "ckb", "dv", "fa", "glk", "he", "khw", "ks", "lrc", "mzn", "nqo", "pnb",
    "ps",
    "sd", "syr", "ug", "ur", "yi",
  ]

  /// How well a track in `other` matches a wish for this language: 3 for equal tags, 2 if one of them leaves the region
  /// (or script) open, 1 for another region, 0 for another language.
  public func match(_ other: LanguageTag) -> Int {
    guard language == other.language else { return 0 }
    if subtags == other.subtags { return 3 }
    return subtags.starts(with: other.subtags) || other.subtags.starts(with: subtags) ? 2 : 1
  }

  /// The best match for this language, the first of equals; nil where all are other languages.
  public func closest(among tags: [LanguageTag]) -> LanguageTag? {
    var best: (rank: Int, tag: LanguageTag)?
    for tag in tags where match(tag) > best?.rank ?? 0 { best = (match(tag), tag) }
    return best?.tag
  }

  /// The tag as written in files; `LanguageTag.init` reads it.
  public var description: String { ([language] + subtags).joined(separator: "-") }

  /// Every code of the language, the short one first.
  public var codes: [String] { Self.table.first { $0[0] == language } ?? [language] }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }

  private static let shortCodes: [String: String] = {
    var codes: [String: String] = [:]
    for row in table { for code in row { codes[code] = row[0] } }
    return codes
  }()

  /// ISO 639-1 first, then ISO 639-2 (terminology, bibliography) and withdrawn codes. Bokmål counts as Norwegian: both
  /// are used for the same films.
  private static let table: [[String]] = [
    ["ar", "ara"], ["bg", "bul"], ["bn", "ben"], ["ca", "cat"], ["cs", "ces", "cze"], ["cy", "cym", "wel"],
    ["da", "dan"], ["de", "deu", "ger"], ["el", "ell", "gre"], ["en", "eng"], ["es", "spa"], ["et", "est"],
    ["eu", "eus", "baq"], ["fa", "fas", "per"], ["fi", "fin"], ["fr", "fra", "fre"], ["ga", "gle"], ["gl", "glg"],
    ["he", "heb", "iw"], ["hi", "hin"], ["hr", "hrv", "scr"], ["hu", "hun"], ["id", "ind", "in"],
    ["is", "isl", "ice"], ["it", "ita"], ["ja", "jpn"], ["ko", "kor"], ["lt", "lit"], ["lv", "lav"],
    ["mk", "mkd", "mac"], ["ms", "msa", "may"], ["nl", "nld", "dut"], ["nn", "nno"], ["no", "nor", "nb", "nob"],
    ["pl", "pol"], ["pt", "por"], ["ro", "ron", "rum"], ["ru", "rus"], ["sk", "slk", "slo"], ["sl", "slv"],
    ["sq", "sqi", "alb"], ["sr", "srp", "scc"], ["sv", "swe"], ["ta", "tam"], ["te", "tel"], ["th", "tha"],
    ["tr", "tur"], ["uk", "ukr"], ["ur", "urd"], ["vi", "vie"], ["zh", "zho", "chi"],
  ]
}

public import PlaybackCore

/// All sentences of one language that visitors read.
public struct VisitorTexts: Hashable, Sendable {
  public var language: LanguageTag
  /// As those who speak it call it.
  public var name: String
  public var isRightToLeft = false
  public var plurals = PluralRules()
  /// Between two sentences.
  public var sentenceGap = " "
  /// Between the parts of a list.
  public var listGap = ", "
  /// By sentence, then by the category of the number; sentences without a number have `other`.
  public var sentences: [VisitorSentence: [PluralCategory: String]] = [:]
  /// By the numbers of `VisitorErrors`.
  public var errors: [Int: String] = [:]
  /// The texts of the other languages that there are here, for a visitor who chooses one.
  public var others: [VisitorTexts] = []

  public init(language: LanguageTag, name: String) {
    self.language = language
    self.name = name
  }

  /// The texts in the wanted language, without `others`; this value's own texts if there are none in it.
  public func texts(in wanted: LanguageTag?) -> VisitorTexts {
    let all = [self] + others
    let closest = wanted?.closest(among: all.map(\.language))
    var texts = all.first { $0.language == closest } ?? self
    texts.others = []
    return texts
  }

  /// Puts a text into this language. What the language lacks is said in English.
  public func text(_ text: VisitorText) -> String {
    // What somebody has written has its own direction.
    if case .verbatim(let written) = text.content { return written }
    let whole = string(text)
    guard isRightToLeft else { return whole }
    // A line may begin with a name in Latin letters, by which it would be set from the left.
    return whole.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.rightToLeftMark + $0 }.joined(separator: "\n")
  }

  private func string(_ text: VisitorText) -> String {
    switch text.content {
    case .verbatim(let text): isolated(text)
    case .sentence(let sentence, let arguments): self.string(sentence, arguments)
    case .error(let number, let message): self.message(number) ?? isolated(message)
    case .joined(let texts, let joint): texts.map(string).joined(separator: gap(joint))
    }
  }

  private func gap(_ joint: VisitorText.Joint) -> String {
    switch joint {
    case .sentences: sentenceGap
    case .list: listGap
    case .lines: "\n"
    case .names: "  "
    }
  }

  private static let rightToLeftMark = "\u{200F}"

  /// Keeps what isn't of this language from turning what is around it: in an isolate of Unicode's bidirectional
  /// algorithm, where one of the two is written from the right.
  private func isolated(_ text: String) -> String {
    let isForeign = text.unicodeScalars.contains {
      (0x590...0x8FF).contains($0.value) || (0xFB1D...0xFEFC).contains($0.value)
    }
    return isRightToLeft || isForeign ? "\u{2068}\(text)\u{2069}" : text
  }

  private func string(_ sentence: VisitorSentence, _ arguments: [String: VisitorText.Argument]) -> String {
    var category = PluralCategory.other
    if let counted = sentence.counted, case .number(let number)? = arguments[counted] {
      category = plurals.category(of: number)
    }
    let forms = sentences[sentence]
    guard let template = forms?[category] ?? forms?[.other] else {
      return language == .english ? "" : isolated(Self.english.string(sentence, arguments))
    }
    return Self.filled(template) { name in
      switch arguments[name] {
      case .number(let number)?: "\(number)"
      case .text(let text)?: self.string(text)
      case nil: nil
      }
    }
  }

  /// Nil where the error's own message serves.
  private func message(_ number: Int) -> String? {
    guard language.language != LanguageTag.english.language else { return nil }
    let template = errors[VisitorErrors.group(of: number)] ?? errors[VisitorErrors.other]
    // Two thousand and the status of HTTP make the number.
    return template.map { Self.filled($0) { $0 == "status" ? "\(number - 2000)" : nil } }
  }

  /// The names in braces of a template, in their order; nil where braces aren't in pairs.
  public static func placeholders(of template: String) -> [String]? {
    var names: [String] = []
    var rest = template[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{" else { return nil }
      let inner = rest[rest.index(after: brace)...]
      guard let end = inner.firstIndex(where: { $0 == "{" || $0 == "}" }), inner[end] == "}" else { return nil }
      names.append(String(inner[..<end]))
      rest = inner[inner.index(after: end)...]
    }
    return names
  }

  private static func filled(_ template: String, _ value: (String) -> String?) -> String {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      text += rest[..<start]
      let name = rest[rest.index(after: start)..<end]
      text += value(String(name)) ?? "{\(name)}"
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }
}

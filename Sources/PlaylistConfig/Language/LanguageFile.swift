import InteractionCore
import PlaybackCore

/// The file of a language: `de.toml`.
struct LanguageFile: Sendable {
  enum Direction: String, Hashable, Sendable, CaseIterable {
    case leftToRight = "left-to-right"
    case rightToLeft = "right-to-left"
  }

  /// The forms of a sentence, and where they stand.
  struct Forms: Hashable, Sendable {
    var texts: [PluralCategory: String] = [:]
    var position: TOMLPosition?
  }

  var version: Int64 = 1
  var language = LanguageTag.english
  var name = ""
  var direction = Direction.leftToRight
  var sentenceGap = " "
  var listGap = ", "
  var plurals: [PluralCategory: String] = [:]
  var sentences: [VisitorSentence: Forms] = [:]
  var errors: [Int: String] = [:]

  subscript(plural category: PluralCategory) -> String {
    get { plurals[category] ?? "" }
    set { plurals[category] = newValue }
  }

  subscript(sentence sentence: VisitorSentence) -> Forms {
    get { sentences[sentence] ?? Forms() }
    set { sentences[sentence] = newValue }
  }

  subscript(error number: Int) -> String {
    get { errors[number] ?? "" }
    set { errors[number] = newValue }
  }

  static let schema = TableDescription<LanguageFile>(
    [
      .value("version", .exactly(1), \.version, example: "1", "The version of the format.").required,
      .value("language", .language, \.language, example: "\"de\"", "The language, as its file is called.").required,
      .value("name", .text, \.name, example: "\"Deutsch\"", "What those who speak it call it.").required,
      .value("direction", .word, \.direction, "On which side a line begins.").required,
      .value("sentence_gap", .gap, \.sentenceGap, "Between two sentences; a blank without it."),
      .value("list_gap", .gap, \.listGap, "Between the parts of a list; a comma and a blank without it."),
      .table("plural", pluralKeys, \.self, "Which form a number takes, in the notation of the CLDR."),
    ]
      + VisitorSentence.Table.allCases.map { table in
        .table(table.rawValue, keys(of: table), \.self, "Sentences.").required
      } + [.table("errors", errorKeys, \.self, "What is wrong, by the number of the error.").required])

  private static let pluralKeys = TableDescription<LanguageFile>(
    PluralCategory.allCases.filter { $0 != .other }.map { category in
      .value(category.rawValue, .pluralRule, \.[plural: category], "When this form is taken.")
    })

  private static func keys(of table: VisitorSentence.Table) -> TableDescription<LanguageFile> {
    TableDescription(
      VisitorSentence.allCases.filter { $0.table == table }.map { sentence in
        .value(sentence.rawValue, .forms(of: sentence), \.[sentence: sentence], "A sentence.").required
      })
  }

  private static let errorKeys = TableDescription<LanguageFile>(
    VisitorErrors.numbers.map { number in
      .value(
        VisitorErrors.key(number), .template(VisitorErrors.placeholders(number)), \.[error: number], "What is wrong."
      ).required
    })

  /// - Parameter name: of the file, without its ending.
  func check(name: String, in context: TableContext, reporting diagnostics: inout [Diagnostic]) {
    if LanguageTag(name) != language {
      diagnostics.append(
        context.diagnostic(
          "language", at: TOMLPosition(line: 1, column: 1), value: TOMLText.quoted("\(language)"),
          message: "isn't the language that the file is called by",
          allowed: "call the file \(language).toml, or write \"\(name)\""))
    }
    let wanted = Set(plurals.keys).union([.other])
    for sentence in VisitorSentence.allCases where sentence.counted != nil {
      // One that is missing or refused has been told.
      guard let forms = sentences[sentence], let position = forms.position else { continue }
      let given = Set(forms.texts.keys)
      guard given != wanted else { continue }
      let names = PluralCategory.allCases.filter { wanted.contains($0) }.map(\.rawValue).joined(separator: ", ")
      diagnostics.append(
        context.inner(sentence.table.rawValue).diagnostic(
          sentence.rawValue, at: position, message: "has other forms than [plural] says",
          allowed: "\(names) \(wanted.count == 1 ? "is" : "are") needed"))
    }
  }

  var texts: VisitorTexts {
    var texts = VisitorTexts(language: language, name: name)
    texts.isRightToLeft = direction == .rightToLeft
    texts.sentenceGap = sentenceGap
    texts.listGap = listGap
    for (category, rule) in plurals { _ = texts.plurals.set(category, to: rule) }
    texts.sentences = sentences.mapValues(\.texts)
    texts.errors = errors
    return texts
  }
}

// MARK: Rules

extension ValueRule where Value == String {
  fileprivate static var gap: Self {
    ValueRule(allowed: "a text of 4 characters or fewer is allowed", shape: .text(pattern: "^.{0,4}$")) {
      (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard text.unicodeScalars.count <= 4, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
        throw Refusal("is too long")
      }
      return text
    } spell: {
      TOMLText.quoted($0)
    }
  }

  fileprivate static var pluralRule: Self {
    ValueRule(
      allowed: "a rule of the CLDR such as \"n % 10 = 2..4 and n % 100 != 12..14\" is allowed",
      shape: .text(pattern: nil)
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard PluralRules.isRule(text) else { throw Refusal("can't be read") }
      return text
    } spell: {
      TOMLText.quoted($0)
    }
  }

  /// - Parameter optional: a placeholder that may be missing.
  fileprivate static func template(_ placeholders: [String], optional: String? = nil) -> Self {
    let listed = placeholders.map { "{\($0)}" }.joined(separator: ", ")
    let allowed = "a text \(placeholders.isEmpty ? "without braces" : "with \(listed) in it") is allowed"
    let text = Self.text
    return ValueRule(allowed: allowed, shape: .text(pattern: nil)) { (node) throws(Refusal) in
      let template = try text.read(node)
      guard let found = VisitorTexts.placeholders(of: template) else { throw Refusal("has a brace without its other") }
      if let unknown = found.first(where: { !placeholders.contains($0) }) { throw Refusal("{\(unknown)} is not known") }
      if let missing = placeholders.first(where: { !found.contains($0) && $0 != optional }) {
        throw Refusal("{\(missing)} is missing")
      }
      return template
    } spell: {
      TOMLText.quoted($0)
    }
  }
}

extension ValueRule where Value == LanguageFile.Forms {
  /// One text, or one for each form that the language has.
  fileprivate static func forms(of sentence: VisitorSentence) -> Self {
    let rule = ValueRule<String>.template(sentence.placeholders)
    let allowed = sentence.counted == nil ? rule.allowed : "\(rule.allowed), or { one = ..., other = ... }"
    return ValueRule(allowed: allowed, shape: rule.shape) { (node) throws(Refusal) in
      guard sentence.counted != nil, case .table(let table) = node.value else {
        return Value(texts: [.other: try rule.read(node)], position: node.position)
      }
      var forms = Value(position: node.position)
      for entry in table.entries {
        guard let category = PluralCategory(rawValue: entry.key) else {
          throw .unknown(entry.key, among: PluralCategory.allCases.map(\.rawValue))
        }
        // One, two and none may be said in words.
        let isSaid = [.zero, .one, .two].contains(category)
        let rule = ValueRule<String>.template(sentence.placeholders, optional: isSaid ? sentence.counted : nil)
        do throws(Refusal) {
          forms.texts[category] = try rule.read(entry.node)
        } catch {
          throw Refusal("\(entry.key): \(error.message)", allowed: error.allowed ?? rule.allowed)
        }
      }
      return forms
    } spell: { forms in
      let texts = PluralCategory.allCases.compactMap { category in
        forms.texts[category].map { "\(category.rawValue) = \(TOMLText.quoted($0))" }
      }
      return texts.count == 1 ? TOMLText.quoted(forms.texts[.other] ?? "") : "{ \(texts.joined(separator: ", ")) }"
    }
  }
}

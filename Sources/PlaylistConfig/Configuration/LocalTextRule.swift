import PlaybackCore

// `{ en = "The hall", de = "Die Halle" }`: a text in several languages.

extension ValueRule where Value == LocalText {
  static var localText: Self {
    ValueRule(
      allowed: "a text in quotes is allowed, or { en = \"...\", de = \"...\" }", shape: .localText,
      read: LocalText.read, spell: \.spelled)
  }
}

extension LocalText {
  /// Reads a text, or a table with a text for each language.
  fileprivate static func read(_ node: TOMLNode) throws(Refusal) -> LocalText {
    let text = ValueRule<String>.text
    guard case .table(let table) = node.value else { return LocalText(try text.read(node)) }
    guard table.entries.count <= ConfigurationLimits.words else {
      throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) languages are allowed")
    }
    var texts: [LanguageTag: String] = [:]
    for entry in table.entries {
      guard let tag = LanguageTag(entry.key) else {
        throw Refusal("has \(TOMLText.quoted(entry.key)) in it, which is not a language")
      }
      guard texts[tag] == nil else { throw Refusal("has \(tag) in it twice") }
      texts[tag] = try text.read(entry.node)
    }
    guard let local = LocalText(languages: texts) else { throw Refusal("is empty") }
    return local
  }

  fileprivate var spelled: String {
    guard !languages.isEmpty else { return TOMLText.quoted(usual) }
    let texts = languages.sorted { $0.key < $1.key }.map { "\($0.key) = \(TOMLText.quoted($0.value))" }
    return "{ " + texts.joined(separator: ", ") + " }"
  }
}

/// A text of the owner's: one for everybody, or one in each of some languages.
public struct LocalText: Hashable, Sendable {
  /// For those whose language isn't among the others: English where there is one, else the first in the order of tags.
  public var usual: String
  /// By the language's tag; empty for a text for everybody.
  public var languages: [String: String]

  public init(_ usual: String, languages: [String: String] = [:]) {
    self.usual = usual
    self.languages = languages
  }

  /// - Returns: nil without any language.
  public init?(languages: [LanguageTag: String]) {
    let sorted = languages.sorted { $0.key.description < $1.key.description }
    guard let first = sorted.first else { return nil }
    let english = sorted.first { $0.key.match(.english) > 0 }
    self.init(
      (english ?? first).value,
      languages: Dictionary(uniqueKeysWithValues: sorted.map { ($0.key.description, $0.value) }))
  }

  /// The text for somebody who reads this language.
  public func text(in wanted: LanguageTag?) -> String {
    let closest = wanted?.closest(among: languages.keys.sorted().compactMap { LanguageTag($0) })
    return closest.flatMap { languages[$0.description] } ?? usual
  }
}

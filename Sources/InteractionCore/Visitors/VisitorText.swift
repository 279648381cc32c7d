public import PlaybackCore

/// Something that visitors read, before it is put into their language (`VisitorTexts.text`).
///
/// Cards and messages take this type and no `String`, so that no sentence gets past the table of languages: a value is
/// made of sentences of the table, of names, and of details that others have written.
public struct VisitorText: Hashable, Sendable {
  indirect enum Content: Hashable, Sendable {
    case sentence(VisitorSentence, [String: Argument])
    case verbatim(String)
    case error(number: Int, message: String)
    case joined([VisitorText], Joint)
  }

  /// The value of a placeholder.
  public enum Argument: Hashable, Sendable {
    case number(Int)
    case text(VisitorText)
  }

  enum Joint: Hashable, Sendable {
    /// One sentence after the other.
    case sentences
    case list
    case lines
    case names
  }

  let content: Content

  public init(_ sentence: VisitorSentence, _ arguments: [String: Argument] = [:]) {
    content = .sentence(sentence, arguments)
  }

  private init(_ content: Content) { self.content = content }

  /// A name, an address, or what the owner of the board has written: the same in every language.
  public static func name(_ text: String) -> VisitorText { VisitorText(.verbatim(text)) }

  /// A detail for technicians, such as the place in a file and the fault there. It stays in English.
  public static func detail(_ text: String) -> VisitorText { VisitorText(.verbatim(text)) }

  /// The fault, by the number of its error. English has the error's own message, which is more exact.
  public static func error(_ error: VitrineError) -> VisitorText {
    VisitorText(.error(number: error.number, message: error.message))
  }

  public static func sentences(_ texts: [VisitorText]) -> VisitorText { VisitorText(.joined(texts, .sentences)) }
  public static func list(_ texts: [VisitorText]) -> VisitorText { VisitorText(.joined(texts, .list)) }
  /// Names that have nothing to do with each other, side by side.
  public static func names(_ names: [String]) -> VisitorText {
    VisitorText(.joined(names.map { .name($0) }, .names))
  }
  public static func lines(_ texts: [VisitorText]) -> VisitorText { VisitorText(.joined(texts, .lines)) }
}

extension VisitorText.Argument {
  public static func name(_ text: String) -> Self { .text(.name(text)) }
  public static func detail(_ text: String) -> Self { .text(.detail(text)) }
}

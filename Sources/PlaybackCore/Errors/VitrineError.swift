/// An error as a person reads it: a number, what happened to what, and what to do about it.
///
/// Numbers are families: 1xxx configuration, 2xxx network, 3xxx container and parsing, 4xxx decoding, 5xxx output, 6xxx
/// input, 7xxx system. docs/errors.md lists them. Addresses in it are redacted: it is for logs, screens and reports.
public struct VitrineError: Error, Hashable, Sendable, Codable {
  /// The number within its family; stable across releases.
  public var number: Int
  /// The part that the error is about: a file, a URI, a card, an option.
  public var subject: String
  /// The problem, in words for the person who will read it; no full stop.
  public var message: String
  /// The remedy; no full stop. Empty only when there is nothing to do.
  public var remedy: String
  /// The message of the library below, for the log.
  public var detail: String

  public init(_ number: Int, subject: String, message: String, remedy: String, detail: String = "") {
    self.number = number
    self.subject = Redaction.value(subject)
    self.message = Redaction.text(message)
    self.remedy = Redaction.text(remedy)
    self.detail = Redaction.text(detail)
  }

  /// The error in one line, made printable by `PlainText.shown`: `subject: message; remedy (error NNNN)`.
  public var line: String {
    let advice = remedy.isEmpty ? "" : "; \(remedy)"
    return PlainText.shown("\(subject): \(message)\(advice) (error \(number))")
  }
}

extension VitrineError: CustomStringConvertible {
  public var description: String { line }
}

public import JSONText
internal import PlaybackCore

/// One thing that is wrong with a configuration, and where. Addresses in it are redacted.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    /// The configuration isn't used.
    case error
    case warning
  }

  public var severity: Severity
  public var path: String
  /// Nil when it is about the file as a whole.
  public var position: TOMLPosition?
  /// As in the file: `version`, `[playback].loop`, `[playlist.main.item 2].uri`; items count from 1. Empty when the text
  /// can't be parsed.
  public var keyPath: String
  /// The value as it would be written in the file, shortened; nil when a key is missing or unknown.
  public var value: String?
  /// What is wrong; no full stop.
  public var message: String
  /// What is allowed instead; empty when the message says it all.
  public var allowed: String
  /// The line as it should be, where the one that found the fault knows it.
  var corrected: String?
  /// The line that it is about; nil where there is none, or it isn't to be shown.
  public var excerpt: Excerpt?

  public init(
    _ severity: Severity = .error, path: String, position: TOMLPosition?, keyPath: String = "", value: String? = nil,
    message: String, allowed: String = "", corrected: String? = nil
  ) {
    self.corrected = corrected
    self.severity = severity
    self.path = Redaction.value(path)
    self.position = position
    self.keyPath = keyPath
    self.value = value.map(Redaction.text)
    self.message = Redaction.text(message)
    self.allowed = Redaction.text(allowed)
  }

  public var line: Int? { position?.line }
  public var column: Int? { position?.column }

  /// For programs: the members that the line for people has.
  public var json: JSONValue {
    .object([
      JSONValue.Member("severity", .string(severity.rawValue)),
      JSONValue.Member("path", .string(path)),
      JSONValue.Member("line", line.flatMap { $0 > 0 ? .integer(Int64($0)) : nil } ?? .null),
      JSONValue.Member("column", column.flatMap { $0 > 0 ? .integer(Int64($0)) : nil } ?? .null),
      JSONValue.Member("key", .string(keyPath)),
      JSONValue.Member("value", value.map { .string($0) } ?? .null),
      JSONValue.Member("message", .string(message)),
      JSONValue.Member("allowed", .string(allowed)),
      JSONValue.Member("text", excerpt.map { .string($0.line) } ?? .null),
      JSONValue.Member("write", excerpt?.corrected.map { .string($0) } ?? .null),
    ])
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The same in one line, with what to write where that is known: for logs, cards and programs that wait for a reason.
  public var told: String {
    let write = excerpt?.corrected.map { "; write: \($0.trimmedSpaces)" } ?? ""
    return description + write
  }

  /// For people at a terminal: what is wrong, then the line itself with a mark, and the line as it should be.
  public var lines: [String] { [description] + (excerpt?.lines ?? []) }

  /// `path:line:column: [table].key: value: what is wrong, what is allowed`, the form that editors and compilers share. One line,
  /// whatever stands in names and values.
  public var description: String {
    var place = path
    // Line 0 is that of an option or a variable.
    if let position, position.line > 0 { place += ":\(position.line):\(position.column)" }
    let warning = severity == .warning ? "warning" : nil
    let words = allowed.isEmpty ? message : "\(message), \(allowed)"
    let parts = [place, warning, keyPath.isEmpty ? nil : keyPath, value, words]
    return PlainText.shown(parts.compactMap { $0 }.joined(separator: ": "))
  }
}

public import JSONText
internal import PlaybackCore

/// A fault of a configuration, with its place. Addresses in it are redacted.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    /// The configuration isn't used.
    case error
    case warning
  }

  public var severity: Severity
  public var path: String
  /// Nil if the fault concerns the whole file.
  public var position: TOMLPosition?
  /// The key's path as in the file: `version`, `[playback].loop`, `[playlist.main.item 2].uri`; items count from 1.
  /// Empty if the text can't be parsed.
  public var keyPath: String
  /// The value as it would be written in the file, shortened; nil when a key is missing or unknown.
  public var value: String?
  /// The fault; no full stop.
  public var message: String
  /// The allowed values; empty if the message says everything.
  public var allowed: String
  /// The corrected line, if the check that found the fault can correct it.
  var corrected: String?
  /// The line with the fault; nil if no line is concerned, or the line must stay secret.
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

  /// The members of `description` for programs.
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
  /// The description in one line, with the corrected line where one is known: for logs, error cards and programs.
  public var told: String {
    let write = excerpt?.corrected.map { "; write: \($0.trimmedSpaces)" } ?? ""
    return description + write
  }

  /// For people at a terminal: the fault, then the line with a mark, and the corrected line.
  public var lines: [String] { [description] + (excerpt?.lines ?? []) }

  /// `path:line:column: [table].key: value: fault, allowed values`, the form that editors and compilers share. Always
  /// one line, whatever characters names and values have.
  public var description: String {
    var place = path
    // Options and variables have line 0.
    if let position, position.line > 0 { place += ":\(position.line):\(position.column)" }
    let warning = severity == .warning ? "warning" : nil
    let words = allowed.isEmpty ? message : "\(message), \(allowed)"
    let parts = [place, warning, keyPath.isEmpty ? nil : keyPath, value, words]
    return PlainText.shown(parts.compactMap { $0 }.joined(separator: ": "))
  }
}

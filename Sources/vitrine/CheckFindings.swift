import JSONText
import KioskRuntime
import PlaybackCore
import PlaylistConfig

/// The findings of `check`, and their output.
struct CheckFindings {
  /// The checked configuration or media.
  let subject: String
  /// Whether warnings are errors.
  let isStrict: Bool
  /// The name of the board that media are judged for.
  var board = ""
  var diagnostics: [Diagnostic] = []
  /// The number of diagnostics, from the first, that are about settings and not about media.
  var settingsCount = 0
  /// The media, each with the key that lists it; an empty key for media from the command line.
  var media: [(key: String, medium: ProbedMedium)] = []
  var fingerprint: String?
  /// All of the errors in one, with its number; nil for a configuration.
  var problem: VitrineError?
  /// The exit code where the configuration can't be read at all.
  var failure: Int32?

  init(subject: String, isStrict: Bool) {
    self.subject = Redaction.value(subject)
    self.isStrict = isStrict
  }

  var exitCode: Int32 {
    if let failure { return failure }
    if diagnostics.prefix(settingsCount).contains(where: isError) { return KioskExit.configuration }
    return errors > 0 ? KioskExit.noSuchMedia : KioskExit.done
  }

  private var errors: Int { diagnostics.count(where: isError) }

  private func isError(_ diagnostic: Diagnostic) -> Bool { isStrict || diagnostic.severity == .error }

  var lines: [String] {
    var lines: [String] = []
    for (key, medium) in media {
      lines.append("\(key.isEmpty ? "" : "\(key): ")\(Redaction.value(medium.item.uri))")
      // A list isn't decoded: its entries are judged.
      let advice = medium.facts.list == nil ? medium.advice.lines(path: medium.path, board: board) : []
      lines += (medium.facts.lines + advice).map { "  \($0)" }
    }
    let warnings = diagnostics.count - errors
    lines += diagnostics.flatMap(\.lines)
    if let problem { lines.append(problem.line) }
    return lines + ["\(subject): \(Self.counted(errors, "error")), \(Self.counted(warnings, "warning"))"]
  }

  private static func counted(_ count: Int, _ word: String) -> String { count == 1 ? "1 \(word)" : "\(count) \(word)s" }

  var json: JSONValue {
    .object([
      JSONValue.Member("schema", .integer(1)),
      JSONValue.Member("ok", .boolean(errors == 0)),
      JSONValue.Member("fingerprint", fingerprint.map { .string($0) } ?? .null),
      JSONValue.Member("errors", .integer(Int64(errors))),
      JSONValue.Member("warnings", .integer(Int64(diagnostics.count - errors))),
      JSONValue.Member("diagnostics", .array(diagnostics.map(\.json))),
      JSONValue.Member("media", .array(media.map { Self.json($0.key, $0.medium) })),
    ])
  }

  private static func json(_ key: String, _ medium: ProbedMedium) -> JSONValue {
    .object([
      JSONValue.Member("key", .string(key)),
      JSONValue.Member("uri", .string(Redaction.value(medium.item.uri))),
      JSONValue.Member("container", medium.facts.container.map { .string($0) } ?? .null),
      JSONValue.Member("duration", medium.facts.duration.map { .number($0.inSeconds) } ?? .null),
      JSONValue.Member("live", .boolean(medium.facts.isLive)),
      JSONValue.Member("streams", .array(medium.facts.streams.map(\.json))),
      JSONValue.Member("advice", medium.advice.json(path: medium.path)),
    ])
  }
}

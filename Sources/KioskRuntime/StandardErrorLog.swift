internal import Glibc
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision
public import Logging

/// Writes log lines to standard error: `vitrine: error: text` on a terminal, with the journal's own priority prefix
/// (`<3>`) where standard error is the journal.
///
/// The levels: an error needs somebody who acts; a warning reports a fault that the player has dealt with; notices and
/// information say what the player does. The same warning or error is written once a minute at most, with a count: a
/// fault that comes with each frame would push everything else out of the journal.
public struct StandardErrorLog: LogHandler {
  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]
  private let isJournal: Bool
  /// Shared by the process, because several loggers write to one journal.
  private static let repeated = Locked(RepeatedLines())

  public init(level: Logger.Level) {
    logLevel = level
    isJournal = getenv("JOURNAL_STREAM") != nil
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    // A single write for each text, so that lines of several threads don't mix.
    var text = Redaction.text("\(event.message)")
    if event.level >= .warning {
      let heldBack = Self.repeated.withLock { $0.admitLine(text, at: .monotonicNow) }
      guard let heldBack else { return }
      if heldBack > 0 { text += " (\(heldBack) more of these since the last)" }
    }
    let line = Array(Self.line(text, event.level, isJournal: isJournal).utf8)
    CrashRecorder.log(Array("\(Self.word(for: event.level))\(PlainText.shown(text))".utf8))
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// The output for a text. Control characters are made visible, so that a file's title can't control the terminal.
  /// Further lines are indented, so that a title with a line break can't pass for a line of the player.
  static func line(_ text: String, _ level: Logger.Level, isJournal: Bool) -> String {
    let prefix = isJournal ? "<\(priority(of: level))>" : "vitrine: \(word(for: level))"
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    return lines.enumerated().map { number, line in
      "\(prefix)\(number > 0 ? "  " : "")\(PlainText.shown(String(line)))\n"
    }.joined()
  }

  private static func word(for level: Logger.Level) -> String {
    switch level {
    case .trace, .debug: "debug: "
    case .info, .notice: ""
    case .warning: "warning: "
    case .error: "error: "
    case .critical: "bug: "
    }
  }

  /// The priorities of sd-daemon(3).
  private static func priority(of level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

extension Logger {
  /// Logs an error in one line for people, and the library's own words at the debug level.
  func report(_ error: VitrineError) {
    self.error("\(error.line)")
    if !error.detail.isEmpty { debug("\(error.detail)") }
  }
}

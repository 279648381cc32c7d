internal import Glibc
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import Supervision
public import Logging

/// Writes log lines to standard error: `vitrine: error: text` on a terminal, with the journal's own priority prefix
/// (`<3>`) where standard error is the journal.
///
/// What the levels mean: an error is for somebody who has to act; a warning was dealt with, and somebody should know; notices and information
/// say what the player does. Warnings and errors come once a minute at most, with a count: a fault that comes with each frame would push
/// everything else out of the journal.
public struct StandardErrorLog: LogHandler {
  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]
  private let isJournal: Bool
  /// Of the process: several loggers have one journal.
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
    // One write a line, so that lines of several threads don't mix.
    var text = Redaction.text("\(event.message)")
    if event.level >= .warning {
      let heldBack = Self.repeated.withLock { $0.takeLine(text, at: .monotonicNow) }
      guard let heldBack else { return }
      if heldBack > 0 { text += " (\(heldBack) more of these since the last)" }
    }
    let line = Array(Self.line(text, event.level, isJournal: isJournal).utf8)
    RunMemory.log(Array("\(Self.word(for: event.level))\(PlainText.shown(text))".utf8))
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// What is written of a text: a terminal only shows it, whatever stands in a file's title. Further lines are indented, so that a title
  /// with a line break in it can't be taken for a line of ours.
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

  /// As in sd-daemon(3).
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
  /// One line for people; what the library said for those who asked for more.
  func tell(_ error: VitrineError) {
    self.error("\(error.line)")
    if !error.detail.isEmpty { debug("\(error.detail)") }
  }
}

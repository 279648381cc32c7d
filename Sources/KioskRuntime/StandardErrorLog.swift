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
    let prefix = isJournal ? "<\(Self.priority(of: event.level))>" : "vitrine: \(Self.word(for: event.level))"
    // One write a line, so that lines of several threads don't mix.
    var text = Redaction.text("\(event.message)")
    if event.level >= .warning {
      let heldBack = Self.repeated.withLock { $0.take(text, at: .monotonicNow) }
      guard let heldBack else { return }
      if heldBack > 0 { text += " (\(heldBack) more of these since the last)" }
    }
    let line = Array("\(prefix)\(text)\n".utf8)
    RunMemory.log(Array("\(Self.word(for: event.level))\(text)".utf8))
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
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

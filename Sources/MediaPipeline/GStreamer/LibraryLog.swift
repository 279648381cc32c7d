internal import CGStreamer
internal import CGStreamerShims
public import MainLoop

/// Passes GStreamer's own warnings and errors to the log; see docs/decisions/0153-log-levels.md.
///
/// Faults that matter to playback come as messages of a pipeline. The lines here explain why a file looks as it does,
/// or which driver refuses what. They come from any thread, are limited in number there for each place in the code, and
/// are handed over on the loop.
public final class LibraryLog: Sendable {
  public struct Line: Hashable, Sendable {
    /// An error; else a warning. GStreamer warns a lot even of sound files.
    public var isError: Bool
    /// The part of GStreamer, such as `qtdemux`.
    public var category: String
    /// The element; empty where the line names none.
    public var object: String
    public var message: String
    /// How many lines from the same place were held back since the last one.
    public var heldBack: Int

    /// The line as it stands in the log.
    public var text: String {
      let place = object.isEmpty ? category : "\(category) (\(object))"
      let rest = heldBack > 0 ? " (\(heldBack) more of these since the last)" : ""
      return "GStreamer, \(place): \(message)\(rest)"
    }
  }

  /// GStreamer has one log for each process: only the newest `LibraryLog` gets lines.
  private static let current = Locked<(log: ObjectIdentifier, mailbox: Mailbox<Line>)?>(nil)

  private let mailbox: Mailbox<Line>

  /// Fails where `GST_DEBUG` is set: the lines are then wanted as GStreamer writes them.
  ///
  /// - Parameters:
  ///   - warnings: whether warnings are passed on besides errors. Lines that aren't cost nothing.
  ///   - tell: called on the thread of `executor`.
  public init?(on executor: GLibExecutor, warnings: Bool, _ tell: @escaping @Sendable (Line) -> Void) {
    mailbox = Mailbox(executor: executor, handler: tell)
    let mine = (log: ObjectIdentifier(self), mailbox: mailbox)
    Self.current.withLock { $0 = mine }
    let isFollowing = vit_log_follow(
      { line in
        let line = line.pointee
        LibraryLog.post(
          Line(
            isError: line.is_error != 0, category: String(cString: line.category), object: String(cString: line.object),
            message: String(cString: line.message), heldBack: Int(line.held_back)))
      }, warnings ? 1 : 0)
    guard isFollowing != 0 else { return nil }
  }

  deinit {
    mailbox.close()
    let me = ObjectIdentifier(self)
    let wasLast = Self.current.withLock { current in
      guard current?.log == me else { return false }
      current = nil
      return true
    }
    if wasLast { _ = vit_log_follow(nil, 0) }
  }

  private static func post(_ line: Line) { current.withLock { $0 }?.mailbox.post(line) }
}

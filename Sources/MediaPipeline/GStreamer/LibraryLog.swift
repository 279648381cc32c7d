internal import CGStreamer
internal import CGStreamerShims
public import MainLoop

/// What GStreamer itself complains of, for the log of whoever uses it; see docs/decisions/0153-log-levels.md.
///
/// What matters of it to playback comes as a message of a pipeline. The rest says why a file looks as it does, or which driver
/// refuses what. Lines come from any thread, are held back there by the place that they come from, and are handed over on the loop.
public final class LibraryLog: Sendable {
  public struct Line: Hashable, Sendable {
    /// Else it is a warning: GStreamer warns of much in sound files too.
    public var isError: Bool
    /// Which part of GStreamer, such as `qtdemux`.
    public var category: String
    /// The element; empty where it isn't said.
    public var object: String
    public var message: String
    /// How many of the same kind weren't told since the last one.
    public var heldBack: Int

    /// One line for people.
    public var text: String {
      let place = object.isEmpty ? category : "\(category) (\(object))"
      let rest = heldBack > 0 ? " (\(heldBack) more of these since the last)" : ""
      return "GStreamer, \(place): \(message)\(rest)"
    }
  }

  /// Of the process, as GStreamer's log is: the one that asked last is told.
  private static let current = Locked<(log: ObjectIdentifier, mailbox: Mailbox<Line>)?>(nil)

  private let mailbox: Mailbox<Line>

  /// Nil where `GST_DEBUG` is set: then somebody wants the lines as GStreamer writes them.
  ///
  /// - Parameters:
  ///   - warnings: whether more than errors is told. What isn't told costs nothing.
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

public import MainLoop
public import PlaybackCore

extension GLibExecutor {
  /// Makes an executor with a thread of its own.
  ///
  /// - Parameter name: the thread's name; at most 15 characters.
  /// - Throws: 7301 when the system can't start another thread.
  public static func start(name: String) throws(VitrineError) -> GLibExecutor {
    do {
      return try GLibExecutor(name: name)
    } catch {
      throw VitrineError(
        7301, subject: "main loop", message: "the system can't start another thread", remedy: "check its limits",
        detail: "\(error)")
    }
  }
}

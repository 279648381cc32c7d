public import MainLoop
public import PlaybackCore

extension GLibExecutor {
  /// Makes an executor with a thread of its own.
  ///
  /// - Parameter name: of the thread; at most 15 characters.
  /// - Throws: 7301 when the system has no thread to give.
  public static func start(name: String) throws(VitrineError) -> GLibExecutor {
    do {
      return try GLibExecutor(name: name)
    } catch {
      throw VitrineError(
        7301, subject: "main loop", message: "the system has no thread to give", remedy: "check its limits",
        detail: "\(error)")
    }
  }
}

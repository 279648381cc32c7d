internal import PlaybackCore

/// The time limits of the runtime, each with its reason.
enum RuntimeTiming {
  /// How long a run with a time limit waits for its first frame: two prerolls that hang, and a little for the screen.
  static let firstFrameGrace: Duration = .seconds(10)
  /// The longest wait for the last frame at the end.
  static let lastFrameLimit: Duration = .milliseconds(400)
  /// The time after an item's first frame by which the deck of the previous item has gone.
  static let deckGone: Duration = .seconds(1)
  /// The least time between returns of unused memory to the system. Each takes less than a millisecond, in which other
  /// threads that allocate must wait.
  static let trimInterval: Duration = .seconds(10)
  /// The time limit of a screenshot.
  static let snapshotLimit: Duration = .seconds(5)
}

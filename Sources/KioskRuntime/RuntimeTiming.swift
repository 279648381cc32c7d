internal import PlaybackCore

/// Waits of the runtime itself, each with its reason.
enum RuntimeTiming {
  /// A run that is to stop so long after its first frame waits this long for that frame: two prerolls that hang, and a
  /// little for the screen.
  static let firstFrameGrace: Duration = .seconds(10)
  /// The end doesn't wait for the last frame for longer than this.
  static let lastFrameLimit: Duration = .milliseconds(400)
  /// So long after an item's first frame the deck of the one before has gone.
  static let deckGone: Duration = .seconds(1)
  /// Unused memory goes back to the system at most this often. It takes less than a millisecond, in which whoever allocates waits.
  static let trimInterval: Duration = .seconds(10)
  /// A snapshot that isn't there by then is given up.
  static let snapshotLimit: Duration = .seconds(5)
}

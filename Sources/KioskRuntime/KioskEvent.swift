internal import PlaybackCore

/// Everything that comes to the kiosk from other threads, through one queue.
enum KioskEvent: Sendable {
  case snapshotTaken(VitrineError?)
}

/// Waits of the runtime itself, each with its reason.
enum RuntimeTiming {
  /// How often a missing screen is looked for.
  static let screenRetry: Duration = .seconds(1)
  /// A snapshot that isn't there by then is given up.
  static let snapshotLimit: Duration = .seconds(5)
}

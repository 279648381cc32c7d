internal import MediaPipeline
internal import PlaybackCore

/// Everything that comes to the kiosk from other threads, through one queue.
enum KioskEvent: Sendable {
  case deck(DeckID, DeckEvent)
  /// `generation` tells an output from the ones before it.
  case output(generation: UInt32, OutputEvent)
  case snapshotTaken(VitrineError?)
}

/// Waits of the runtime itself, each with its reason.
enum RuntimeTiming {
  /// A deck that isn't down after this is given up: teardown takes milliseconds, unless a network source hangs for ever.
  static let deckTeardown: Duration = .seconds(2)
  /// At the end, decks get this long and the output as long again: together below the second that SIGTERM may take.
  static let finalTeardown: Duration = .milliseconds(400)
  /// A sink that isn't down after this no longer keeps the screen from being opened again.
  static let outputTeardown: Duration = .seconds(3)
  /// How often a missing screen is looked for.
  static let screenRetry: Duration = .seconds(1)
  /// A snapshot that isn't there by then is given up.
  static let snapshotLimit: Duration = .seconds(5)
}

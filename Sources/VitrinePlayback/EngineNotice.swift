package import MediaPipeline
package import PlaybackCore

/// An engine's notice to its owner, in the past tense.
package enum EngineNotice: Sendable {
  /// The machine has a report for people. The ledger has counted it already.
  case playback(PlaybackNotice)
  /// The output has sent an event. Its frames have been counted already.
  case output(OutputEvent)
  /// A deck is ready, or has found out facts about its item (tracks, metadata, ranges, the way of its frames, a
  /// warning). That is told before the deck begins.
  case deck(DeckID, DeckEvent)
  /// Other subtitles belong to the frame on the screen; an empty list shows none.
  case subtitlesChanged([SubtitleCue])
  /// A decoder gives no picture and is avoided from now on; the text is its element's name.
  case decoderAvoided(String)
  /// A deck doesn't answer and was given up.
  case deckGivenUp(DeckID)
  /// Frames come to the output and none is shown: the owner is to take the step. The engine tries another item by
  /// itself.
  case outputStuck(OutputHealth.Step, VitrineError)
  /// Frames have been shown for long enough again; the step was the last remedy.
  case outputRecovered(by: OutputHealth.Step)
  /// Events have been handled: the state to be shown may have changed. With `isOnlyFrame` a film has only shown another
  /// frame: nothing but its position has changed.
  case settled(isOnlyFrame: Bool)
}

/// The owner of an engine. Called on the loop.
package protocol PlayerEngineOwner: AnyObject {
  func engine(_ engine: PlayerEngine, tells notice: EngineNotice)
}

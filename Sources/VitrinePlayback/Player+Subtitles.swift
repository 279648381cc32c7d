public import PlaybackCore

extension Player {
  /// The subtitles that are to be seen now, and each change of them from now on: the cues at the position of the frame
  /// shown, of every text track that is on, inside of the item or in a file of its own. Empty for none. Any thread.
  ///
  /// - Parameter buffering: how many changes may wait for a slow consumer; a view needs only the newest.
  public nonisolated func subtitles(buffering: Int = 1) -> PlayerSequence<[SubtitleCue]> {
    observers.addSubtitles(buffering: buffering)
  }

  /// For the engine.
  package nonisolated func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue]) {
    observers.tell(subtitles: subtitles)
  }
}

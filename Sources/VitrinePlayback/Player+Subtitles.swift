public import PlaybackCore

extension Player {
  /// The present subtitles and each change of them: the cues at the position of the frame shown, of every text track
  /// that is on, embedded or in a file of its own. Empty for none. Any thread.
  ///
  /// - Parameter buffering: number of changes that may wait for a slow consumer; a view needs only the newest.
  public nonisolated func subtitles(buffering: Int = 1) -> PlayerSequence<[SubtitleCue]> {
    observers.addSubtitles(buffering: buffering)
  }
}

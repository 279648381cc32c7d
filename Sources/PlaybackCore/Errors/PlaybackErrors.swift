/// Errors that the playback machine finds by itself.
public enum PlaybackErrors {
  public static func didNotStart(uri: String) -> VitrineError {
    VitrineError(
      4101, subject: uri, message: "no picture and no sound came within the time allowed",
      remedy: "check that the file plays elsewhere and that its server answers")
  }

  public static func nothingPlayable(retryIn seconds: Int) -> VitrineError {
    VitrineError(
      4102, subject: "playlist", message: "none of its items can be played",
      remedy: "see the errors before this one; the next try is in \(seconds) s")
  }
}

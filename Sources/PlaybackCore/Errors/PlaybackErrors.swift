/// Errors that the playback machine finds by itself.
public enum PlaybackErrors {
  public static func didNotStart(uri: String) -> VitrineError {
    VitrineError(
      4101, subject: uri, message: "no picture and no sound came within the time allowed",
      remedy: "check that the file plays elsewhere and that its server answers")
  }

  public static func brokeOff(uri: String) -> VitrineError {
    VitrineError(
      2002, subject: uri, message: "the stream ended before its time", remedy: "check the network and the server")
  }

  /// - Parameter end: of the item where it has one of its own, else of its medium.
  public static func nothingBetween(uri: String, start: Duration, end: Duration) -> VitrineError {
    VitrineError(
      4106, subject: uri, message: "it is to begin at \(TimeText.text(start)), and ends at \(TimeText.text(end))",
      remedy: "let it begin before its end")
  }

  public static func stuck(uri: String) -> VitrineError {
    VitrineError(
      2003, subject: uri, message: "no frame comes any more", remedy: "check the network and the server, or the disk")
  }

  public static func silent(uri: String) -> VitrineError {
    VitrineError(2003, subject: uri, message: "no data comes any more", remedy: "check the network and the server")
  }

  public static func emptyList(uri: String) -> VitrineError {
    VitrineError(
      3005, subject: uri, message: "the list that the server gives names nothing that may be played, or names itself",
      remedy: "list addresses of media, with http, https or rtsp")
  }

  public static func nothingPlayable(retryIn seconds: Int) -> VitrineError {
    VitrineError(
      4102, subject: "playlist", message: "none of its items can be played",
      remedy: "see the errors before this one; the next try is in \(seconds) s")
  }
}

/// Errors of seeks that can't be done.
public enum SeekErrors {
  public static func notSeekable(uri: String) -> VitrineError {
    VitrineError(
      4103, subject: uri, message: "seeking isn't possible in this item", remedy: "play it from its start")
  }

  public static let nothingThere = VitrineError(
    4105, subject: "player", message: "there is no item to seek in",
    remedy: "choose an item or add one first")

  public static let playerEnded = VitrineError(
    4104, subject: "player", message: "playback is over", remedy: "start another player")
}

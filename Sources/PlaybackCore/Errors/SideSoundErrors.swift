/// Faults of sound in a file beside the film. The film plays on; each is told once for each opening of the film.
public enum SideSoundErrors {
  /// A file that is no sound, is damaged, or can't be read.
  ///
  /// - Parameter reason: the error that the file would give as an item.
  public static func broken(_ uri: String, reason: VitrineError) -> VitrineError {
    VitrineError(
      7690, subject: uri, message: "this sound beside the film can't be played: \(reason.message)",
      remedy: "play the file by itself ('vitrine check --probe FILE') and make it again; until then the next best "
        + "sound is heard",
      detail: reason.detail)
  }

  public static func late(_ uri: String) -> VitrineError {
    VitrineError(
      7691, subject: uri, message: "this sound beside the film doesn't come in time, and the film's own is heard",
      remedy: "put the file on a disk of the board; as soon as it comes, it is heard")
  }

  /// - Parameter missing: how much earlier than the film it ends.
  public static func shorter(_ uri: String, by missing: Duration) -> VitrineError {
    VitrineError(
      7692, subject: uri,
      message: "this sound ends \(Int(missing.inSeconds.rounded())) s before the film, whose rest is silent",
      remedy: "make it as long as the film, with the film's own sound where nobody speaks")
  }
}

internal import PictureDecoder

extension Player {
  /// Decodes pictures in processes of their own from now on, for all players of this program. Any thread; call it
  /// before the first picture.
  ///
  /// Without it this program decodes them itself: a malicious picture that crashes its decoder crashes the program, and
  /// one that keeps its decoder busy for ever keeps a thread and its memory until the program ends, though the next
  /// item follows. A decoding process has limits of time and memory, no network, and is ended after its time (errors
  /// 3104, 3105).
  ///
  /// - Parameter program: path of the player's own program, `/usr/bin/vitrine` where its package is installed. It must
  ///   have the library's version; where it is missing, pictures fail with 7518.
  public static func decodesPictures(byProcessesOf program: String) { PictureDecoding.useProcesses(of: program) }
}

internal import PictureDecoder

extension Player {
  /// Has pictures decoded by processes of their own from now on, for all players of this program. Any thread; before the first picture.
  ///
  /// Without it this program decodes them itself: a picture that is made to crash its decoder crashes the program, and one that takes its
  /// decoder for ever keeps a thread and its memory until the program ends, though the next item follows. Such a process has limits
  /// of time and memory, no network, and is ended when its time is over (errors 3104, 3105).
  ///
  /// - Parameter program: path of the player's own program, `/usr/bin/vitrine` where its package is installed. It has to be of the same
  ///   version as the library; where it isn't there, pictures fail with 7518.
  public static func decodesPictures(byProcessesOf program: String) { PictureDecoding.useProcesses(of: program) }
}

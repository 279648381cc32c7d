internal import CLinux
internal import Glibc
internal import MainLoop
internal import PictureFiles
internal import PlaybackCore

/// Implements `vitrine-pictures` and `vitrine picture-part`: decodes pictures for the process that started it, in a
/// process of its own, which can crash without harming the other.
public enum PictureChild {
  public static let word = "picture-part"
  /// The subcommand, and the version of the messages. Player and decoder may come from different packages while one of
  /// them is being installed.
  public static let arguments = [word, "\(PictureQuestion.version)"]
  /// Exit status where the versions of the messages differ: EX_USAGE.
  static let misunderstood: Int32 = 64

  /// Serves the parent process. Called before the command line is parsed: parsing takes as long as the rest of this
  /// process's start, and the first picture waits for it.
  ///
  /// - Parameter arguments: without the program's name. The format of the first picture may follow `Self.arguments`.
  public static func serve(_ arguments: [String]) -> Never {
    guard arguments.starts(with: Self.arguments) else {
      // For people who start the program by hand.
      let line = "this is a part of vitrine, which starts it to decode pictures\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      _exit(misunderstood)
    }
    Allocator.useOneArena()
    var limits = vit_limits(
      memory: PictureHelpers.Limit.memory, processor: 0, files: PictureHelpers.Limit.files, has_network: 0)
    // A kernel without seccomp still enforces the limits, and the separate process protects the player by itself.
    _ = vit_sandbox_enter(&limits)
    vit_sandbox_tell_spent()
    let format = arguments.dropFirst(Self.arguments.count).first.flatMap { PictureFormat(rawValue: $0) }
    PicturePart.serve(
      expecting: format, begins: { vit_sandbox_allow_processor(PictureHelpers.Limit.processor) },
      hasFailed: {
        let spent = vit_sandbox_spent()
        if spent != 0 { _exit(Int32(VIT_SPENT_CODE) + spent) }
      }, hasClosed: { Allocator.giveBack() })
    // exit() could wait for a decoder's thread.
    _exit(0)
  }
}

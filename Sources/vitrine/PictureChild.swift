import CSandbox
import Glibc
import KioskRuntime
import PictureDecoder

/// `vitrine picture-part`: decodes pictures for the process that started it, which it takes nothing along of when it dies.
///
/// No command of the command line's: reading that takes as long as the rest of such a process's start, and the first picture waits for it.
enum PictureChild {
  static let word = "picture-part"

  static func serve() -> Never {
    Allocator.useOneArena()
    var limits = vit_limits(
      memory: PictureHelpers.Limit.memory, processor: 0, files: PictureHelpers.Limit.files, has_network: 0)
    // What can't be had is done without: a kernel without seccomp still has limits, and the process is another one anyway.
    _ = vit_sandbox_enter(&limits)
    vit_sandbox_tell_spent()
    PicturePart.serve(
      begins: { vit_sandbox_allow_processor(PictureHelpers.Limit.processor) },
      hasFailed: {
        let spent = vit_sandbox_spent()
        if spent != 0 { _exit(Int32(VIT_SPENT_CODE) + spent) }
      }, hasClosed: { Allocator.giveBack() })
    // A decoder's thread would hold the end of the process too.
    _exit(0)
  }
}

import ArgumentParser
import CLinux
import Glibc
import KioskRuntime
import MainLoop
import MediaPipeline

/// Opens media for the process that started this one, which survives a crash here.
struct ProbeChild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe-part", abstract: "Opens media for a reload, for `check`.", shouldDisplay: false)

  @Flag(help: .hidden)
  var network = false

  @Option(help: .hidden)
  var avoid: [String] = []

  @Flag(help: .hidden)
  var software = false

  @Flag(help: .hidden)
  var idle = false

  func run() throws {
    // Before any other thread is started: they inherit it.
    if idle { ThreadPriority.waitForOthers() }
    try GStreamerLibrary.start()
    GStreamerLibrary.leaveOutSources()
    GStreamerLibrary.leaveOutDecoders()
    GStreamerLibrary.avoid(decoders: avoid)
    if software { GStreamerLibrary.avoidHardwareDecoders() }
    var limits = vit_limits(
      memory: MediaProber.Limit.memory, processor: MediaProber.Limit.processor, files: MediaProber.Limit.files,
      has_network: network ? 1 : 0)
    // A missing protection is accepted: a kernel without seccomp still has limits, and a crash stays in this process
    // anyway.
    _ = vit_sandbox_enter(&limits)
    vit_sandbox_tell_spent()
    while let line = readLine(strippingNewline: true) {
      let answer = ProbePart.answer(Array(line.utf8))
      if answer.isFailure {
        // The failure may come from a limit that earlier items have used up: that is reported, and doesn't count
        // against the item.
        let spent = vit_sandbox_spent()
        if spent != 0 { _exit(Int32(VIT_SPENT_CODE) + spent) }
      }
      var rest = (answer.line + [UInt8(ascii: "\n")])[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { _exit(1) }
        rest = rest.dropFirst(count)
      }
    }
    // A hanging decoder would also block a regular exit.
    _exit(0)
  }
}

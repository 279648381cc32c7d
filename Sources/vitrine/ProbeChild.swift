import ArgumentParser
import CSandbox
import Glibc
import KioskRuntime
import MediaPipeline

/// Opens media for the process that started it, which it takes nothing along of when it dies.
struct ProbeChild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe-part", abstract: "Opens media for a reload, for `check`.", shouldDisplay: false)

  @Flag(help: .hidden)
  var network = false

  @Option(help: .hidden)
  var avoid: [String] = []

  @Flag(help: .hidden)
  var software = false

  func run() throws {
    try GStreamerLibrary.start()
    GStreamerLibrary.leaveOutSources()
    GStreamerLibrary.leaveOutDecoders()
    GStreamerLibrary.avoid(decoders: avoid)
    if software { GStreamerLibrary.avoidHardwareDecoders() }
    var limits = vit_limits(
      memory: MediaProber.Limit.memory, processor: MediaProber.Limit.processor, files: MediaProber.Limit.files,
      has_network: network ? 1 : 0)
    // What can't be had is done without: a kernel without seccomp still has limits, and the process is another one anyway.
    _ = vit_sandbox_enter(&limits)
    vit_sandbox_tell_spent()
    while let line = readLine(strippingNewline: true) {
      let answer = ProbePart.answer(Array(line.utf8))
      if answer.isFailure {
        // It may have failed for want of what the ones before it have left open: that is told, and not the item's fault.
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
    // A decoder that hangs would hold the end of the process too.
    _exit(0)
  }
}

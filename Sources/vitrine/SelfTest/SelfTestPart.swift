import ArgumentParser
import FoundationEssentials
import Glibc
import JSONText
import KioskRuntime
import Logging
import MediaPipeline
import PlaybackCore
import PlaylistConfig

/// Decodes one clip of the self-test and prints the result, for the process that started this one.
struct SelfTestPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test-part", abstract: "A part of `displays --self-test`.", shouldDisplay: false)

  @Argument var clip: String

  func run() throws {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    Board.apply(to: &options, log: Logger(label: "vitrine") { _ in StandardErrorLog(level: .error) })
    var decoded: DecodedClip
    do throws(VitrineError) {
      try GStreamerLibrary.start()
      GStreamerLibrary.avoid(decoders: options.decoders.avoided)
      decoded = try DecodeCheck.decode(URL(filePath: clip).absoluteString, limit: SelfTestRun.Limit.decoding)
    } catch {
      decoded = DecodedClip()
      decoded.problem = error.line
    }
    decoded.driver = Self.driver(of: decoded.device)
    try StandardStreams.print(JSONValue(encoding: decoded).compact)
    fflush(nil)
    // A hanging decoder would also block a regular exit.
    if decoded.hasTimedOut { _exit(0) }
  }

  /// The kernel module of a V4L2 device; empty where it isn't known.
  private static func driver(of device: String) -> String {
    guard let name = device.split(separator: "/").last else { return "" }
    guard let path = realpath("/sys/class/video4linux/\(name)/device/driver", nil) else { return "" }
    defer { free(path) }
    return String(cString: path).split(separator: "/").last.map(String.init) ?? ""
  }
}

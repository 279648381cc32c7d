import Foundation
import Glibc

/// Sends a clip that never ends to this machine, as an MPEG transport stream over UDP. It goes with the object, and with
/// the process of the tests, which may end before the object does.
public final class LiveSender: Sendable {
  /// What to play.
  public let uri: String
  /// Held open; when it closes, the sender goes.
  private let lifeline = Pipe()

  public init() throws {
    let port = try Self.freePort()
    uri = "udp://127.0.0.1:\(port)"
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // A key frame each half second: who comes later needs one to begin.
    let pipeline =
      "videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=25/1 ! x264enc "
      + "tune=zerolatency speed-preset=ultrafast key-int-max=12 ! h264parse config-interval=-1 ! mpegtsmux ! udpsink "
      + "host=127.0.0.1 port=\(port)"
    process.arguments = ["-c", "gst-launch-1.0 -q \(pipeline) & cat; kill -9 $!"]
    process.standardInput = lifeline
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { try? lifeline.fileHandleForWriting.close() }

  /// A port that nobody uses now.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw MediaError(description: "no socket") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw MediaError(description: "no port") }
    return UInt16(bigEndian: address.sin_port)
  }
}

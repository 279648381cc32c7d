import Foundation

/// Sends an endless clip to this machine, as an MPEG transport stream over UDP. It ends with the object, and with the
/// tests' process, which may end before the object does.
public final class LiveSender: Sendable {
  /// The address to play.
  public let uri: String
  /// Held open: the sender ends when it closes.
  private let lifeline = Pipe()

  public init() throws {
    let port = try FreePort.next()
    uri = "udp://127.0.0.1:\(port)"
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // A key frame each half second: a late receiver needs one to begin.
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
}

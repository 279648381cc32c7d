import Foundation

/// A local web server that serves a folder as slowly and as badly as each address asks; see Tests/Tools/drip-server. It
/// ends with the object.
public final class DripServer: Sendable {
  private let port: Int
  private let input: FileHandle

  /// Starts the server; returns when it answers.
  public init(_ directory: String) throws {
    let process = Process()
    process.executableURL = Tool.root.appending(path: "Tests/Tools/drip-server")
    process.arguments = [directory]
    let (toServer, fromServer) = (Pipe(), Pipe())
    process.standardInput = toServer
    process.standardOutput = fromServer
    try process.run()
    input = toServer.fileHandleForWriting
    var line: [UInt8] = []
    while let byte = try fromServer.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    guard let port = Int(String(decoding: line, as: UTF8.self)) else {
      throw MediaError(description: "drip-server didn't start")
    }
    self.port = port
  }

  /// Ends the server, which stops when its standard input is closed.
  deinit { try? input.close() }

  /// - Parameter wishes: the behaviour, such as `rate=100000&ranges=no`.
  public func uri(_ name: String, _ wishes: String = "") -> String {
    "http://127.0.0.1:\(port)/\(name)" + (wishes.isEmpty ? "" : "?\(wishes)")
  }

  /// Starts a server for small adaptive streams; see Tests/Tools/make-adaptive-media.
  public static func ofAdaptiveMedia() async throws -> DripServer {
    let directory = Tool.root.appending(path: "build/adaptive").path
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/make-adaptive-media").path, [directory], limit: 240)
    guard outcome.status == 0 else { throw MediaError(description: "make-adaptive-media failed: \(outcome.errors)") }
    return try DripServer(directory)
  }

  /// Starts a server for the test clips.
  public static func ofMedia() async throws -> DripServer {
    try DripServer(URL(filePath: try await Media.path("")).path)
  }
}

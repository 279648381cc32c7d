import Foundation

/// A server from Tests/Tools. It ends with the object.
public final class ToolServer: Sendable {
  public let port: Int
  private let process: Handle
  private let input: Pipe

  /// `Process` is safe from any thread for its use here: it is only asked to end, once.
  private struct Handle: @unchecked Sendable { var process: Process }

  public init(_ name: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = Tool.root.appending(path: "Tests/Tools/\(name)")
    process.arguments = arguments
    let output = Pipe()
    input = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.process = Handle(process: process)
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    port = Int(String(decoding: line, as: UTF8.self)) ?? 0
  }

  deinit { stop() }

  /// Kills the server; a milder signal may be blocked, because processes that tests start inherit blocked signals.
  public func stop() { kill(process.process.processIdentifier, SIGKILL) }

  /// Writes a line to its standard input, for servers that take orders.
  public func tell(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  public func uri(_ name: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)/\(name)" }
}

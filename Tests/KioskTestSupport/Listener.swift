import Foundation

/// A program that listens at a port for one test, such as socat or oscdump, and what it has written. It ends with the
/// object.
public final class Listener: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let process: Handle

  /// `Process` is safe from any thread for its use here: it is started before it is shared, then only ended.
  private struct Handle: @unchecked Sendable { var process: Process }

  /// - Parameters:
  ///   - port: that of an earlier listener; nil takes any free one.
  ///   - arguments: the program and its arguments, for a port.
  public init(isDatagram: Bool = true, port: Int? = nil, _ arguments: (Int) -> [String]) async throws {
    let directory = try TemporaryDirectory()
    let port = try port ?? FreePort.next()
    (self.directory, self.port) = (directory, port)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments(port)
    let output = URL(filePath: try directory.write("", as: "heard"))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = Handle(process: process)
    try await eventually("\(arguments(port)) listens") { Self.isTaken(port, isDatagram: isDatagram) }
  }

  deinit { stop() }

  public func stop() { signal(SIGKILL) }

  public func signal(_ number: Int32) { kill(process.process.processIdentifier, number) }

  /// Lines of text by UDP.
  public static func datagrams(port: Int? = nil) async throws -> Listener {
    try await Listener(port: port) { ["socat", "-u", "UDP-RECV:\($0)", "-"] }
  }

  public var heard: String {
    (try? String(contentsOfFile: directory.path("heard"), encoding: .utf8)) ?? ""
  }

  public var lines: [String] { heard.split(whereSeparator: \.isNewline).map(String.init) }

  private static func isTaken(_ port: Int, isDatagram: Bool) -> Bool {
    let kind = isDatagram ? "udp" : "tcp"
    let digits = String(port, radix: 16, uppercase: true)
    let place = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    return [kind, kind + "6"].contains { name in
      let lines = (try? String(contentsOfFile: "/proc/net/\(name)", encoding: .utf8)) ?? ""
      return lines.split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        return words.count > 3 && words[1].hasSuffix(place) && (isDatagram || words[3] == "0A")
      }
    }
  }
}

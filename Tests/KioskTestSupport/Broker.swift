import Foundation

/// A local mosquitto for one test. It ends with the object.
public final class Broker: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let server: Listener
  /// Listens to all topics, and records the messages.
  private let subscriber: Handle?

  /// `Process` is safe from any thread for its use here: it is started before it is shared, then only signalled.
  private struct Handle: @unchecked Sendable { var process: Process }

  /// - Parameters:
  ///   - settings: lines of its configuration besides the port.
  ///   - port: the port of an earlier broker; nil takes any free one.
  ///   - listens: whether `heard` is needed. Works only with a broker that admits all clients, without TLS.
  public init(_ settings: String = "allow_anonymous true", port: Int? = nil, listens: Bool = true) async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let port = try port ?? FreePort.next()
    self.port = port
    let file = directory.path("mosquitto.conf")
    try "listener \(port) 127.0.0.1\nuser root\n\(settings)\n".write(toFile: file, atomically: true, encoding: .utf8)
    server = try await Listener(isDatagram: false, port: port) { _ in ["/usr/sbin/mosquitto", "-c", file] }
    subscriber = listens ? try Self.subscribe(at: port, output: directory.path("heard")) : nil
  }

  deinit { subscriber.map { _ = kill($0.process.processIdentifier, SIGKILL) } }

  public func signal(_ number: Int32) { server.signal(number) }

  private static func subscribe(at port: Int, output: String) throws -> Handle {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/mosquitto_sub")
    process.arguments = ["-h", "127.0.0.1", "-p", "\(port)", "-t", "#", "-v"]
    try Data().write(to: URL(filePath: output))
    let handle = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = handle
    process.standardError = handle
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return Handle(process: process)
  }

  /// The messages as `topic payload`, in their order.
  public var heard: [String] {
    ((try? String(contentsOfFile: directory.path("heard"), encoding: .utf8)) ?? "").split(separator: "\n").map(
      String.init)
  }

  /// Publishes a message.
  public func publish(_ payload: String, to topic: String, isRetained: Bool = false) async throws {
    let outcome = try await Tool.run(
      "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-m", payload] + (isRetained ? ["-r"] : []))
    guard outcome.status == 0 else { throw MediaError(description: outcome.errors) }
  }
}

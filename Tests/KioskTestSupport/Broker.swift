import Foundation

/// A mosquitto of a test's own, on this machine. It goes with the object.
public final class Broker: Sendable {
  public let port: Int
  private let directory: TemporaryDirectory
  private let process: Handle
  /// Listens to all topics, and writes down what comes.
  private let listener: Handle?

  /// `Process` may be used from any thread for what is done with it here: it is started before it is shared, then only signalled.
  private struct Handle: @unchecked Sendable { var process: Process }

  /// - Parameters:
  ///   - settings: lines of its configuration besides the port.
  ///   - port: of one before; nil is any that is free.
  ///   - listens: whether `heard` is wanted. Needs a broker that lets anybody in, without TLS.
  public init(_ settings: String = "allow_anonymous true", port: Int? = nil, listens: Bool = true) async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let port = try port ?? Self.freePort()
    self.port = port
    let file = directory.path("mosquitto.conf")
    try "listener \(port) 127.0.0.1\nuser root\n\(settings)\n".write(toFile: file, atomically: true, encoding: .utf8)
    process = Handle(
      process: try Self.start("/usr/sbin/mosquitto", ["-c", file], output: directory.path("broker.log")))
    try await Self.wait(for: port)
    listener =
      listens
      ? Handle(
        process: try Self.start(
          "/usr/bin/mosquitto_sub", ["-h", "127.0.0.1", "-p", "\(port)", "-t", "#", "-v"],
          output: directory.path("heard"))) : nil
  }

  deinit {
    for handle in [listener, process] { handle.map { _ = kill($0.process.processIdentifier, SIGKILL) } }
  }

  public func signal(_ number: Int32) { kill(process.process.processIdentifier, number) }

  /// `topic payload`, in the order in which they came.
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

  private static func start(_ path: String, _ arguments: [String], output: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    try Data().write(to: URL(filePath: output))
    let handle = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = handle
    process.standardError = handle
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func wait(for port: Int) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if connects(to: port) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw MediaError(description: "mosquitto doesn't listen at \(port)")
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private static func connects(to port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var place = address(port)
    return withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    } == 0
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var place = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
      }
    }
    guard result == 0 else { throw MediaError(description: "no port is free") }
    return Int(in_port_t(bigEndian: place.sin_port))
  }
}

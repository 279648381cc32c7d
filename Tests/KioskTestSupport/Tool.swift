public import Foundation
import Synchronization

/// Runs programs for tests, always with a time limit.
public enum Tool {
  public struct Outcome: Sendable {
    public var status: Int32
    public var output: String
    public var errors: String
    /// Whether the limit ran out and the program was killed.
    public var wasKilled: Bool
    /// The run time in seconds.
    public var seconds: Double
  }

  /// The root of the repository.
  public static let root: URL = {
    var url = URL(filePath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url
  }()

  /// The children of a process, their children, and so on, except those that have detached from it.
  private static func descendants(of process: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    let lists = tasks.compactMap {
      try? String(contentsOfFile: "/proc/\(process)/task/\($0)/children", encoding: .utf8)
    }
    let children = lists.flatMap { $0.split(separator: " ").compactMap { pid_t($0) } }
    return children.flatMap { descendants(of: $0) } + children
  }

  /// Runs a program to its end, or to the limit.
  ///
  /// - Parameters:
  ///   - command: a path, or a name that is looked up in PATH.
  ///   - signals: signals to send, each after a number of seconds.
  public static func run(
    _ command: String, _ arguments: [String], environment: [String: String] = [:], limit: Double = 60,
    signals: [(after: Double, number: Int32)] = []
  ) async throws -> Outcome {
    let process = Process()
    process.executableURL = command.hasPrefix("/") ? URL(filePath: command) : URL(filePath: "/usr/bin/env")
    process.arguments = command.hasPrefix("/") ? arguments : [command] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    process.currentDirectoryURL = root
    process.standardInput = FileHandle.nullDevice
    // Files instead of pipes: nothing has to be drained, and a grandchild that keeps one open blocks no reader.
    let directory = try TemporaryDirectory()
    let outputURL = directory.url.appending(path: "out")
    let errorsURL = directory.url.appending(path: "err")
    for url in [outputURL, errorsURL] { try Data().write(to: url) }
    let (outputHandle, errorsHandle) = (
      try FileHandle(forWritingTo: outputURL), try FileHandle(forWritingTo: errorsURL)
    )
    (process.standardOutput, process.standardError) = (outputHandle, errorsHandle)
    // The timers below keep the process, and with it these, until the limit. With thousands of open files Foundation
    // crashes at the next start of a process.
    defer { for handle in [outputHandle, errorsHandle] { try? handle.close() } }

    let start = ContinuousClock.now
    let wasKilled = Mutex(false)
    let hasEnded = Mutex(false)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let end: @Sendable (Result<Void, any Error>) -> Void = { result in
        let isFirst = hasEnded.withLock { ended in
          defer { ended = true }
          return !ended
        }
        if isFirst { continuation.resume(with: result) }
      }
      process.terminationHandler = { _ in end(.success(())) }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        return end(.failure(error))
      }
      let pid = process.processIdentifier
      for signal in signals {
        DispatchQueue.global().asyncAfter(deadline: .now() + signal.after) {
          if process.isRunning { kill(pid, signal.number) }
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
        guard process.isRunning else { return }
        wasKilled.withLock { $0 = true }
        // Its descendants are killed, too: Foundation learns of the end of a process, and of others started meanwhile,
        // by a socket that children inherit. A surviving child would delay all of them.
        for process in Self.descendants(of: pid) + [pid] { kill(process, SIGKILL) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit + 20) {
        let command = ([command] + arguments).joined(separator: " ")
        end(.failure(MediaError(description: "killed after \(limit) s, and not gone 20 s later: \(command)")))
      }
    }
    let elapsed = start.duration(to: .now)
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOf: outputURL, encoding: .utf8),
      errors: try String(contentsOf: errorsURL, encoding: .utf8), wasKilled: wasKilled.withLock { $0 },
      seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
  }
}

/// A directory that is removed with the object.
public final class TemporaryDirectory: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "vitrine-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file; gives its path.
  public func write(_ text: String, as name: String) throws -> String {
    try text.write(to: url.appending(path: name), atomically: true, encoding: .utf8)
    return path(name)
  }
}

public import Foundation

/// `vitrine run` on a folder of its own, for tests that do something while it plays.
public final class RunningPlayer: Sendable {
  public let directory: TemporaryDirectory
  private let process: ProcessHandle
  /// The length of the log of earlier players in the same folder, in bytes.
  private let earlierLog: Int

  /// The content of the player's configuration.json.
  public struct State: Decodable, Sendable {
    public var state: String
    public var reason: String?
    public var active: String?
    public var files: String?
    public var screen: String?
  }

  /// `Process` is safe from any thread for its use here: it is started before it is shared, and then only asked and
  /// signalled.
  private struct ProcessHandle: @unchecked Sendable { var process: Process }

  /// - Parameter directory: the folder of an earlier player, with its files and its state; nil makes a new one.
  public init(
    _ arguments: [String] = [], in directory: TemporaryDirectory? = nil, environment: [String: String] = [:]
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    for name in ["state", "run"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    try? FileManager.default.removeItem(atPath: directory.path("run/configuration.json"))
    let process = Process()
    process.executableURL = URL(filePath: Player.path)
    process.arguments =
      ["run", "--config", directory.path("etc"), "--output", "headless", "--no-audio"]
      + ["--report", directory.path("report.json")] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "STATE_DIRECTORY": directory.path("state"), "RUNTIME_DIRECTORY": directory.path("run"),
    ]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let log = directory.url.appending(path: "log")
    if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
    let handle = try FileHandle(forWritingTo: log)
    earlierLog = Int(try handle.seekToEnd())
    process.standardError = handle
    try process.run()
    self.process = ProcessHandle(process: process)
  }

  deinit { if process.process.isRunning { kill(process.process.processIdentifier, SIGKILL) } }

  /// Writes a file under another name first and renames it, as careful scripts do.
  public static func write(_ text: String, as name: String, in directory: TemporaryDirectory) throws {
    let url = directory.url.appending(path: "etc/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url, options: .atomic)
  }

  public func write(_ text: String, as name: String = "vitrine.toml") throws {
    try Self.write(text, as: name, in: directory)
  }

  public func signal(_ number: Int32) { kill(process.process.processIdentifier, number) }

  /// Waits for the state that `isIt` describes.
  ///
  /// - Throws: an error with the log, if it doesn't come.
  @discardableResult
  public func state(within seconds: Double = patience / .seconds(1), _ isIt: (State) -> Bool) async throws -> State {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var last: State?
    while ContinuousClock.now < deadline {
      if let data = FileManager.default.contents(atPath: directory.path("run/configuration.json")) {
        last = try JSONDecoder().decode(State.self, from: data)
        if let last, isIt(last) { return last }
      }
      guard process.process.isRunning else { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw MediaError(description: "the state stayed \(String(describing: last)); \(log)")
  }

  /// Waits for a text in the log.
  ///
  /// - Throws: an error with the log, if it doesn't come, or the player ends before.
  public func logged(within seconds: Double = patience / .seconds(1), _ isIt: (String) -> Bool) async throws {
    try await eventually("it isn't in the log: \(log)", within: seconds) {
      let isRunning = process.process.isRunning
      if isIt(log) { return true }
      if !isRunning { throw MediaError(description: "it ended, and it isn't in the log: \(log)") }
      return false
    }
  }

  /// Waits for this player's first frame; only with `-v` does the player log it.
  public func showedFrame(within seconds: Double = patience / .seconds(1)) async throws {
    try await logged(within: seconds) { _ in ownLog.contains("vitrine: debug: first frame ") }
  }

  /// The log of this player alone, without that of earlier ones in the same folder.
  public var ownLog: String {
    let data = FileManager.default.contents(atPath: directory.path("log")) ?? Data()
    return String(decoding: data.dropFirst(earlierLog), as: UTF8.self)
  }

  public var log: String { (try? String(contentsOfFile: directory.path("log"), encoding: .utf8)) ?? "" }

  /// Stops the player; gives its exit code and its report.
  public func stop(signal number: Int32 = SIGTERM) async throws -> Player.Run {
    signal(number)
    return try await end(hasReport: number != SIGKILL)
  }

  /// Waits until SIGSTOP has stopped the player: on a busy machine the signal takes a while.
  public func isHeld(within seconds: Double = patience / .seconds(1)) async throws {
    let stat = URL(filePath: "/proc/\(process.process.processIdentifier)/stat")
    try await eventually("SIGSTOP doesn't hold it", within: seconds) {
      try String(contentsOf: stat, encoding: .utf8).contains(") T ")
    }
  }

  /// Waits until the player has ended; gives its exit code and its report.
  ///
  /// - Throws: an error with the log, if it doesn't end. It is killed then.
  public func end(within seconds: Double = patience / .seconds(1), hasReport: Bool = true) async throws -> Player.Run {
    do {
      try await eventually("", within: seconds) { !process.process.isRunning }
    } catch {
      let threads = try? await Tool.run("sh", ["-c", "cat /proc/\(process.process.processIdentifier)/task/*/wchan"])
      signal(SIGKILL)
      throw MediaError(description: "it doesn't end within \(seconds) s (\(threads?.output ?? "")); \(log)")
    }
    return Player.Run(
      outcome: Tool.Outcome(
        status: process.process.terminationStatus, output: "", errors: log, wasKilled: false, seconds: 0),
      report: hasReport ? try Report.read(directory.path("report.json")) : nil)
  }
}

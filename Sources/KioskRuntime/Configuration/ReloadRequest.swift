internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import KioskCore
public import PlaybackCore

/// Asks a player that runs on this machine to read its configuration, and waits for its word. Blocks.
public struct ReloadRequest: Sendable {
  /// What came of it.
  public enum Outcome: Hashable, Sendable {
    case confirmed
    /// It is on trial, which goes on when the screen is switched on again.
    case asleep
    /// The files have errors, or name what can't be played; nothing has changed.
    case refused(String)
    /// It doesn't play; the last good one does.
    case rolledBack(String)
    /// It doesn't play, and there is nothing to go back to.
    case unconfirmed(String)
    /// Nothing final so far; the state that it is in.
    case notInTime(String)
  }

  /// What configuration.json says, as far as it matters here.
  private struct Word: Decodable {
    var state: String
    var reason: String?
    var screen: String
    var readings: Int
    var pid: Int32
  }

  /// How often the file is looked at. A trial takes seconds.
  private static let interval: Duration = .milliseconds(100)

  /// For how long a player may be about to start: systemd makes the folder before it, and takes it away after. A board that has just
  /// been switched on looks for its screen and its elements first.
  private static let start: Duration = .seconds(20)

  private let folder: String
  private let path: String
  private let wait: Duration

  /// - Parameters:
  ///   - runtime: the folder of configuration.json.
  ///   - wait: how long to wait for a final word.
  public init(runtime: String, wait: Duration) {
    folder = runtime
    path = ConfigurationStateFile(directory: runtime).path
    self.wait = wait
  }

  /// - Throws: 7305 when no player tells its state there, or it ends meanwhile; 1107 when this user may not signal it.
  public func send() throws(VitrineError) -> Outcome {
    waitForStart()
    let before = try word()
    guard kill(before.pid, SIGHUP) == 0 else {
      guard errno == EPERM else { throw notRunning("process \(before.pid) has ended") }
      throw VitrineError(
        1107, subject: "process \(before.pid)", message: "this user may not signal the player",
        remedy: "run the command as root or as the user of the player")
    }
    let clock = ContinuousClock()
    let deadline = clock.now + wait
    var newest = before
    while clock.now < deadline {
      usleep(UInt32(Self.interval.inSeconds * 1_000_000))
      newest = try word()
      guard newest.pid == before.pid else { throw notRunning("the player was started anew") }
      // What it said before it was asked is no answer.
      guard newest.readings > before.readings else { continue }
      if let outcome = Self.outcome(newest) { return outcome }
    }
    return .notInTime(newest.readings > before.readings ? newest.state : "no answer")
  }

  /// `systemctl start vitrine; vitrine reload` is no mistake.
  private func waitForStart() {
    let clock = ContinuousClock()
    let deadline = clock.now + min(Self.start, wait)
    while FileTree.isThere(folder), !FileTree.isThere(path), clock.now < deadline {
      usleep(UInt32(Self.interval.inSeconds * 1_000_000))
    }
  }

  private static func outcome(_ word: Word) -> Outcome? {
    let reason = word.reason ?? "no reason is told"
    return switch word.state {
    case "confirmed": .confirmed
    case "candidate" where word.screen == KioskStatus.Screen.Presence.asleep.rawValue: .asleep
    case "refused", "none": .refused(reason)
    case "rolled-back": .rolledBack(reason)
    case "unconfirmed": .unconfirmed(reason)
    default: nil
    }
  }

  private func word() throws(VitrineError) -> Word {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw notRunning("it isn't there") }
    guard let word = try? JSONDecoder().decode(Word.self, from: data) else {
      throw notRunning("it isn't of a player of this version")
    }
    // A file outlives a player that was killed, and its number may be another program's by now.
    guard let name = try? String(contentsOf: URL(filePath: "/proc/\(word.pid)/comm"), encoding: .utf8),
      name.hasPrefix("vitrine")
    else { throw notRunning("the player that wrote it has ended") }
    return word
  }

  private func notRunning(_ reason: String) -> VitrineError {
    VitrineError(
      7305, subject: path, message: "no player tells its state there: \(reason)",
      remedy: "start it (systemctl start vitrine), or name its folder with --runtime")
  }
}

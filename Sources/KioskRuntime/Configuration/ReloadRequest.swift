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
  private let socket: String
  private let wait: Duration

  /// - Parameters:
  ///   - runtime: the folder of configuration.json.
  ///   - socket: the player's control socket; nil is the one in that folder.
  ///   - wait: how long to wait for a final word.
  public init(runtime: String, socket: String? = nil, wait: Duration) {
    folder = runtime
    path = ConfigurationStateFile(directory: runtime).path
    self.socket = socket ?? "\(runtime)/control"
    self.wait = wait
  }

  /// By the control socket, which the members of the player's group may use; by a signal where there is none.
  ///
  /// - Throws: 7305 when no player tells its state there, or it ends meanwhile; 1107 when this user may not signal it; 7609 when it was
  ///   started without a configuration.
  public func send() throws(VitrineError) -> Outcome {
    waitForStart()
    if let conversation = ReloadConversation(socket: socket, wait: wait) { return try conversation.outcome() }
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
      if let outcome = Outcome(newest.state, reason: newest.reason, screen: newest.screen) { return outcome }
    }
    return .notInTime(newest.readings > before.readings ? newest.state : "no answer")
  }

  /// `systemctl start vitrine; vitrine reload` is no mistake.
  private func waitForStart() {
    let clock = ContinuousClock()
    let deadline = clock.now + min(Self.start, wait)
    while FileTree.isThere(folder), !FileTree.isThere(path), !FileTree.isThere(socket), clock.now < deadline {
      usleep(UInt32(Self.interval.inSeconds * 1_000_000))
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

extension ReloadRequest.Outcome {
  /// Nil while there is nothing final.
  ///
  /// - Parameters:
  ///   - state: of the configuration, as a word.
  ///   - screen: whether somebody could see it, as a word.
  init?(_ state: String, reason: String?, screen: String) {
    let reason = reason ?? "no reason is told"
    switch state {
    case "confirmed": self = .confirmed
    case "candidate" where screen == KioskStatus.Screen.Presence.asleep.rawValue: self = .asleep
    case "refused", "none": self = .refused(reason)
    case "rolled-back": self = .rolledBack(reason)
    case "unconfirmed": self = .unconfirmed(reason)
    default: return nil
    }
  }
}

internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import KioskCore
public import PlaybackCore

/// Asks the player on this machine to read its configuration again, and waits for its verdict. Blocks.
public struct ReloadRequest: Sendable {
  /// The verdict on the files.
  public enum Outcome: Hashable, Sendable {
    case confirmed
    /// The new configuration is on trial; the trial goes on when the screen is switched on again.
    case asleep
    /// The files have errors, or name media that can't be played; the old configuration stays in use.
    case refused(String)
    /// The new configuration doesn't play; the last good one is in use again.
    case rolledBack(String)
    /// The new configuration doesn't play, and there is no last good one.
    case unconfirmed(String)
    /// No verdict in time; the text is the configuration's state at the end of the wait.
    case notInTime(String)
  }

  /// The keys of configuration.json that matter here.
  private struct Word: Decodable {
    var state: String
    var reason: String?
    var screen: String
    var readings: Int
    var pid: Int32
  }

  /// The interval between readings of configuration.json. A trial takes seconds.
  private static let interval: Duration = .milliseconds(100)

  /// How long a player may take to start: systemd creates the folder before the player starts and removes it after the
  /// end. A board that has just been switched on looks for its screen and its GStreamer elements first.
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

  /// Asks by the control socket, which the members of the player's group may use; by a signal where there is no socket.
  ///
  /// - Throws: 7305 when no player writes its state there, or the player ends meanwhile; 1107 when this user may not
  ///   signal it; 7609 when it was started without a configuration.
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
      guard newest.pid == before.pid else { throw notRunning("the player was restarted") }
      // A state from before the signal isn't the answer.
      guard newest.readings > before.readings else { continue }
      if let outcome = Outcome(newest.state, reason: newest.reason, screen: newest.screen) { return outcome }
    }
    return .notInTime(newest.readings > before.readings ? newest.state : "no answer")
  }

  /// Waits for a player that is just starting: `systemctl start vitrine; vitrine reload` must work.
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
    // The file stays after a player was killed, and its process number may belong to another program now.
    guard let name = try? String(contentsOf: URL(filePath: "/proc/\(word.pid)/comm"), encoding: .utf8),
      name.hasPrefix("vitrine")
    else { throw notRunning("the player that wrote it has ended") }
    return word
  }

  private func notRunning(_ reason: String) -> VitrineError {
    VitrineError(
      7305, subject: path, message: "no player reports its state there: \(reason)",
      remedy: "start it (systemctl start vitrine), or name its folder with --runtime")
  }
}

extension ReloadRequest.Outcome {
  /// Nil while there is no verdict.
  ///
  /// - Parameters:
  ///   - state: the configuration's state, as a word.
  ///   - screen: the screen's presence, as a word.
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

internal import FileModel
public import FileSystem
public import PlaybackCore

/// Keeps a second player from a state folder: both would write the same records, and each would take the other's for what a player that died
/// has left.
public enum StateLock {
  /// In the state folder.
  public static let name = "lock"

  /// How long a successor waits for its predecessor's end. The service gives a player 5 s to stop and 2 s to write down where it hung
  /// before it is killed; the rest is for a busy machine.
  public static let patience: Duration = .seconds(10)
  /// Between two attempts. The lock isn't told when it is free, and a screen is dark meanwhile.
  public static let pause: Duration = .milliseconds(100)

  public enum Outcome: Sendable {
    case taken(FileLock)
    /// Nobody is kept out: why, in words.
    case unlocked(String)
    case refused(VitrineError)
  }

  /// Takes the lock of the first folder that can have one. Blocks, up to `patience`.
  ///
  /// - Parameters:
  ///   - folders: the state folder, and where is written in its place when it can't be.
  ///   - isDoomed: whether a process was killed and can't end: it hangs in the kernel, and nobody waits for it.
  ///   - wait: sleeps for `pause`; a number of attempts is all the time that is measured.
  ///   - tell: called once, with the holder's number, when waiting begins.
  public static func take(
    in folders: [String], isDoomed: (Int32) -> Bool = Self.isDoomed, wait: (Duration) -> Void,
    tell: (Int32?) -> Void = { _ in }
  ) -> Outcome {
    var reason = "there is no state folder"
    for folder in folders {
      let path = "\(folder)/\(name)"
      do throws(FileError) {
        return try take(path, isDoomed: isDoomed, wait: wait, tell: tell)
      } catch {
        reason = "\(path): \(error.description)"
      }
    }
    return .unlocked(reason)
  }

  private static func take(
    _ path: String, isDoomed: (Int32) -> Bool, wait: (Duration) -> Void, tell: (Int32?) -> Void
  ) throws(FileError) -> Outcome {
    var left = patience / pause
    var hasTold = false
    while true {
      switch try FileLock.take(FilePath(path)) {
      case .taken(let lock): return .taken(lock)
      case .held(let holder):
        if let holder, isDoomed(holder) {
          return .unlocked("\(path): process \(holder) holds it, was killed, and hangs in the kernel")
        }
        if !hasTold { tell(holder) }
        hasTold = true
        guard left >= 1 else { return .refused(held(path, by: holder)) }
        left -= 1
        wait(pause)
      }
    }
  }

  /// Whether a process has been killed and is still there.
  public static func isDoomed(_ process: Int32) -> Bool {
    isDoomed(status: SmallFile.text("/proc/\(process)/status"))
  }

  /// - Parameter status: text of /proc/PID/status. A signal that a process can't take up yet is pending for its thread or for all.
  static func isDoomed(status: String) -> Bool {
    let killed: UInt64 = 1 << (9 - 1)
    return status.split(separator: "\n").contains { line in
      guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:") else { return false }
      let digits = line.drop { $0 != ":" }.dropFirst().drop { $0 == "\t" || $0 == " " }
      return (UInt64(digits, radix: 16) ?? 0) & killed != 0
    }
  }

  /// Another player has the state folder.
  public static let errorNumber = 7517

  private static func held(_ path: String, by holder: Int32?) -> VitrineError {
    VitrineError(
      errorNumber, subject: path,
      message: "another player\(holder.map { " (process \($0))" } ?? "") has this state folder",
      remedy: "stop that one, or name another folder by STATE_DIRECTORY")
  }
}

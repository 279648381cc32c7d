internal import FileModel
public import FileSystem
public import PlaybackCore

/// Keeps a second player away from a state folder: both would write the same records, and each would take the other's
/// for those of a crashed player.
public enum StateLock {
  /// The lock's file name in the state folder.
  public static let name = "lock"

  /// How long a player waits for its predecessor's end. The service gives a player 5 s to stop and 2 s to record where
  /// it hung before it is killed; the rest is for a busy machine.
  public static let patience: Duration = .seconds(10)
  /// The time between two attempts. The system doesn't report that a lock is free, and a screen is dark meanwhile.
  public static let pause: Duration = .milliseconds(100)

  public enum Outcome: Sendable {
    case taken(FileLock)
    /// There is no lock, so a second player could start; the reason in words.
    case unlocked(String)
    case refused(VitrineError)
  }

  /// Takes the lock of the first folder that can have one. Blocks, up to `patience`.
  ///
  /// - Parameters:
  ///   - folders: the state folder, and the folder that replaces it when it can't be written.
  ///   - isDoomed: whether a process was killed and can't end: it hangs in the kernel, and waiting for it is useless.
  ///   - wait: sleeps for `pause`; only the number of attempts limits the time.
  ///   - tell: called once, with the holder's number, when the wait begins.
  public static func acquire(
    in folders: [String], isDoomed: (Int32) -> Bool = Self.isDoomed, wait: (Duration) -> Void,
    tell: (Int32?) -> Void = { _ in }
  ) -> Outcome {
    var reason = "there is no state folder"
    for folder in folders {
      let path = "\(folder)/\(name)"
      do throws(FileError) {
        return try acquire(path, isDoomed: isDoomed, wait: wait, tell: tell)
      } catch {
        reason = "\(path): \(error.description)"
      }
    }
    return .unlocked(reason)
  }

  private static func acquire(
    _ path: String, isDoomed: (Int32) -> Bool, wait: (Duration) -> Void, tell: (Int32?) -> Void
  ) throws(FileError) -> Outcome {
    var left = patience / pause
    var hasTold = false
    while true {
      switch try FileLock.acquire(FilePath(path)) {
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

  /// Whether a process has been killed and still exists.
  public static func isDoomed(_ process: Int32) -> Bool {
    isDoomed(status: SmallFile.text("/proc/\(process)/status"))
  }

  /// - Parameter status: the text of /proc/PID/status. A signal that a process can't handle yet is pending there, for
  ///   its thread or for all threads.
  static func isDoomed(status: String) -> Bool {
    let killed: UInt64 = 1 << (9 - 1)
    return status.split(separator: "\n").contains { line in
      guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:") else { return false }
      let digits = line.drop { $0 != ":" }.dropFirst().drop { $0 == "\t" || $0 == " " }
      return (UInt64(digits, radix: 16) ?? 0) & killed != 0
    }
  }

  /// The number of the error for a state folder that another player uses.
  public static let errorNumber = 7517

  private static func held(_ path: String, by holder: Int32?) -> VitrineError {
    VitrineError(
      errorNumber, subject: path,
      message: "another player\(holder.map { " (process \($0))" } ?? "") uses this state folder",
      remedy: "stop that player, or name another folder with STATE_DIRECTORY")
  }
}

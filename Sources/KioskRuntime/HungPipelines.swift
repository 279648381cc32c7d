internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import KioskCore
internal import Logging
internal import PlaybackCore
internal import PlaylistConfig

/// The last rungs of recovery: this process ends with a code that asks the service manager for another one, or for a reboot.
enum HungPipelines {
  /// `count` pipelines hang at this moment.
  ///
  /// - Parameter path: where restarts are counted; without one nobody would start the process again.
  /// - Returns: the code to end with; nil goes on.
  static func exitCode(_ count: Int, countedIn path: String?, log: Logger) -> Int32? {
    guard let path else { return nil }
    let text = (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
    var ladder = RestartLadder(history: RestartLadder.History(text: text))
    let step = ladder.decksHang(count, at: Int64(time(nil)))
    guard step != .goOn else { return nil }
    guard ReplacedFile.writeOwn(Array(ladder.history.text.utf8), to: path) else {
      // A restart that isn't counted could be a loop.
      log.error("\(count) pipelines hang; no restart, because \(path) can't be written")
      return nil
    }
    switch step {
    case .goOn: return nil
    case .restart:
      log.error("\(count) pipelines hang: another process takes over")
      return KioskExit.temporaryFailure
    case .reboot:
      log.error("\(count) pipelines hang although the process was restarted: the board is to be rebooted")
      return KioskExit.reboot
    }
  }
}

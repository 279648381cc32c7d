internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import PlaybackCore
internal import PlaylistConfig

// The last rungs of recovery: this process ends with a code that asks the service manager for another one, or for a reboot.

extension Kiosk {
  /// A pipeline has been given up. `count` of them hang at this moment.
  func decksHang(_ count: Int) {
    guard ending == nil, let path = options.restartHistoryPath else { return }
    let text = (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
    var ladder = RestartLadder(history: RestartLadder.History(text: text))
    let step = ladder.decksHang(count, at: Int64(time(nil)))
    guard step != .goOn else { return }
    guard ReplacedFile.writeOwn(Array(ladder.history.text.utf8), to: path) else {
      // A restart that isn't counted could be a loop.
      return log.error("\(count) pipelines hang; no restart, because \(path) can't be written")
    }
    switch step {
    case .goOn: break
    case .restart:
      log.error("\(count) pipelines hang: another process takes over")
      end(exitCode: KioskExit.temporaryFailure)
    case .reboot:
      log.error("\(count) pipelines hang although the process was restarted: the board is to be rebooted")
      end(exitCode: KioskExit.reboot)
    }
  }
}

internal import KioskCore
internal import Logging

/// The last rungs of recovery: this process ends with a code that asks the service manager for another one, or for a reboot.
enum HungPipelines {
  /// Pipelines hang at this moment, or an output.
  ///
  /// - Parameters:
  ///   - count: of pipelines; nil for an output that shows nothing, whatever was done about it.
  ///   - path: where restarts are counted; without one nobody would start the process again.
  /// - Returns: the code to end with; nil goes on.
  static func exitCode(_ count: Int?, countedIn path: String?, log: Logger) -> Int32? {
    let reason = count.map { "\($0) pipelines hang" } ?? "the output shows nothing"
    guard let path else { return nil }
    let step: RestartLadder.Step
    do throws(RestartHistoryFile.NotCounted) {
      step = try RestartHistoryFile(path: path).step { ladder, now in
        count.map { ladder.decksHang($0, at: now) } ?? ladder.outputHangs(at: now)
      }
    } catch {
      log.error("\(reason); no restart, because \(path) can't be written")
      return nil
    }
    switch step {
    case .goOn: return nil
    case .restart:
      log.warning("\(reason): another process takes over")
      return KioskExit.temporaryFailure
    case .reboot:
      log.error("\(reason) although the process was restarted: the board is to be rebooted")
      return KioskExit.reboot
    }
  }
}

internal import KioskCore
internal import Logging
internal import PlaybackCore

/// The last steps of recovery: this process ends with an exit code that asks the service manager for another process,
/// or for a reboot.
enum HungPipelines {
  /// Judges hanging pipelines, or a hanging output. If it acts on hanging pipelines, it first counts their items in the
  /// quarantine: the next process then knows them, and this one leaves them out if it goes on.
  ///
  /// - Parameter screens: the screens whose pipelines hang; nil for an output that shows nothing in spite of all
  ///   remedies.
  /// - Returns: the code to end with; nil goes on.
  static func exitCode(_ screens: ScreenGroup?, _ options: KioskOptions, log: Logger) -> Int32? {
    guard let screens else {
      return exitCode("the output shows nothing", options, log) { ladder, now in ladder.outputHangs(at: now) }
    }
    let count = screens.hungPipelines
    guard count >= RestartEscalation.Policy().hungDecks else { return nil }
    var areHeld = false
    if let book = options.survival {
      let items = screens.hungItems
      for error in book.hung(items.filter(\.isNews).map(\.item)) { log.error("\(error.line)") }
      areHeld = items.count == count && items.allSatisfy { book.holds($0.item) }
    }
    // If other items have played, the driver isn't the cause.
    let isItems = areHeld && screens.hasShownFrame
    return exitCode("\(count) pipelines hang", options, log) { ladder, now in
      ladder.decksHang(count, isItems: isItems, at: now)
    }
  }

  /// - Parameter options: name the file that counts restarts. Without it the process goes on: no supervisor would start
  ///   it again.
  private static func exitCode(
    _ reason: String, _ options: KioskOptions, _ log: Logger,
    _ ask: (inout RestartEscalation, Int64) -> RestartEscalation.Step
  ) -> Int32? {
    guard let path = options.restartHistoryPath else { return nil }
    let step: RestartEscalation.Step
    do throws(RestartHistoryFile.NotCounted) {
      step = try RestartHistoryFile(path: path).step(ask)
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
      // A reboot means that the driver is suspected: the items are cleared. If one of them is the cause, two more hangs
      // will show it.
      options.survival?.forgiveHangs()
      return KioskExit.reboot
    }
  }
}

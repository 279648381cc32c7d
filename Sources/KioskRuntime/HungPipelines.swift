internal import KioskCore
internal import Logging
internal import PlaybackCore

/// The last rungs of recovery: this process ends with a code that asks the service manager for another one, or for a reboot.
enum HungPipelines {
  /// Pipelines hang at this moment, or an output. Where that is enough to act on, their items are counted in the quarantine first: the next process
  /// knows them, and this one leaves them out if it goes on.
  ///
  /// - Parameter screens: whose pipelines hang; nil for an output that shows nothing, whatever was done about it.
  /// - Returns: the code to end with; nil goes on.
  static func exitCode(_ screens: ScreenGroup?, _ options: KioskOptions, log: Logger) -> Int32? {
    guard let screens else {
      return exitCode("the output shows nothing", options, log) { ladder, now in ladder.outputHangs(at: now) }
    }
    let count = screens.hungPipelines
    guard count >= RestartLadder.Policy().hungDecks else { return nil }
    var areHeld = false
    if let book = options.survival {
      let items = screens.hungItems
      for error in book.hung(items.filter(\.isNews).map(\.item)) { log.error("\(error.line)") }
      areHeld = items.count == count && items.allSatisfy { book.holds($0.item) }
    }
    // Where others play, it isn't the driver.
    let isItems = areHeld && screens.hasShownFrame
    return exitCode("\(count) pipelines hang", options, log) { ladder, now in
      ladder.decksHang(count, isItems: isItems, at: now)
    }
  }

  /// - Parameter options: say where restarts are counted; without that nobody would start the process again.
  private static func exitCode(
    _ reason: String, _ options: KioskOptions, _ log: Logger, _ ask: (inout RestartLadder, Int64) -> RestartLadder.Step
  ) -> Int32? {
    guard let path = options.restartHistoryPath else { return nil }
    let step: RestartLadder.Step
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
      // If it is the driver, no item is to blame; if it isn't, two more times will tell.
      options.survival?.forgiveHangs()
      return KioskExit.reboot
    }
  }
}

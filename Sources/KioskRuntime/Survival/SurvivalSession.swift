internal import FileSystem
internal import Glibc
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import Supervision

/// Records once a second that the loop is running (less often while nothing plays), and ends the run when its mode is
/// over. Confined to the loop's thread.
final class SurvivalSession {
  private let book: CrashHistory
  private let restarts: RestartHistoryFile?
  private let loop: EventLoop
  private let log: Logger
  private let isOver: (Int32) -> Void
  /// Whether no screen owes a frame.
  private let rests: () -> Bool
  private var timer: PacedTimer?
  /// Ends the run soon.
  private var ending: EventSource?

  /// Often enough for the limit in `Death.Policy`, and rare enough for a board that sleeps.
  private static let interval: Duration = .seconds(1)
  /// The interval while no screen owes a frame, at the same time as the health report: half of the longest silence that
  /// `Death.Policy` allows.
  private static let restInterval = HealthPolicy().restInterval
  /// How long an answer may take to be sent: this turn of the loop or the next.
  private static let answerTime: Duration = .milliseconds(100)

  /// - Parameters:
  ///   - options: the run's options; without a book nothing is recorded.
  ///   - rests: whether no screen owes a frame.
  ///   - isOver: ends the run with an exit code.
  init?(
    _ options: KioskOptions, on loop: EventLoop, log: Logger, rests: @escaping () -> Bool,
    isOver: @escaping (Int32) -> Void
  ) {
    guard let book = options.survival else { return nil }
    self.book = book
    self.loop = loop
    self.log = log
    self.isOver = isOver
    self.rests = rests
    restarts = options.restartHistoryPath.map(RestartHistoryFile.init)
    timer = PacedTimer(loop, every: Self.interval, atRest: Self.restInterval) { [weak self] in self?.checkProgress() }
  }

  /// The card that is shown instead of playback; nil where the run plays.
  var card: ErrorCard? { book.mode == .card ? .stopped(book.status) : nil }

  /// Ends the card's time, because a person wants to try now.
  ///
  /// - Returns: false where there is no card.
  func tryNow() -> Bool {
    guard book.mode == .card, book.triesAgain(isAsked: true) else { return false }
    log.notice("playback is tried again, as requested")
    // The request is answered before the run ends.
    timer = nil
    ending = loop.after(Self.answerTime) { [isOver] in isOver(KioskExit.temporaryFailure) }
    return true
  }

  private func checkProgress() {
    CrashRecorder.isAlive()
    if rests() { timer?.rests() } else { timer?.goes(every: Self.interval) }
    if book.mode == .card {
      if book.triesAgain() { isOver(nextRung) }
    } else if CrashRecorder.hasShownFrame, book.goesOn() {
      log.notice("ten minutes without a death: safe mode is left, and another process takes over")
      isOver(KioskExit.temporaryFailure)
    }
  }

  /// The exit code after the card. If the process crashes whatever it leaves out, a stuck driver may be the cause: a
  /// reboot, as often as `RestartEscalation` allows.
  private var nextRung: Int32 {
    let step = try? restarts?.step { ladder, now in ladder.keepsDying(at: now) }
    guard step == .reboot else { return KioskExit.temporaryFailure }
    log.error("it died again and again, in safe mode too: the board is to be rebooted")
    return KioskExit.reboot
  }

  /// Records a planned end of the run.
  func stop(exitCode: Int32) {
    timer = nil
    ending = nil
    book.finish()
    CrashRecorder.ends(exitCode == KioskExit.temporaryFailure || exitCode == KioskExit.reboot ? .handOver : .clean)
  }
}

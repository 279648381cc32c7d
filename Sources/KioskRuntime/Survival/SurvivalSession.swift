internal import FileSystem
internal import Glibc
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import Supervision

/// Says once a second that the loop goes round (less often while nothing plays), and ends the run where its mode is over.
/// Confined to the loop's thread.
final class SurvivalSession {
  private let book: SurvivalBook
  private let restarts: RestartHistoryFile?
  private let loop: EventLoop
  private let log: Logger
  private let isOver: (Int32) -> Void
  /// Whether no screen owes anything.
  private let rests: () -> Bool
  private var timer: PacedTimer?
  /// The run is about to end.
  private var ending: EventSource?

  /// Often enough for the limit of `Death.Policy`, and seldom enough for a board that sleeps.
  private static let interval: Duration = .seconds(1)
  /// While no screen owes anything, along with what is told of its health: half of what a silence may last (`Death.Policy`).
  private static let restInterval = HealthPolicy().restInterval
  /// An answer is written in the same turn of the loop or the next.
  private static let answerTime: Duration = .milliseconds(100)

  /// - Parameters:
  ///   - options: of the run; without a book nothing is written down.
  ///   - rests: whether no screen owes anything.
  ///   - isOver: the run is to end with that code.
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
    timer = PacedTimer(loop, every: Self.interval, atRest: Self.restInterval) { [weak self] in self?.look() }
  }

  /// What stands in place of all that plays; nil where something is to play.
  var card: ErrorCard? { book.mode == .card ? .stopped(book.status) : nil }

  /// The card's time is up because somebody says so.
  ///
  /// - Returns: false where there is no card.
  func tryNow() -> Bool {
    guard book.mode == .card, book.triesAgain(isAsked: true) else { return false }
    log.notice("it is tried again: somebody asked for it")
    // Whoever asked is answered first.
    timer = nil
    ending = loop.after(Self.answerTime) { [isOver] in isOver(KioskExit.temporaryFailure) }
    return true
  }

  private func look() {
    RunMemory.isAlive()
    if rests() { timer?.rests() } else { timer?.goes(every: Self.interval) }
    if book.mode == .card {
      if book.triesAgain() { isOver(nextRung) }
    } else if RunMemory.hasShownFrame, book.goesOn() {
      log.notice("ten minutes without a death: safe mode is left, and another process takes over")
      isOver(KioskExit.temporaryFailure)
    }
  }

  /// A process that dies whatever it leaves out may die of a driver that is stuck: a reboot, as often as the ladder has it.
  private var nextRung: Int32 {
    let step = try? restarts?.step { ladder, now in ladder.keepsDying(at: now) }
    guard step == .reboot else { return KioskExit.temporaryFailure }
    log.error("it died again and again, in safe mode too: the board is to be rebooted")
    return KioskExit.reboot
  }

  /// The run ends with that code, as it was to.
  func stop(exitCode: Int32) {
    timer = nil
    ending = nil
    book.finish()
    RunMemory.ends(exitCode == KioskExit.temporaryFailure || exitCode == KioskExit.reboot ? .handOver : .clean)
  }
}

internal import FileModel
internal import FileSystem
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import TelemetryCore
internal import VitrinePlayback

/// Writes the screens' plays to the disk when `PlayLog` says so, on a thread of its own: a worn SD card may take
/// seconds. Confined to the loop's thread.
///
/// There is one for the whole run, even if the folder changes: two keepers would write pending plays twice or lose
/// them.
final class PlayLogWriter {
  private var folder: PlayFolder
  private let clock: any EngineClock
  private let log: Logger
  private var machine = PlayLog()
  private var timer: (any EngineTimer)?
  private let worker = BlockingWorker()
  private var answers: Mailbox<FileError?>?
  private var ended: (() -> Void)?
  private let moment: (Instant) -> PlayMoment

  /// How long the end of the run waits for a slow card. Plays that aren't written by then are in memory for the next
  /// run.
  private static let patience: Duration = .milliseconds(500)

  /// - Parameters:
  ///   - earlier: the plays that were under way when the previous run crashed.
  ///   - moment: reads the clocks.
  init(
    _ folder: PlayFolder, earlier: [PlayEntry], on loop: EventLoop, clock: any EngineClock, log: Logger,
    moment: @escaping (Instant) -> PlayMoment = PlayMoment.system
  ) {
    self.folder = folder
    self.clock = clock
    self.log = log
    self.moment = moment
    let reference = LoopReference(self, of: loop.executor)
    answers = Mailbox(executor: loop.executor) { reference.value?.wrote($0) }
    for entry in folder.left() + earlier { machine.add(entry, at: clock.now) }
    changed()
  }

  /// Writes to another folder from now on. The old folder gets the pending plays once more; if that fails, the new one
  /// gets them.
  func follow(_ folder: PlayFolder) {
    let before = self.folder
    write(isLast: true)
    self.folder = folder
    if folder.unwritten != before.unwritten { worker.submit { before.keep([]) } }
    changed()
  }

  func recordPlays(_ plays: [FinishedPlay]) {
    guard answers != nil else { return }
    let now = moment(clock.now)
    for play in plays { machine.add(PlayEntry(play, at: now), at: clock.now) }
    changed()
  }

  private func changed() {
    let pending = machine.pending
    worker.submit { [folder] in folder.keep(pending) }
    arm()
  }

  private func arm() {
    timer = machine.due.map { due in
      clock.after(max(.zero, due - clock.now)) { [weak self] in self?.write() }
    }
  }

  private func write(isLast: Bool = false) {
    let entries = machine.beginWrite(at: clock.now, isLast: isLast)
    guard !entries.isEmpty else { return arm() }
    log.debug("proof of play is written: \(entries.count) lines in \(folder.path)")
    worker.submit { [folder, answers] in
      do throws(FileError) {
        try folder.append(entries)
        answers?.post(nil)
      } catch {
        answers?.post(error)
      }
    }
  }

  private func wrote(_ problem: FileError?) {
    if machine.wrote(problem == nil, at: clock.now), let problem {
      log.report(TelemetryErrors.noPlayLog(folder.path, problem))
    }
    if ended == nil { return changed() }
    let pending = machine.pending
    worker.submit { [folder] in folder.keep(pending) }
    // Writes the plays that came during the last write, if there is time. A failing card gets no second try.
    if problem == nil, !pending.isEmpty { return write(isLast: true) }
    finish()
  }

  /// Writes the pending plays; calls `done` once, when they are on the disk or the time is over.
  func end(then done: @escaping () -> Void) {
    timer = nil
    let isWriting = machine.due == nil && !machine.pending.isEmpty
    guard !machine.pending.isEmpty else {
      ended = done
      return finish()
    }
    ended = done
    // While a write is running, its answer starts the next one.
    if !isWriting { write(isLast: true) }
    timer = clock.after(Self.patience) { [weak self] in self?.finish() }
  }

  private func finish() {
    guard let ended else { return }
    self.ended = nil
    timer = nil
    answers?.close()
    answers = nil
    worker.finish()
    ended()
  }
}

extension PlayMoment {
  /// Reads this machine's clocks.
  static func system(_ now: Instant) -> PlayMoment {
    PlayMoment(now, milliseconds: SystemClock.utcMilliseconds, isSynchronised: SystemClock.isSynchronised)
  }
}

enum TelemetryErrors {
  static func noPlayLog(_ folder: String, _ error: FileError) -> VitrineError {
    VitrineError(
      7750, subject: folder, message: "proof of play can't be written: \(error)",
      remedy: "check that the folder is there, may be written to and has room; "
        + "the last \(PlayLog.limit) plays are kept until then")
  }
}

internal import FileModel
internal import FileSystem
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import TelemetryCore
internal import VitrinePlayback

/// Writes down what the screens have shown, when `PlayLog` says so, on a thread of its own: a worn card may take seconds. Confined to
/// the loop's thread.
///
/// There is one in a run, whatever folders are wanted in it: two would write what isn't written yet twice, or neither would.
final class PlayKeeper {
  private var folder: PlayFolder
  private let clock: any EngineClock
  private let log: Logger
  private var machine = PlayLog()
  private var timer: (any EngineTimer)?
  private let worker = BlockingWorker()
  private var answers: Mailbox<FileError?>?
  private var ended: (() -> Void)?
  private let moment: (Instant) -> PlayMoment

  /// How long the end of the run waits for a card that is slow. What isn't written by then is in memory for the next run.
  private static let patience: Duration = .milliseconds(500)

  /// - Parameters:
  ///   - earlier: what was under way when the run before this one died.
  ///   - moment: what the clocks say.
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

  /// From now on it is written there. What waits is given to the folder of before once more; if that doesn't take it, the new one gets it.
  func follow(_ folder: PlayFolder) {
    let before = self.folder
    write(isLast: true)
    self.folder = folder
    if folder.unwritten != before.unwritten { worker.submit { before.keep([]) } }
    changed()
  }

  func takePlays(_ plays: [FinishedPlay]) {
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
    let entries = machine.takeEntries(at: clock.now, isLast: isLast)
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
      log.tell(TelemetryErrors.noPlayLog(folder.path, problem))
    }
    if ended == nil { return changed() }
    let pending = machine.pending
    worker.submit { [folder] in folder.keep(pending) }
    // What has come while the last ones were written, as long as there is time. A card that fails gets no second try.
    if problem == nil, !pending.isEmpty { return write(isLast: true) }
    finish()
  }

  /// Writes what is left; `done` is called once, when it is on the disk or has had its time.
  func end(then done: @escaping () -> Void) {
    timer = nil
    let isWriting = machine.due == nil && !machine.pending.isEmpty
    guard !machine.pending.isEmpty else {
      ended = done
      return finish()
    }
    ended = done
    // What is being written has its answer to come; what came after that is written then.
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
  /// What this machine's clocks say.
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

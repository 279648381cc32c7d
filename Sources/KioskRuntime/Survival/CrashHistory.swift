internal import FileSystem
internal import Glibc
internal import InteractionCore
internal import JSONText
public import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import Supervision

/// The run's knowledge of crashes: the items in quarantine, and the mode that it runs in. Any thread; a worker of its
/// own writes the files.
public final class CrashHistory: Sendable {
  private struct State: Sendable {
    var quarantine: Quarantine
    var loop: CrashLoop
  }

  private let folder: CrashHistoryFolder
  private let state: Locked<State>
  private let last: CrashSummary?
  private let starts: StartCounts
  private let log: Logger
  private let worker = BlockingWorker()
  /// When the run began, in seconds since the machine started.
  private let began = SurvivalBoot.secondsSinceBoot

  init(
    _ folder: CrashHistoryFolder, quarantine: Quarantine, loop: CrashLoop, last: CrashSummary?,
    starts: StartCounts = StartCounts(), log: Logger
  ) {
    self.folder = folder
    self.last = last
    self.starts = starts
    self.log = log
    state = Locked(State(quarantine: quarantine, loop: loop))
    writeStatus()
  }

  /// The mode that this run began with.
  public var mode: CrashLoop.Mode { state.withLock { $0.loop.mode } }

  // MARK: Items

  /// The reason against playing an item; nil where it may be played. Reads the file only of an item that has crashed a
  /// process.
  ///
  /// - Parameter item: the item and its known checksum.
  func withholds(_ item: RecordedItem) -> VitrineError? {
    let sha256 = item.sha256
    guard state.withLock({ $0.quarantine.knows(item.listed, sha256: sha256) }) else { return nil }
    let known = state.withLock { $0.quarantine }
    let subject = Quarantine.Subject(item.listed, from: item.played, sha256: sha256, known: known)
    let now = Int64(time(nil))
    let (entry, isChanged) = state.withLock { state in
      let before = state.quarantine
      return (state.quarantine.holds(subject, at: now), state.quarantine != before)
    }
    if isChanged {
      keep()
      if entry == nil {
        log.notice("\(Redaction.value(item.listed)) is tried again: its bytes have changed, or a day has passed")
      }
    }
    return entry?.error
  }

  /// Whether the item is in quarantine.
  func holds(_ item: RecordedItem) -> Bool { withholds(item) != nil }

  /// Counts items whose pipelines hang for good. For an item from a network the count is doubtful: the network may be
  /// the reason.
  ///
  /// - Returns: the errors of items that are in quarantine now.
  func hung(_ items: [RecordedItem]) -> [VitrineError] {
    let now = Int64(time(nil))
    let known = state.withLock { $0.quarantine }
    let errors = items.compactMap { item -> VitrineError? in
      let subject = Quarantine.Subject(item.listed, from: item.played, sha256: item.sha256, known: known)
      let isLocal = item.played.hasPrefix("file:") || item.played.hasPrefix("/")
      let entry = state.withLock {
        $0.quarantine.died(of: subject, signal: 0, isDoubtful: !isLocal, hasHung: true, at: now)
      }
      return entry.isHeld ? entry.error : nil
    }
    if !items.isEmpty { keepNow() }
    return errors
  }

  /// Clears the counted hangs, before the board is rebooted because pipelines hang.
  func forgiveHangs() { if state.withLock({ $0.quarantine.forgiveHangs() }) { keepNow() } }

  /// Clears an item that has played to its end.
  func played(_ uri: String) { if state.withLock({ $0.quarantine.played(uri) }) { keep() } }

  /// Releases an item from quarantine; nil releases all.
  ///
  /// - Returns: whether there was such an item.
  func forgive(_ uri: String?) -> Bool {
    guard state.withLock({ $0.quarantine.forgive(uri) }) else { return uri == nil }
    log.notice(
      "\(uri.map { Redaction.value($0) } ?? "everything that was left out") is tried again, as requested")
    keep()
    return true
  }

  /// Writes the quarantine at once: the process is about to end and doesn't wait for the worker. Blocks for a small
  /// file, like the count of restarts.
  private func keepNow() {
    folder.keep(state.withLock { $0.quarantine })
    writeStatus()
  }

  private func keep() {
    worker.submit { [folder, state] in folder.keep(state.withLock { $0.quarantine }) }
    writeStatus()
  }

  /// Writes a crash report on the previous run, for people.
  func report(_ record: CrashRecord, _ death: Death, at now: Int64) {
    worker.submit { [folder, log] in
      if let path = folder.write(record, death, at: now) { log.notice("crash report: \(path)") }
    }
  }

  // MARK: Modes

  /// Counts good running time; to be called regularly once a frame has been shown.
  ///
  /// - Returns: whether safe mode is over, and another process should take over.
  func goesOn() -> Bool {
    let now = SurvivalBoot.secondsSinceBoot
    let (isOver, loop, isChanged) = state.withLock { state in
      let before = state.loop
      return (state.loop.ranWell(since: began, at: now), state.loop, state.loop != before)
    }
    if isChanged { worker.submit { [folder] in folder.keep(loop) } }
    return isOver
  }

  /// Ends the card's mode when its time is up: the next process tries to play in safe mode.
  ///
  /// - Parameter isAsked: a person wants to try now.
  /// - Returns: whether the mode has ended.
  func triesAgain(isAsked: Bool = false) -> Bool {
    let now = SurvivalBoot.secondsSinceBoot
    let loop = state.withLock { state in
      state.loop.triesAgain(at: now, isAsked: isAsked)
      return state.loop
    }
    guard loop.mode != .card else { return false }
    folder.keep(loop)
    return true
  }

  /// Waits until the worker has written everything.
  func finish() { worker.finish() }

  // MARK: Status

  var status: KioskStatus.Survival {
    let (quarantine, loop) = state.withLock { ($0.quarantine, $0.loop) }
    var status = KioskStatus.Survival(
      mode: loop.mode,
      modeSeconds: loop.mode == .normal ? nil : Double(max(0, SurvivalBoot.secondsSinceBoot - loop.since)),
      lastCrash: last, quarantine: quarantine.held.map { KioskStatus.Survival.Held($0) })
    status.starts = starts
    return status
  }

  /// Writes survival.json to the runtime folder, for scripts.
  private func writeStatus() {
    guard let runtime = folder.runtime, let text = try? JSONValue(encoding: status).pretty + "\n" else { return }
    worker.submit { _ = ReplacedFile.write(Array(text.utf8), to: "\(runtime)/survival.json") }
  }
}

extension ErrorCard {
  /// The card for a player that has crashed again and again, in safe mode, too.
  static func stopped(_ survival: KioskStatus.Survival) -> ErrorCard {
    let last = survival.lastCrash.map { VisitorText(.lastEnd, ["details": .text($0.visitorText)]) }
    return ErrorCard(
      number: SurvivalErrors.stopped, headline: VisitorText(.playerStopped),
      body: .sentences([VisitorText(.playerEnded), last, VisitorText(.triedLater)].compactMap(\.self)),
      footer: .boardName)
  }
}

internal import FileSystem
internal import Glibc
internal import InteractionCore
internal import JSONText
public import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import Supervision

/// What a run knows of deaths: which items aren't to be played, and in which mode it runs. Any thread; files are written by a worker of its
/// own.
public final class SurvivalBook: Sendable {
  private struct State: Sendable {
    var quarantine: Quarantine
    var loop: CrashLoop
  }

  private let folder: SurvivalFolder
  private let state: Locked<State>
  private let last: CrashSummary?
  private let starts: StartCounts
  private let log: Logger
  private let worker = BlockingWorker()
  /// Seconds since the machine started.
  private let began = SurvivalBoot.secondsSinceBoot

  init(
    _ folder: SurvivalFolder, quarantine: Quarantine, loop: CrashLoop, last: CrashSummary?,
    starts: StartCounts = StartCounts(), log: Logger
  ) {
    self.folder = folder
    self.last = last
    self.starts = starts
    self.log = log
    state = Locked(State(quarantine: quarantine, loop: loop))
    tell()
  }

  /// As this run began.
  public var mode: CrashLoop.Mode { state.withLock { $0.loop.mode } }

  // MARK: Items

  /// Why an item isn't to be played; nil where it may be. Looks at the file only of one that has been the death of a process.
  ///
  /// - Parameter item: what is known of it.
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

  /// Whether it is left out.
  func holds(_ item: RecordedItem) -> Bool { withholds(item) != nil }

  /// Pipelines hang for good that play these items. Where a network is between, that may be the reason.
  ///
  /// - Returns: why items are left out that weren't before.
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

  /// The board is to be started anew because pipelines hang.
  func forgiveHangs() { if state.withLock({ $0.quarantine.forgiveHangs() }) { keepNow() } }

  /// An item has come to its end by itself.
  func played(_ uri: String) { if state.withLock({ $0.quarantine.played(uri) }) { keep() } }

  /// Nil means all.
  ///
  /// - Returns: whether there was such an item.
  func forgive(_ uri: String?) -> Bool {
    guard state.withLock({ $0.quarantine.forgive(uri) }) else { return uri == nil }
    log.notice(
      "\(uri.map { Redaction.value($0) } ?? "everything that was left out") is tried again: somebody asked for it")
    keep()
    return true
  }

  /// The process is about to end, and nobody would wait for the worker. Blocks for a small file, as the count of restarts does.
  private func keepNow() {
    folder.keep(state.withLock { $0.quarantine })
    tell()
  }

  private func keep() {
    worker.submit { [folder, state] in folder.keep(state.withLock { $0.quarantine }) }
    tell()
  }

  /// What the run before died of, for people.
  func report(_ record: RunRecord, _ death: Death, at now: Int64) {
    worker.submit { [folder, log] in
      if let path = folder.write(record, death, at: now) { log.notice("crash report: \(path)") }
    }
  }

  // MARK: Modes

  /// It goes on, and has shown something.
  ///
  /// - Returns: whether another process is to take over, because safe mode is to be left.
  func goesOn() -> Bool {
    let now = SurvivalBoot.secondsSinceBoot
    let (isOver, loop, isChanged) = state.withLock { state in
      let before = state.loop
      return (state.loop.ranWell(since: began, at: now), state.loop, state.loop != before)
    }
    if isChanged { worker.submit { [folder] in folder.keep(loop) } }
    return isOver
  }

  /// Whether the card's time is up: then it is tried again, in safe mode.
  ///
  /// - Parameter isAsked: somebody says that it is.
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

  /// What is submitted is written.
  func finish() { worker.finish() }

  // MARK: For those who ask

  var status: KioskStatus.Survival {
    let (quarantine, loop) = state.withLock { ($0.quarantine, $0.loop) }
    var status = KioskStatus.Survival(
      mode: loop.mode,
      modeSeconds: loop.mode == .normal ? nil : Double(max(0, SurvivalBoot.secondsSinceBoot - loop.since)),
      lastCrash: last, quarantine: quarantine.held.map { KioskStatus.Survival.Held($0) })
    status.starts = starts
    return status
  }

  /// survival.json in the runtime folder, for scripts.
  private func tell() {
    guard let runtime = folder.runtime, let text = try? JSONValue(encoding: status).pretty + "\n" else { return }
    worker.submit { _ = ReplacedFile.write(Array(text.utf8), to: "\(runtime)/survival.json") }
  }
}

extension ErrorCard {
  /// It died in safe mode too.
  static func stopped(_ survival: KioskStatus.Survival) -> ErrorCard {
    let last = survival.lastCrash.map { crash in
      "The last time, \(crash.time), \(crash.cause)\(crash.item.map { " while it had \($0)" } ?? "")."
    }
    return ErrorCard(
      number: SurvivalErrors.stopped, headline: "The player has stopped",
      body: ["It ended by itself again and again, in safe mode too.", last, "It is tried again in some minutes."]
        .compactMap(\.self).joined(separator: " "),
      footer: ([HostName.text] + HostAddresses.all).joined(separator: "  "))
  }
}

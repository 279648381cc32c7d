internal import ConfigurationFiles
internal import FileSystem
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

/// The owner of a configuration session: applies what it decides. Called on the loop.
protocol ConfigurationSessionOwner: AnyObject {
  /// Plays what the schedule of this configuration has decided, and switches the screen on or off by it. A
  /// configuration comes into use by this call alone.
  func session(_ session: ConfigurationSession, plays decision: ScheduleDecision, of revision: ConfigurationRevision)
}

/// Carries out reload and schedule: watches files, reads them off the loop, and hands the lists to its owner. It
/// decides nothing: see `ReloadMachine` and `ScheduleMachine`. Confined to the loop's thread.
final class ConfigurationSession {
  let setup: ConfigurationSetup
  let loop: EventLoop
  let log: Logger
  private let worker = BlockingWorker()
  weak var owner: (any ConfigurationSessionOwner)?
  private weak var screens: ScreenGroup?
  private var mailbox: Mailbox<Answer>?
  private var machine: ReloadMachine
  var schedule: ScheduleMachine?
  var timers = Timers()
  var revisions = KnownRevisions()
  private(set) var files = FilesReading()
  private var told = ToldState()
  private let sticks: StickSession
  let media: MediaSession

  /// How long a message stays on the screen.
  private static let messageTime: Duration = .seconds(10)

  struct Timers {
    var reload: [ReloadMachine.Timer: EventSource] = [:]
    var schedule: EventSource?
    var message: EventSource?
    /// Notices changes of the files, and of the symbolic links on the way to them; nil where the system has no inotify
    /// watch left.
    var files: DirectoryWatch?
    /// The symbolic links on the way to the configuration's files, and these files.
    var links: Set<FilePath> = []
    /// Notices when the network sets the clock: until then, a board without a battery-backed clock plays by the wrong
    /// time.
    var clock: ClockWatch?
  }

  /// A result of work off the loop.
  enum Answer: Sendable {
    case mark(FilesMark)
    case read(Result<ConfigurationRevision, ConfigurationRefusal>, probe: String?)
    case refreshed(ConfigurationRevision?)
    /// The files have changed since the start read them.
    case changedMeanwhile
    /// The state can't be written to disk.
    case unkept(String)
  }

  /// - Parameter screens: those whose frames a trial is judged by, and that show its messages.
  init(
    _ setup: ConfigurationSetup, on loop: EventLoop, _ screens: ScreenGroup?, owner: any ConfigurationSessionOwner,
    log: Logger
  ) {
    self.setup = setup
    self.loop = loop
    self.owner = owner
    self.screens = screens
    self.log = log
    machine = ReloadMachine(policy: setup.policy)
    sticks = StickSession(setup.reader.copies, on: loop, log: log)
    media = MediaSession(on: loop)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { answer in reference.value?.handleAnswer(answer) }
  }

  func start() {
    watchFiles()
    // Notices changes between the first reading and the start of the watch.
    let (set, mark) = (setup.reader.set, setup.boot.mark)
    submit { mark == nil || set.mark() == mark ? nil : .changedMeanwhile }
    sticks.onChange = { [weak self] folder in self?.feed(.fileChanged(folder)) }
    sticks.onMessage = { [weak self] message in self?.say(message) }
    media.onChange = { [weak self] in self?.mediaChanged() }
    timers.clock = ClockWatch(on: loop, jumped: { [weak self] in self?.checkClock() })
    let boot = setup.boot
    revisions = KnownRevisions(boot)
    files = FilesReading(boot)
    if let lastGood = boot.lastGood { machine.adoptConfirmed(lastGood.revision) }
    guard let first = boot.active else {
      followMedia()
      return saveState(.none, boot.refusal?.reason)
    }
    sticks.follow(first)
    // The texts are on disk already, or there is no disk to keep them on: free them.
    if boot.isConfirmed || setup.directories.state == nil { _ = first.texts.consume() }
    perform(
      machine.handle(
        .booted(first.revision, isConfirmed: boot.isConfirmed, isStandIn: boot.refusal != nil), at: .monotonicNow))
    if let refusal = boot.refusal {
      log.error("the last good configuration is used: \(refusal.reason)")
      saveState(.rolledBack, refusal.reason)
      say(VisitorText(.lastConfigurationPlays))
    }
    follow(first)
  }

  func stop() {
    timers = Timers()
    sticks.stop()
    media.stop()
    mailbox?.close()
    worker.finish()
  }

  /// Reads the files again, on request.
  func reload() { feed(.reloadRequested) }

  /// Counts a failed item against the configuration on trial. An item that the confirmed configuration has isn't a
  /// fault of the change.
  func itemFailed(_ item: MediaItem, _ error: VitrineError) {
    let isOld = revisions.confirmed?.items.values.contains { $0.all.contains { $0.uri == item.uri } } ?? false
    if !item.isRemote, !isOld { feed(.itemBroken(error.line)) }
  }

  /// Counts a failed screen against the configuration on trial: the settings in use ask for it.
  func screenFailed(_ error: VitrineError) { feed(.screenBroken(error.line)) }

  /// Updates the state file: a screen has come, or gone, or was switched.
  func screenChanged() {
    guard let screen = screens?.presence else { return }
    guard screen != told.file.screen else { return }
    // Only the screen changes: newly read files may still be without a verdict.
    told.file.screen = screen
    write()
  }

  /// The configuration's part of the status: the facts of the state file.
  var status: KioskStatus.Configuration {
    var status = KioskStatus.Configuration(
      state: told.file.state, reason: told.file.reason, files: active?.paths ?? [], readings: told.file.readings)
    status.hash = told.file.active
    return status
  }

  /// The configuration in use.
  var active: ConfigurationRevision? { revisions.active }

  /// When its texts came into use.
  var activeSince: Instant? { told.activeSince }

  /// Whether the configuration in use may still be rolled back.
  var canRollBack: Bool { machine.canRollBack }

  // MARK: Facts

  func feed(_ event: ReloadMachine.Event) { perform(machine.handle(event, at: .monotonicNow)) }

  private func handleAnswer(_ answer: Answer) {
    switch answer {
    case .mark(let mark): feed(.looked(mark))
    case .changedMeanwhile: feed(.fileChanged(setup.reader.set.main))
    case .unkept(let line):
      guard !told.isUnkept else { break }
      told.isUnkept = true
      log.warning("\(line); it is remembered until the player ends")
    case .read(.failure(let refusal), _):
      files.failed(refusal)
      for line in ToldLines.of(refusal.lines) { log.error("\(line)") }
      followMedia()
      files.isListed = !refusal.lines.isEmpty
      feed(.checked(.refused(refusal.reason)))
      files.isListed = false
    case .read(.success(let revision), let probe):
      files.succeeded(revision)
      sticks.follow(revision)
      if let probe { return feed(.checked(.refused(probe))) }
      files.refusal = nil
      for remark in ToldLines.of(revision.remarks) { log.notice("\(remark)") }
      for problem in ToldLines.of(revision.problems.map(\.line)) { log.error("\(problem)") }
      revisions.add(revision)
      feed(.checked(.usable(revision.revision)))
      revisions.forgetOthers()
    case .refreshed(let revision):
      guard let revision else { break }
      revisions.add(revision)
      feed(.mediaFound(revision.revision))
      revisions.forgetOthers()
    }
  }

  // MARK: Commands

  private func perform(_ actions: [ReloadMachine.Action]) {
    for action in actions {
      switch action {
      case .startTimer(let timer, let delay):
        timers.reload[timer] = loop.after(delay) { [weak self] in self?.feed(.timerFired(timer)) }
      case .cancelTimer(let timer): timers.reload[timer] = nil
      case .look:
        let set = setup.reader.set
        submit { .mark(set.mark()) }
      case .check(let mark): check(ifStill: mark)
      case .lookAtFrames: checkFrames()
      case .swap(let revision): swap(to: revision.number)
      case .refresh(let revision): refresh(to: revision.number)
      case .keep(let revision): keep(revision.number)
      case .forgetAttempts: forgetStick()
      case .rollBack(let from, let to, let reason): rollBack(from: from.number, to: to.number, reason)
      case .tell(let status): report(status)
      }
    }
  }

  func submit(_ work: @escaping @Sendable () -> Answer?) {
    worker.submit { [mailbox] in if let answer = work() { mailbox?.post(answer) } }
  }

  private func check(ifStill mark: FilesMark?) {
    let (reader, number) = numberedReader()
    let playing = Set(active?.items.values.flatMap { $0.all.map(\.uri) } ?? [])
    submit {
      if let mark {
        let now = reader.set.mark()
        guard now == mark else { return .mark(now) }
      }
      do throws(ConfigurationRefusal) {
        let (revision, problem) = try reader.candidate(number: number, playing: playing)
        return .read(.success(revision), probe: problem)
      } catch {
        return .read(.failure(error), probe: nil)
      }
    }
  }

  private func checkFrames() {
    screenChanged()
    // One awake screen without frames is enough to doubt the settings; sleeping screens give no verdict.
    let verdicts = (screens?.all ?? []).compactMap { $0.framesVerdict() }
    feed(verdicts.isEmpty ? .framesUnknown : .framesLooked(isGood: !verdicts.contains(false)))
  }

  private func swap(to number: Int) {
    guard let revision = revisions[number] else { return }
    revisions.use(revision)
    if let store = setup.directories.state, revision.stick == nil,
      revision.textFingerprint != revisions.confirmed?.textFingerprint
    {
      let trial = ConfigurationTrial(fingerprint: revision.textFingerprint, attempts: 1)
      submit { Self.saveTrial(trial, of: .files, in: store) }
    }
    follow(revision)
  }

  private func keep(_ number: Int) {
    guard let revision = revisions[number] ?? active else { return }
    revisions.confirm(revision)
    // A revision that was kept already has no texts left.
    guard let sources = revision.texts.consume(), let store = setup.directories.state else { return }
    sticks.keepOnly(revision.paths)
    submit {
      do throws(FileError) {
        try store.keep(sources)
        return nil
      } catch {
        return .unkept("\(store.directory): the last good configuration can't be kept: \(error)")
      }
    }
  }

  private func rollBack(from failed: Int, to target: Int, _ reason: String) {
    if let store = setup.directories.state, let failed = revisions[failed] ?? active {
      let trial = ConfigurationTrial(
        fingerprint: failed.trialFingerprint, attempts: ConfigurationTrial.mostAttempts, rejection: reason)
      let subject = failed.trialSubject
      submit { Self.saveTrial(trial, of: subject, in: store) }
    }
    guard let revision = revisions[target] ?? revisions.confirmed else { return }
    revisions.use(revision)
    follow(revision)
  }

  /// Forgets the starts with a stick: it has passed its trial.
  private func forgetStick() {
    guard let store = setup.directories.state else { return }
    submit { Self.written(in: store) { () throws(FileError) in try store.forget(.stick) } }
  }

  private static func saveTrial(
    _ trial: ConfigurationTrial, of subject: ConfigurationTrial.Subject, in store: LastGoodStore
  ) -> Answer? {
    written(in: store) { () throws(FileError) in try store.saveTrial(trial, of: subject) }
  }

  private static func written(in store: LastGoodStore, _ write: () throws(FileError) -> Void) -> Answer? {
    do throws(FileError) {
      try write()
      return nil
    } catch {
      return .unkept("\(store.directory): the configuration on trial can't be noted: \(error)")
    }
  }

  // MARK: Status

  private func report(_ status: ReloadStatus) {
    switch status {
    case .candidate, .unconfirmed: revisions.isProven = false
    case .confirmed, .rolledBack: revisions.isProven = true
    case .refused, .unchanged: break
    }
    switch status {
    case .candidate:
      log.notice("configuration: on trial")
      saveState(.candidate, nil)
    case .confirmed:
      log.notice("configuration: confirmed")
      saveState(.confirmed, nil)
    case .refused(let reason):
      log.error("the old configuration stays in use\(files.isListed ? "" : ": \(reason)")")
      files.refusal = reason
      saveState(.refused, reason)
      say(VisitorText(.configurationRefused))
    case .rolledBack(_, let reason):
      log.error("configuration: rolled back: \(reason)")
      saveState(.rolledBack, reason)
      say(VisitorText(.configurationRolledBack, ["reason": .detail(reason)]))
    case .unconfirmed(let reason):
      log.error("configuration: not confirmed, and there is no earlier one to go back to: \(reason)")
      saveState(.unconfirmed, reason)
    case .unchanged:
      log.notice("configuration: unchanged")
      saveState(revisions.isProven ? .confirmed : .candidate, nil)
    }
  }

  /// Notes the verdict on the files of the last reading. If these were refused, the configuration in use is another
  /// one, and the end of its trial must not replace their verdict.
  private func saveState(_ state: ConfigurationState, _ reason: String?) {
    let new = ConfigurationStateFile.State(
      state: files.refusal == nil ? state : .refused, reason: files.refusal ?? reason, active: active?.textFingerprint,
      files: files.fingerprint, screen: screens?.presence ?? .none, readings: files.count,
      sources: active?.paths ?? [])
    told.replace(by: new, at: .monotonicNow)
    write()
  }

  private func write() {
    guard let directory = setup.directories.runtime else { return }
    submit { [file = told.file] in
      ConfigurationStateFile(directory: directory).write(file)
      return nil
    }
  }

  private func say(_ message: VisitorText) {
    screens?.say(message)
    timers.message = loop.after(Self.messageTime) { [weak screens] in screens?.say(nil) }
  }
}

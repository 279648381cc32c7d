internal import ConfigurationFiles
internal import Logging
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

/// What a session asks of its owner. Called on the loop.
protocol ConfigurationSessionOwner: AnyObject {
  /// Another configuration is in place: all of it holds from now on, with what its schedule says. The one step by which that
  /// happens.
  func session(_ session: ConfigurationSession, applies revision: ConfigurationRevision, _ decision: ScheduleDecision)
  /// The schedule says something else, by the same configuration.
  func session(_ session: ConfigurationSession, follows decision: ScheduleDecision, of revision: ConfigurationRevision)
  /// The schedule has the screen on, or off.
  func session(_ session: ConfigurationSession, wantsScreenOn isOn: Bool)
  /// Whether pictures have come since the last time this was asked; nil when none are expected.
  func sessionAsksForFrames() -> Bool?
  /// Whether there is a screen, and whether it is on.
  func sessionAsksForScreen() -> KioskStatus.Screen.Presence
  /// Something that whoever stands before the screen should know of; nil when it is over.
  func session(_ session: ConfigurationSession, says message: String?)
}

/// The shell around reload and schedule: watches files, reads them off the loop, and hands over what plays. It decides
/// nothing: see `ReloadMachine` and `ScheduleMachine`. Confined to the loop's thread.
final class ConfigurationSession {
  let setup: ConfigurationSetup
  let loop: EventLoop
  let log: Logger
  private let worker = BlockingWorker()
  weak var owner: (any ConfigurationSessionOwner)?
  private var mailbox: Mailbox<Answer>?
  private var watch: DirectoryWatch?
  private var machine: ReloadMachine
  var schedule: ScheduleMachine?
  private var timers: [ReloadMachine.Timer: EventSource] = [:]
  var scheduleTimer: EventSource?
  /// A board without a clock of its own has the wrong list until the network has set it: no longer than that.
  private var clockWatch: ClockWatch?
  private var messageTimer: EventSource?
  /// Those that the machine may still name.
  var revisions: [Int: ConfigurationRevision] = [:]
  var active: ConfigurationRevision?
  var confirmed: ConfigurationRevision?
  /// The files as they were read last.
  private var filesFingerprint: String?
  /// Why those aren't used; nil when they are, or may yet be.
  private var filesRefusal: String?
  /// What was told last.
  private var told = ConfigurationStateFile.State()
  /// When what plays began to; nil before that.
  private(set) var activeSince: Instant?
  /// Whether what plays has proven itself.
  private var isProven = false
  private let sticks: StickSession
  let media: MediaSession
  private var hasToldUnkept = false
  /// Where media of the files were looked for that aren't used because there were none.
  var refusedPlaces: MediaPlaces?
  /// How often they have been read, for the state file.
  private var readings = 0
  /// What is wrong with the files that are refused has been written to the log, line by line.
  private var isListed = false
  var nextNumber = ConfigurationBoot.nextNumber

  /// How long whoever stands before the screen is told.
  private static let messageTime: Duration = .seconds(10)

  /// What comes back from the worker.
  enum Answer: Sendable {
    case mark(FilesMark)
    case read(Result<ConfigurationRevision, ConfigurationRefusal>, probe: String?)
    case refreshed(ConfigurationRevision?)
    /// The files are others than those that were read at the start.
    case changedMeanwhile
    /// Something can't be written where the state is kept.
    case unkept(String)
  }

  init(_ setup: ConfigurationSetup, on loop: EventLoop, owner: any ConfigurationSessionOwner, log: Logger) {
    self.setup = setup
    self.loop = loop
    self.owner = owner
    self.log = log
    machine = ReloadMachine(policy: setup.policy)
    sticks = StickSession(setup.reader.copies, on: loop, log: log)
    media = MediaSession(on: loop)
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { answer in reference.value?.takeAnswer(answer) }
  }

  func start() {
    watch = DirectoryWatch(setup.reader.set.folders, on: loop) { [weak self] event in self?.takeFolderEvent(event) }
    if watch == nil {
      log.warning("changes of the configuration aren't noticed: the system has no inotify watch to give")
    }
    // What was written after the files were read, and before they were watched.
    let (set, mark) = (setup.reader.set, setup.boot.mark)
    submit { mark == nil || set.mark() == mark ? nil : .changedMeanwhile }
    sticks.onChange = { [weak self] folder in self?.feed(.fileChanged(folder)) }
    sticks.onMessage = { [weak self] message in self?.say(message) }
    media.onChange = { [weak self] in self?.mediaChanged() }
    clockWatch = ClockWatch(on: loop, jumped: { [weak self] in self?.lookAtClock() })
    let boot = setup.boot
    confirmed = boot.lastGood
    if let lastGood = boot.lastGood {
      revisions[lastGood.number] = lastGood
      machine.adoptConfirmed(lastGood.revision)
    }
    filesFingerprint = boot.refusal.map(\.filesFingerprint) ?? boot.active?.filesFingerprint
    if let refused = boot.refusal?.places, !refused.isEmpty { refusedPlaces = refused }
    guard let first = boot.active else {
      followMedia()
      return noteState(.none, boot.refusal?.reason)
    }
    revisions[first.number] = first
    active = first
    sticks.follow(first)
    if boot.isConfirmed { confirmed = first }
    // They are what was kept, or nothing keeps them.
    if boot.isConfirmed || setup.directories.state == nil { _ = first.texts.take() }
    isProven = boot.refusal != nil
    perform(
      machine.handle(
        .booted(first.revision, isConfirmed: boot.isConfirmed, isStandIn: boot.refusal != nil), at: .monotonicNow))
    if let refusal = boot.refusal {
      log.error("the last good configuration is used: \(refusal.reason)")
      noteState(.rolledBack, refusal.reason)
      say("The configuration can't be used; the last good one plays.")
    }
    follow(first)
  }

  func stop() {
    watch = nil
    timers = [:]
    scheduleTimer = nil
    clockWatch = nil
    messageTimer = nil
    sticks.stop()
    media.stop()
    mailbox?.close()
    worker.finish()
  }

  /// Somebody asked for the files to be read again.
  func reload() { feed(.reloadRequested) }

  /// An item failed. One that played before the change is no fault of the change.
  func itemFailed(_ item: MediaItem, _ error: VitrineError) {
    let isOld = confirmed?.items.values.contains { $0.all.contains { $0.uri == item.uri } } ?? false
    if !item.isRemote, !isOld { feed(.itemBroken(error.line)) }
  }

  /// The screen that the settings in use ask for can't be had.
  func screenFailed(_ error: VitrineError) { feed(.screenBroken(error.line)) }

  /// A screen has come, or gone, or was switched: what is told of it follows.
  func screenChanged() {
    guard let owner else { return }
    let screen = owner.sessionAsksForScreen()
    guard screen != told.screen else { return }
    // Nothing else: files may have been read on which there is no word yet.
    told.screen = screen
    write()
  }

  /// As the state file has it.
  var status: KioskStatus.Configuration {
    var status = KioskStatus.Configuration(
      state: told.state, reason: told.reason, files: active?.paths ?? [], readings: told.readings)
    status.hash = told.active
    return status
  }

  /// Whether what plays may yet be rolled back.
  var canRollBack: Bool { machine.canRollBack }

  // MARK: Facts

  func feed(_ event: ReloadMachine.Event) { perform(machine.handle(event, at: .monotonicNow)) }

  private func takeFolderEvent(_ event: DirectoryWatch.Event) {
    switch event {
    case .writing(let path): if setup.reader.set.concerns(path) { feed(.fileChanging(path)) }
    case .settled(let path):
      // A folder as a whole, or a file in it.
      if setup.reader.set.concerns(path) || setup.reader.set.folders.contains(path) { feed(.fileChanged(path)) }
    }
  }

  private func takeAnswer(_ answer: Answer) {
    switch answer {
    case .mark(let mark): feed(.looked(mark))
    case .changedMeanwhile: feed(.fileChanged(setup.reader.set.main))
    case .unkept(let line):
      // Once: the disk stays as it is, and what plays isn't touched by it.
      guard !hasToldUnkept else { break }
      hasToldUnkept = true
      log.warning("\(line); it is remembered until the player ends")
    case .read(.failure(let refusal), _):
      readings += 1
      for line in ToldLines.of(refusal.lines) { log.error("\(line)") }
      filesFingerprint = refusal.filesFingerprint
      refusedPlaces = refusal.places.isEmpty ? nil : refusal.places
      followMedia()
      isListed = !refusal.lines.isEmpty
      feed(.checked(.refused(refusal.reason)))
      isListed = false
    case .read(.success(let revision), let probe):
      readings += 1
      filesFingerprint = revision.filesFingerprint
      refusedPlaces = nil
      sticks.follow(revision)
      if let probe { return feed(.checked(.refused(probe))) }
      filesRefusal = nil
      for remark in ToldLines.of(revision.remarks) { log.notice("\(remark)") }
      for problem in ToldLines.of(revision.problems.map(\.line)) { log.error("\(problem)") }
      revisions[revision.number] = revision
      feed(.checked(.usable(revision.revision)))
      forgetOthers()
    case .refreshed(let revision):
      guard let revision else { break }
      revisions[revision.number] = revision
      feed(.mediaFound(revision.revision))
      forgetOthers()
    }
  }

  // MARK: Commands

  private func perform(_ actions: [ReloadMachine.Action]) {
    for action in actions {
      switch action {
      case .startTimer(let timer, let delay):
        timers[timer] = loop.after(delay) { [weak self] in self?.feed(.timerFired(timer)) }
      case .cancelTimer(let timer): timers[timer] = nil
      case .look:
        let set = setup.reader.set
        submit { .mark(set.mark()) }
      case .check: check()
      case .lookAtFrames: lookAtFrames()
      case .swap(let revision): swap(to: revision.number)
      case .refresh(let revision): refresh(to: revision.number)
      case .keep(let revision): keep(revision.number)
      case .forgetAttempts: forgetStick()
      case .rollBack(let from, let to, let reason): rollBack(from: from.number, to: to.number, reason)
      case .tell(let status): tell(status)
      }
    }
  }

  func submit(_ work: @escaping @Sendable () -> Answer?) {
    worker.submit { [mailbox] in if let answer = work() { mailbox?.post(answer) } }
  }

  private func check() {
    let (reader, number) = numberedReader()
    let playing = Set(active?.items.values.flatMap { $0.all.map(\.uri) } ?? [])
    submit {
      do throws(ConfigurationRefusal) {
        let (revision, problem) = try reader.candidate(number: number, playing: playing)
        return .read(.success(revision), probe: problem)
      } catch {
        return .read(.failure(error), probe: nil)
      }
    }
  }

  private func lookAtFrames() {
    screenChanged()
    guard let isGood = owner?.sessionAsksForFrames() else { return feed(.framesUnknown) }
    feed(.framesLooked(isGood: isGood))
  }

  private func swap(to number: Int) {
    guard let revision = revisions[number] else { return }
    active = revision
    if let store = setup.directories.state, revision.stick == nil,
      revision.textFingerprint != confirmed?.textFingerprint
    {
      let trial = ConfigurationTrial(fingerprint: revision.textFingerprint, attempts: 1)
      submit { Self.noteTrial(trial, of: .files, in: store) }
    }
    follow(revision)
  }

  private func keep(_ number: Int) {
    guard let revision = revisions[number] ?? active else { return }
    confirmed = revision
    // None are left of one that is kept already.
    guard let sources = revision.texts.take(), let store = setup.directories.state else { return }
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
      submit { Self.noteTrial(trial, of: subject, in: store) }
    }
    guard let revision = revisions[target] ?? confirmed else { return }
    active = revision
    follow(revision)
  }

  /// A stick has proven itself: the starts with it don't count against it.
  private func forgetStick() {
    guard let store = setup.directories.state else { return }
    submit { Self.written(in: store) { () throws(FileError) in try store.forget(.stick) } }
  }

  private static func noteTrial(
    _ trial: ConfigurationTrial, of subject: ConfigurationTrial.Subject, in store: LastGoodStore
  ) -> Answer? {
    written(in: store) { () throws(FileError) in try store.noteTrial(trial, of: subject) }
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

  private func tell(_ status: ReloadStatus) {
    switch status {
    case .candidate, .unconfirmed: isProven = false
    case .confirmed, .rolledBack: isProven = true
    case .refused, .unchanged: break
    }
    switch status {
    case .candidate:
      log.notice("configuration: on trial")
      noteState(.candidate, nil)
    case .confirmed:
      log.notice("configuration: confirmed")
      noteState(.confirmed, nil)
    case .refused(let reason):
      log.error("the old configuration stays in use\(isListed ? "" : ": \(reason)")")
      filesRefusal = reason
      noteState(.refused, reason)
      say("The new configuration has errors; the old one stays in use.")
    case .rolledBack(_, let reason):
      log.error("configuration: rolled back: \(reason)")
      noteState(.rolledBack, reason)
      say("The new configuration was rolled back: \(reason)")
    case .unconfirmed(let reason):
      log.error("configuration: not confirmed, and there is none to go back to: \(reason)")
      noteState(.unconfirmed, reason)
    case .unchanged:
      log.notice("configuration: unchanged")
      noteState(isProven ? .confirmed : .candidate, nil)
    }
  }

  /// The word is on the files as they were read last. What plays may be another configuration, whose own trial ends after
  /// they were refused: that is no word on them.
  private func noteState(_ state: ConfigurationState, _ reason: String?) {
    let active = active?.textFingerprint
    if active != told.active { activeSince = active == nil ? nil : .monotonicNow }
    told = ConfigurationStateFile.State(
      state: filesRefusal == nil ? state : .refused, reason: filesRefusal ?? reason, active: active,
      files: filesFingerprint, screen: owner?.sessionAsksForScreen() ?? .none, readings: readings,
      sources: self.active?.paths ?? [])
    write()
  }

  private func write() {
    guard let directory = setup.directories.runtime else { return }
    submit { [told] in
      ConfigurationStateFile(directory: directory).write(told)
      return nil
    }
  }

  private func say(_ message: String) {
    owner?.session(self, says: message)
    messageTimer = loop.after(Self.messageTime) { [weak self] in
      guard let self else { return }
      owner?.session(self, says: nil)
    }
  }
}

public import PlaybackCore

/// Every number of a reload, with its reason.
public struct ReloadPolicy: Hashable, Sendable {
  /// Files must not have changed for this long before they are read: a script that copies several is done by then.
  public var quiet: Duration = .milliseconds(500)
  /// A file that was written to and not closed is being written. After this long without another byte its writer is taken
  /// for dead: a copy over a bad link stalls for seconds, not for half a minute.
  public var writerLimit: Duration = .seconds(30)
  /// Good frames for this long confirm a configuration. Long enough for the first item to fail.
  public var confirmAfter: Duration = .seconds(10)
  /// A configuration that isn't confirmed in this time, including buffering and a screen that comes up late, is rolled
  /// back.
  public var trialLimit: Duration = .seconds(60)
  /// How often frames are looked at during a trial.
  public var healthInterval: Duration = .seconds(1)
  /// The interval while the screen sleeps or is unplugged and frames can't be seen. A board that sleeps all night with
  /// a new configuration mustn't wake every second; the confirmation comes this much later after the screen wakes.
  public var unknownInterval: Duration = .seconds(4)

  public init() {}
}

/// Carries a change of the configuration from the first byte on disk to its confirmation, or back.
///
/// Two activities run side by side. Reading: idle -> settling -> checking -> idle. Trial: none -> trying -> none; a
/// trial ends confirmed, rolled back, or replaced by the next candidate. The target of a roll-back is always the last
/// confirmed revision, never a candidate. A configuration is applied as a whole or not at all: the shell swaps whole
/// configurations, by number.
public struct ReloadMachine: Sendable {
  public enum Event: Hashable, Sendable {
    /// The program runs with this revision. A stand-in replaces files that are refused; its owner reports the refusal.
    case booted(Revision, isConfirmed: Bool, isStandIn: Bool = false)
    /// A program is writing to a file of the configuration.
    case fileChanging(String)
    /// A file of the configuration was closed after writing, renamed, or removed.
    case fileChanged(String)
    /// A user asked for a reload: the files are read without waiting for them to settle.
    case reloadRequested
    case timerFired(Timer)
    /// The answer to `look`, and to `check` where the files have changed since they settled.
    case looked(FilesMark)
    /// The answer to `check`.
    case checked(Verdict)
    /// The listed media have changed; the texts haven't. No trial follows: media of a folder that can't be played are
    /// skipped, as at a start.
    case mediaFound(Revision)
    /// The answer to `lookAtFrames`: whether pictures have been coming since the last look.
    case framesLooked(isGood: Bool)
    /// The answer to `lookAtFrames` while no pictures are expected: there is no screen, or playback is paused. This
    /// time doesn't count.
    case framesUnknown
    /// Something that only the configuration on trial lists can't be played.
    case itemBroken(String)
    /// The screen that the configuration on trial names can't be opened, and the configuration before had one.
    case screenBroken(String)
  }

  public enum Action: Hashable, Sendable {
    case startTimer(Timer, after: Duration)
    case cancelTimer(Timer)
    /// Answer with the sizes and times of the files.
    case look
    /// Read, validate and probe off the loop, and answer with a verdict. Where files have settled, compare them with this
    /// mark first, on the same thread, and if they differ, answer with theirs instead.
    case check(ifStill: FilesMark? = nil)
    /// Play by this revision from now on; the current item goes on if it is still listed.
    case swap(Revision)
    /// Go on with the same configuration and the media of this revision.
    case refresh(Revision)
    /// Answer whether frames are good.
    case lookAtFrames
    /// Keep this revision as the last good one.
    case keep(Revision)
    /// This revision belongs to a stick, and is good: reset its count of starts. Nothing is kept.
    case forgetAttempts(Revision)
    /// Note that this revision isn't to be tried again, and play by `to`.
    case rollBack(from: Revision, to: Revision, reason: String)
    case tell(ReloadStatus)
  }

  public enum Timer: Hashable, Sendable { case settle, frames }

  /// The result of checking the files.
  public enum Verdict: Hashable, Sendable {
    case usable(Revision)
    /// With the reason in one line.
    case refused(String)
  }

  /// One set of texts.
  public struct Revision: Hashable, Sendable {
    public var number: Int
    /// A hash of the texts and the media that they list.
    public var fingerprint: String
    /// A hash of the texts alone.
    public var texts: String
    /// Whether the revision belongs to a stick, which may be pulled at any moment: the player never rolls back to it.
    public var isTransient: Bool
    /// - Parameter texts: nil if it equals the fingerprint.
    public init(number: Int, fingerprint: String, texts: String? = nil, isTransient: Bool = false) {
      self.number = number
      self.fingerprint = fingerprint
      self.texts = texts ?? fingerprint
      self.isTransient = isTransient
    }
  }

  enum Reading: Hashable, Sendable {
    case idle
    /// Waits until the files settle; holds their state at the last look.
    case settling(FilesMark?)
    /// The shell reads, if the files still have this mark; nil where it reads without waiting. Files that change meanwhile
    /// are read again.
    case checking(FilesMark?, isStale: Bool)
  }

  struct Trial: Hashable, Sendable {
    var revision: Revision
    var begun: Instant
    var good: Duration = .zero
    /// The time between the last look and the next.
    var looksAfter: Duration
  }

  let policy: ReloadPolicy
  var reading = Reading.idle
  var trial: Trial?
  var active: Revision?
  private var confirmed: Revision?
  /// Files that are being written, each with its last sign of life.
  private var writers: [String: Instant] = [:]
  private var now = Instant(nanoseconds: 0)
  private var actions: [Action] = []

  public init(policy: ReloadPolicy = ReloadPolicy()) { self.policy = policy }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    self.now = now
    switch event {
    case .booted(let revision, let isConfirmed, let isStandIn):
      boot(revision, isConfirmed: isConfirmed, isStandIn: isStandIn)
    case .fileChanging(let name):
      writers[name] = now
      changeSeen()
    case .fileChanged(let name):
      writers[name] = nil
      changeSeen()
    case .reloadRequested:
      switch reading {
      case .checking(let mark, _): reading = .checking(mark, isStale: true)
      case .settling:
        actions.append(.cancelTimer(.settle))
        check()
      case .idle: check()
      }
    case .timerFired(.settle): settled()
    case .timerFired(.frames): if trial != nil { actions.append(.lookAtFrames) }
    case .looked(let mark): looked(mark)
    case .checked(let verdict): checked(verdict)
    case .mediaFound(let revision): mediaFound(revision)
    case .framesLooked(let isGood): framesLooked(isGood: isGood)
    case .framesUnknown:
      guard var current = trial else { break }
      current.begun = current.begun + current.looksAfter
      current.looksAfter = policy.unknownInterval
      trial = current
      actions.append(.startTimer(.frames, after: policy.unknownInterval))
    case .itemBroken(let reason):
      // A stick may hold any file: a bad one among good ones is skipped. Only a lack of frames rolls a stick back.
      if let trial, !trial.revision.isTransient { rollBack("an item of it can't be played: \(reason)") }
    case .screenBroken(let reason): if canRollBack { rollBack("its screen can't be opened: \(reason)") }
    }
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    defer { actions = [] }
    return actions
  }

  private mutating func boot(_ revision: Revision, isConfirmed: Bool, isStandIn: Bool) {
    active = revision
    if isConfirmed {
      confirmed = revision
      // Not even for a moment: a reader would take it for the state of the refused files.
      if !isStandIn { actions.append(.tell(.confirmed(revision))) }
    } else {
      begin(revision)
    }
  }

  /// Sets the revision to roll back to although it doesn't play: the one kept on disk.
  public mutating func adoptConfirmed(_ revision: Revision) { confirmed = revision }

  /// Whether the playing revision is on trial and has a better one to roll back to: nothing of it is final yet.
  public var canRollBack: Bool {
    guard let trial, let confirmed else { return false }
    return confirmed.fingerprint != trial.revision.fingerprint
  }

  // MARK: Reading

  private mutating func changeSeen() {
    switch reading {
    case .idle:
      // Looked at now, one file that was renamed into its place is known to be quiet after the first pause.
      reading = .settling(nil)
      actions.append(.look)
    case .settling: actions.append(.startTimer(.settle, after: policy.quiet))
    case .checking(let mark, _): reading = .checking(mark, isStale: true)
    }
  }

  /// No change was reported for a while.
  private mutating func settled() {
    guard case .settling(let mark) = reading else { return }
    writers = writers.filter { now - $0.value < policy.writerLimit }
    guard writers.isEmpty else { return actions.append(.startTimer(.settle, after: policy.quiet)) }
    if let mark { check(ifStill: mark) } else { actions.append(.look) }
  }

  /// Waits until the files haven't changed since this mark. A late answer changes nothing about a reading that doesn't wait.
  private mutating func looked(_ mark: FilesMark) {
    switch reading {
    case .idle, .checking(nil, _): return
    case .checking(let settled, _) where settled == mark: return
    case .checking, .settling:
      reading = .settling(mark)
      actions.append(.startTimer(.settle, after: policy.quiet))
    }
  }

  private mutating func check(ifStill mark: FilesMark? = nil) {
    reading = .checking(mark, isStale: false)
    actions.append(.check(ifStill: mark))
  }

  private mutating func checked(_ verdict: Verdict) {
    guard case .checking(_, let isStale) = reading else { return }
    reading = .idle
    guard !isStale else { return changeSeen() }
    switch verdict {
    case .refused(let reason): actions.append(.tell(.refused(reason)))
    case .usable(let revision):
      guard revision.fingerprint != active?.fingerprint else { return actions.append(.tell(.unchanged)) }
      active = revision
      actions.append(.swap(revision))
      if revision.fingerprint == confirmed?.fingerprint {
        // Back to the confirmed configuration: it needs no trial.
        endTrial()
        confirmed = revision
        actions += [.keep(revision), .tell(.confirmed(revision))]
      } else {
        begin(revision)
      }
    }
  }

  private mutating func mediaFound(_ revision: Revision) {
    guard let known = active, known.texts == revision.texts, known.fingerprint != revision.fingerprint else { return }
    active = revision
    trial?.revision = revision
    if confirmed?.texts == revision.texts { confirmed = revision }
    actions.append(.refresh(revision))
  }

  // MARK: Trial

  private mutating func begin(_ revision: Revision) {
    trial = Trial(revision: revision, begun: now, looksAfter: policy.healthInterval)
    actions += [.tell(.candidate(revision)), .startTimer(.frames, after: policy.healthInterval)]
  }

  private mutating func framesLooked(isGood: Bool) {
    guard var current = trial else { return }
    // Good in one piece: a picture that comes and goes proves nothing.
    current.good = isGood ? current.good + policy.healthInterval : .zero
    current.looksAfter = policy.healthInterval
    trial = current
    if current.good >= policy.confirmAfter {
      endTrial()
      if current.revision.isTransient {
        actions.append(.forgetAttempts(current.revision))
      } else {
        confirmed = current.revision
        actions.append(.keep(current.revision))
      }
      actions.append(.tell(.confirmed(current.revision)))
    } else if now - current.begun >= policy.trialLimit {
      rollBack(
        "no \(policy.confirmAfter.components.seconds) s of good frames in \(policy.trialLimit.components.seconds) s")
    } else {
      actions.append(.startTimer(.frames, after: policy.healthInterval))
    }
  }

  private mutating func rollBack(_ reason: String) {
    guard let failed = trial?.revision else { return }
    endTrial()
    guard let target = confirmed, target.fingerprint != failed.fingerprint else {
      // There is no better configuration: this one goes on, and may still be confirmed.
      actions.append(.tell(.unconfirmed(reason)))
      return begin(failed)
    }
    active = target
    actions += [.rollBack(from: failed, to: target, reason: reason), .tell(.rolledBack(to: target, reason: reason))]
  }

  private mutating func endTrial() {
    guard trial != nil else { return }
    trial = nil
    actions.append(.cancelTimer(.frames))
  }
}

/// The inode, size and date of each file of a configuration: equal as long as no file changes.
public struct FilesMark: Hashable, Sendable {
  public struct File: Hashable, Sendable {
    public var path: String
    public var inode: UInt64
    public var size: Int64
    public var modified: Int64
    public init(path: String, inode: UInt64, size: Int64, modified: Int64) {
      self.path = path
      self.inode = inode
      self.size = size
      self.modified = modified
    }
  }
  public var files: [File]
  public init(_ files: [File]) { self.files = files }
}

/// The state of a reload, for the log, the status file and the screen.
public enum ReloadStatus: Hashable, Sendable {
  /// The candidate plays, and has yet to show frames for long enough.
  case candidate(ReloadMachine.Revision)
  case confirmed(ReloadMachine.Revision)
  /// The files have errors; the previous configuration plays on.
  case refused(String)
  case rolledBack(to: ReloadMachine.Revision, reason: String)
  /// The candidate didn't show frames for long enough, and there is no other configuration to go back to.
  case unconfirmed(String)
  /// The files equal the configuration that plays.
  case unchanged
}

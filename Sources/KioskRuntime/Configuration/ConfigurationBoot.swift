public import ConfigurationFiles
internal import FileSystem
internal import KioskCore
internal import PlaybackCore
public import PlaylistConfig

/// The folders that the program writes: for state that survives a loss of power, and for files that scripts read.
public struct ConfigurationDirectories: Sendable {
  /// The last good configuration and the notes on trials; nil when no folder can be read for it.
  public var state: LastGoodStore?
  /// The folder of the state file and the control socket; nil when it can't be written.
  public var runtime: String?
  /// The usual folder for copies of remote items; the configuration may name another. Nil where the only place would be
  /// memory.
  public var copies: String?
  /// The folder for small pictures of films; nil where the only place would be memory.
  public var posters: String?
  /// The folder for state that survives a loss of power; nil where it doesn't exist.
  public var lasting: String?

  /// systemd names the folders (StateDirectory=, RuntimeDirectory=); without it, the usual ones are taken. A state
  /// folder that can't be written is still read, and new state goes to the runtime folder. `isOurs` is false for a
  /// configuration that isn't the board's own: its state must not mix with the board's.
  public init(environment: [String: String], isOurs: Bool) {
    // systemd separates several folders by colons; the first is the one meant here.
    func named(_ variable: String) -> String? {
      environment[variable]?.split(separator: ":").first.map(String.init)
    }
    let runtime = named("RUNTIME_DIRECTORY") ?? (isOurs ? "/run/vitrine" : nil)
    if let runtime, LastGoodStore.canWrite(runtime) { self.runtime = runtime }
    let lasting = named("STATE_DIRECTORY") ?? (isOurs ? "/var/lib/vitrine" : nil)
    self.lasting = lasting
    // A failing card is read-only, but copies on it can still be read.
    if let lasting, LastGoodStore.canWrite(lasting) || FileTree.canRead("\(lasting)/store") {
      copies = "\(lasting)/store"
    }
    if let lasting, LastGoodStore.canWrite(lasting) || FileTree.canRead("\(lasting)/posters") {
      posters = "\(lasting)/posters"
    }
    state = LastGoodStore(lasting: lasting, passing: self.runtime)
  }
}

/// The configuration that a run begins with.
public struct ConfigurationBoot: Sendable {
  /// Nil when no configuration can be used, not even an earlier one: the screen shows an error card.
  public var active: ConfigurationRevision?
  /// Whether `active` was confirmed in an earlier run.
  public var isConfirmed = false
  /// The configuration that a failed trial is rolled back to.
  public var lastGood: ConfigurationRevision?
  /// The errors in the files, a line each; empty for files without errors.
  public var problems: [String] = []
  /// The reason why the files aren't used; nil when they are.
  public var refusal: ConfigurationRefusal?

  /// The files' sizes and times just before they were read; nil when they weren't read.
  var mark: FilesMark?

  /// Numbers of revisions at the start.
  private static let (lastGoodNumber, firstNumber) = (0, 1)
  /// The number of the first revision that is read after the start.
  static let nextNumber = 2

  /// Chooses the files if they can be used and haven't failed a trial, else the last good configuration, else none. A
  /// stick that failed its trial is left out by the reader. Blocks.
  ///
  /// - Parameter isSafe: takes the last good configuration instead of files that differ from it, because those may be
  ///   the cause of the crashes.
  public init(reader: ConfigurationReader, store: LastGoodStore?, isSafe: Bool = false) {
    mark = reader.set.mark()
    let kept = store?.lastGood()
    var hasRevived = false
    func revived() -> ConfigurationRevision? {
      hasRevived = true
      return kept.flatMap { reader.revive($0, number: Self.lastGoodNumber) }
    }
    if let store { Self.judgeStick(store) }
    do throws(ConfigurationRefusal) {
      let revision = try reader.read(number: Self.firstNumber)
      let fingerprint = revision.textFingerprint
      // Nearly always the files equal the last good configuration. Then a long list isn't read and held twice.
      if revision.stick == nil, let kept, ConfigurationSource.fingerprint(of: kept) == fingerprint {
        lastGood = revision.asKept(number: Self.lastGoodNumber)
      } else {
        lastGood = revived()
      }
      if fingerprint == lastGood?.textFingerprint {
        (active, isConfirmed) = (revision, true)
        return
      }
      if isSafe, lastGood != nil { throw Self.safeMode(revision) }
      let trial = store?.trial(of: revision.trialSubject)
      if revision.stick == nil, let reason = trial?.rejection(of: fingerprint), lastGood != nil {
        throw ConfigurationRefusal(
          lines: [],
          error: VitrineError(
            ErrorNumber.configurationRejected.rawValue, subject: reader.set.main,
            message: "it was rolled back: \(reason)", remedy: "change the files"),
          filesFingerprint: revision.filesFingerprint)
      }
      try? store?.saveTrial(.begun(revision.trialFingerprint, after: trial), of: revision.trialSubject)
      active = revision
    } catch {
      if !hasRevived { lastGood = revived() }
      refusal = error
      problems = error.lines + [error.summary]
      (active, isConfirmed) = (lastGood, lastGood != nil)
    }
  }

  private static func safeMode(_ revision: ConfigurationRevision) -> ConfigurationRefusal {
    ConfigurationRefusal(
      lines: [],
      error: VitrineError(
        SurvivalErrors.safeMode, subject: revision.paths.first ?? "configuration",
        message: "it isn't used in safe mode, because it wasn't confirmed yet",
        remedy: "it is read again when safe mode is left, after ten good minutes"),
      filesFingerprint: revision.filesFingerprint)
  }

  /// Rejects a stick with which the player has ended too often, until the stick is pulled out. The note is written to
  /// disk, so that later readings in this run leave the stick out, too.
  private static func judgeStick(_ store: LastGoodStore) {
    guard var trial = store.trial(of: .stick), trial.rejection == nil,
      let reason = trial.rejection(of: trial.fingerprint)
    else { return }
    trial.rejection = reason
    try? store.saveTrial(trial, of: .stick)
  }
}

extension ConfigurationRevision {
  /// This revision as the last good one would be read from disk: the same texts, without the stick's content.
  fileprivate func asKept(number: Int) -> ConfigurationRevision {
    var kept = self
    kept.number = number
    kept.usb = configuration.usb
    (kept.contentToCopy, kept.stickRemarks, kept.filesFingerprint) = (nil, [], textFingerprint)
    return kept
  }

  /// Which kind of trial note belongs to this revision: the files' or the stick's.
  var trialSubject: ConfigurationTrial.Subject { stick == nil ? .files : .stick }

  /// The fingerprint that a trial note names. For a stick it leaves out the board's own files: a change of them doesn't
  /// clear the stick's record.
  var trialFingerprint: String {
    stick == nil ? textFingerprint : foreignFingerprint
  }
}

/// Everything that a run needs to know of the configuration.
public struct ConfigurationSetup: Sendable {
  public var reader: ConfigurationReader
  public var boot: ConfigurationBoot
  public var directories: ConfigurationDirectories
  public var policy: ReloadPolicy

  public init(
    reader: ConfigurationReader, boot: ConfigurationBoot, directories: ConfigurationDirectories,
    policy: ReloadPolicy = ReloadPolicy()
  ) {
    self.reader = reader
    self.boot = boot
    self.directories = directories
    self.policy = policy
  }
}

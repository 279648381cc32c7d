public import ConfigurationFiles
internal import FileSystem
internal import KioskCore
internal import PlaybackCore
public import PlaylistConfig

/// Where this program keeps things: what outlives a loss of power, and what scripts look at.
public struct ConfigurationDirectories: Sendable {
  /// Nil when there is nowhere to look.
  public var state: LastGoodStore?
  /// Nil when nothing can be told.
  public var runtime: String?
  /// Where copies of remote items are kept unless the configuration says otherwise; nil where that would fill memory.
  public var copies: String?
  /// The folder of what outlives a loss of power; nil where there is none.
  public var lasting: String?

  /// systemd says where (StateDirectory=, RuntimeDirectory=); without it, the usual places. Where the one for the state can't
  /// be written it is read all the same, and what comes anew goes to the other. `isOurs` is false for a configuration that isn't the board's own: what is
  /// kept would be mixed up with the board's.
  public init(environment: [String: String], isOurs: Bool) {
    // Several may be named, separated by colons; the first is ours.
    func named(_ variable: String) -> String? {
      environment[variable]?.split(separator: ":").first.map(String.init)
    }
    let runtime = named("RUNTIME_DIRECTORY") ?? (isOurs ? "/run/vitrine" : nil)
    if let runtime, LastGoodStore.canWrite(runtime) { self.runtime = runtime }
    let lasting = named("STATE_DIRECTORY") ?? (isOurs ? "/var/lib/vitrine" : nil)
    self.lasting = lasting
    // Reading copies needs no right to write: a card that fails can only be read.
    if let lasting, LastGoodStore.canWrite(lasting) || FileTree.canRead("\(lasting)/store") {
      copies = "\(lasting)/store"
    }
    state = LastGoodStore(lasting: lasting, passing: self.runtime)
  }
}

/// Which configuration a run begins with.
public struct ConfigurationBoot: Sendable {
  /// Nil when there is none at all: the screen says why.
  public var active: ConfigurationRevision?
  /// Whether it has been confirmed in an earlier run.
  public var isConfirmed = false
  /// What to go back to.
  public var lastGood: ConfigurationRevision?
  /// What is wrong with the files, a line each; empty when nothing is.
  public var problems: [String] = []
  /// Why the files aren't used; nil when they are.
  public var refusal: ConfigurationRefusal?

  /// What the files looked like before they were read; nil where nobody looked.
  var mark: FilesMark?

  /// Numbers of revisions at the start.
  private static let (lastGoodNumber, firstNumber) = (0, 1)
  /// What is read later counts from here.
  static let nextNumber = 2

  /// The files where they can be used and haven't proved bad; else what was good last; else nothing. A stick that has proved
  /// bad is left out by the reader. Blocks.
  ///
  /// - Parameter isSafe: what was good last goes before files that are others: they may be what the player dies of.
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
      // Nearly always the files are what was good last. A long list isn't read twice then, nor held twice.
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
      try? store?.noteTrial(.begun(revision.trialFingerprint, after: trial), of: revision.trialSubject)
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

  /// A stick that has ended the player as often as it may is rejected, until it is pulled out: what is written down holds for
  /// all readings of this run, so that the next one doesn't bring it back.
  private static func judgeStick(_ store: LastGoodStore) {
    guard var trial = store.trial(of: .stick), trial.rejection == nil,
      let reason = trial.rejection(of: trial.fingerprint)
    else { return }
    trial.rejection = reason
    try? store.noteTrial(trial, of: .stick)
  }
}

extension ConfigurationRevision {
  /// The same as what was kept of it says: its texts, and nothing of a stick.
  fileprivate func asKept(number: Int) -> ConfigurationRevision {
    var kept = self
    kept.number = number
    kept.usb = configuration.usb
    (kept.contentToCopy, kept.stickRemarks, kept.filesFingerprint) = (nil, [], textFingerprint)
    return kept
  }

  /// What a note on its trial is about.
  var trialSubject: ConfigurationTrial.Subject { stick == nil ? .files : .stick }

  /// The same for the same subject: a stick stays the same one when the board's own files change.
  var trialFingerprint: String {
    stick == nil ? textFingerprint : foreignFingerprint
  }
}

/// Everything about the configuration that a run is told.
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

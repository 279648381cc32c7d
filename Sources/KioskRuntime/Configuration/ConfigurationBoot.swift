internal import Glibc
internal import PlaybackCore
public import PlaylistConfig

/// Where this program keeps things: what outlives a loss of power, and what scripts look at.
public struct ConfigurationDirectories: Sendable {
  /// Nil when nothing can be kept.
  public var state: LastGoodStore?
  /// Nil when nothing can be told.
  public var runtime: String?
  /// Where copies of remote items are kept unless the configuration says otherwise; nil where that would fill memory.
  public var copies: String?

  /// systemd says where (StateDirectory=, RuntimeDirectory=); without it, the usual places, and the runtime directory for
  /// both where the other can't be written. `isOurs` is false for a configuration that isn't the board's own: what is
  /// kept would be mixed up with the board's.
  public init(environment: [String: String], isOurs: Bool) {
    // Several may be named, separated by colons; the first is ours.
    func named(_ variable: String) -> String? {
      environment[variable]?.split(separator: ":").first.map(String.init)
    }
    let runtime = named("RUNTIME_DIRECTORY") ?? (isOurs ? "/run/vitrine" : nil)
    if let runtime, LastGoodStore(directory: runtime).prepare() { self.runtime = runtime }
    let state = named("STATE_DIRECTORY") ?? (isOurs ? "/var/lib/vitrine" : nil)
    if let state, LastGoodStore(directory: state).prepare() { copies = "\(state)/store" }
    for directory in [state, self.runtime].compactMap(\.self) {
      let store = LastGoodStore(directory: directory)
      guard store.prepare() else { continue }
      self.state = store
      return
    }
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

  /// Numbers of revisions at the start.
  private static let (lastGoodNumber, firstNumber) = (0, 1)
  /// What is read later counts from here.
  static let nextNumber = 2

  /// The files where they can be used and haven't proved bad; else what was good last; else nothing. Blocks.
  public init(reader: ConfigurationReader, store: LastGoodStore?) {
    if let sources = store?.lastGood() {
      lastGood = try? reader.revive(sources, number: Self.lastGoodNumber)
    }
    do throws(ConfigurationRefusal) {
      let revision = try reader.read(number: Self.firstNumber)
      let fingerprint = revision.textFingerprint
      if fingerprint == lastGood?.textFingerprint {
        (active, isConfirmed) = (revision, true)
        return
      }
      let trial = store?.trial().flatMap { $0.fingerprint == fingerprint ? $0 : nil }
      if let reason = Self.rejection(of: trial), lastGood != nil {
        throw ConfigurationRefusal(
          lines: [],
          error: VitrineError(
            ErrorNumber.configurationRejected.rawValue, subject: reader.set.main,
            message: "it was rolled back: \(reason)", remedy: "change the files"),
          filesFingerprint: revision.filesFingerprint)
      }
      try? store?.note(LastGoodStore.Trial(fingerprint: fingerprint, attempts: (trial?.attempts ?? 0) + 1))
      active = revision
    } catch {
      refusal = error
      problems = error.lines + [error.error.line]
      (active, isConfirmed) = (lastGood, lastGood != nil)
    }
  }

  private static func rejection(of trial: LastGoodStore.Trial?) -> String? {
    guard let trial else { return nil }
    if let reason = trial.rejection { return reason }
    return trial.attempts >= LastGoodStore.attempts
      ? "the player ended \(trial.attempts) times before it was confirmed" : nil
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

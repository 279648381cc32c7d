internal import KioskCore
internal import PlaybackCore
internal import PlaylistConfig

/// The revisions of the configuration that the player knows.
struct KnownRevisions: Sendable {
  /// The revision in use; nil until there is one.
  private(set) var active: ConfigurationRevision?
  /// The revision to go back to.
  private(set) var confirmed: ConfigurationRevision?
  /// Whether the one in use has passed its trial.
  var isProven = false
  /// The revisions that `ReloadMachine` may still name, by number.
  private var listed: [Int: ConfigurationRevision] = [:]
  private var nextNumber = ConfigurationBoot.nextNumber

  init() {}

  init(_ boot: ConfigurationBoot) {
    if let lastGood = boot.lastGood { add(lastGood) }
    confirmed = boot.lastGood
    guard let first = boot.active else { return }
    add(first)
    active = first
    if boot.isConfirmed { confirmed = first }
    isProven = boot.refusal != nil
  }

  subscript(number: Int) -> ConfigurationRevision? { listed[number] }

  /// A number that no revision has had.
  mutating func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func add(_ revision: ConfigurationRevision) { listed[revision.number] = revision }

  mutating func use(_ revision: ConfigurationRevision) { active = revision }

  mutating func confirm(_ revision: ConfigurationRevision) { confirmed = revision }

  /// Forgets the revisions that neither play nor are a target of a rollback.
  mutating func forgetOthers() {
    let known = [active, confirmed].compactMap { $0?.number }
    listed = listed.filter { known.contains($0.key) }
  }
}

/// The configuration's files at their last reading.
struct FilesReading: Sendable {
  private(set) var fingerprint: String?
  /// The reason against them; nil when they are in use or on trial.
  var refusal: String?
  /// The folders and files to watch for media, if they were refused because they had no medium.
  private(set) var refusedPlaces: MediaPlaces?
  /// How often files have been read, for the state file.
  private(set) var count = 0
  /// Whether the log has their errors already, line by line.
  var isListed = false

  init() {}

  init(_ boot: ConfigurationBoot) {
    fingerprint = boot.refusal.map(\.filesFingerprint) ?? boot.active?.filesFingerprint
    if let refused = boot.refusal?.places, !refused.isEmpty { refusedPlaces = refused }
  }

  /// Notes a reading that found errors.
  mutating func failed(_ refusal: ConfigurationRefusal) {
    count += 1
    fingerprint = refusal.filesFingerprint
    refusedPlaces = refusal.places.isEmpty ? nil : refusal.places
  }

  /// Notes a reading without errors. Its media may be refused still.
  mutating func succeeded(_ revision: ConfigurationRevision) {
    count += 1
    fingerprint = revision.filesFingerprint
    refusedPlaces = nil
  }
}

/// The state that scripts and people are told.
struct ToldState: Sendable {
  /// The newest content of the state file.
  var file = ConfigurationStateFile.State()
  /// When the texts in use came into use; nil before that.
  private(set) var activeSince: Instant?
  /// Whether the log says that the state can't be kept. The disk stays broken, and playback goes on.
  var isUnkept = false

  mutating func replace(by new: ConfigurationStateFile.State, at now: Instant) {
    if new.active != file.active { activeSince = new.active == nil ? nil : now }
    file = new
  }
}

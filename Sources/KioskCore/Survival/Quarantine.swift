public import PlaybackCore

/// The items that have crashed the process, and aren't played for a while.
///
/// Transitions of an item: unknown -> suspected (`died`: one crash, or up to three doubtful ones) -> held (the next
/// one) -> unknown (its bytes change, or `forgive`), or suspected with one crash left (after a day: it is tried again,
/// and one more crash holds it). A suspect that plays to its end is unknown again: occasional kills from outside must
/// not add up against a film.
public struct Quarantine: Hashable, Sendable {
  /// The limits, each with its reason.
  public struct Policy: Hashable, Sendable {
    /// One crash may be an accident; a third one would cost the picture a third time.
    public var deaths = 2
    /// Including doubtful crashes, which may be somebody's SIGKILL: people kill a process by hand once or twice, and
    /// seldom four times in a row, each within seconds, with the item never played to its end. A fifth crash would lead
    /// to safe mode.
    public var anyDeaths = 4
    /// After this an item is tried again. A change around it (a driver, a library) takes a reboot or an update, which
    /// come daily at most.
    public var patience: Duration = .seconds(24 * 3600)
    /// More bad files than a list usually has; then the oldest suspects are dropped first.
    public var limit = 64

    public init() {}
  }

  /// An item, identified by the known facts on its bytes.
  public struct Subject: Hashable, Sendable {
    /// The address in the playlist, cut to the run record's length: one name, whether the item or a copy of it is
    /// played.
    public var uri: String
    public var sha256: String?
    /// The size of the played local file in bytes, and the time of its last change, in nanoseconds since 1970.
    public var size: Int64?
    public var modified: Int64?

    public init(uri: String, sha256: String? = nil, size: Int64? = nil, modified: Int64? = nil) {
      self.uri = CrashRecord.address(uri)
      self.sha256 = sha256
      self.size = size
      self.modified = modified
    }

    /// The address for logs and status: redacted, and not longer than a line.
    public var toldURI: String { PlainText.clipped(Redaction.value(uri)) }

    /// Whether two subjects are the same item: by checksum where both have one, else by address, size and time.
    func isSame(as other: Subject) -> Bool {
      if let sha256, let known = other.sha256 { return sha256 == known }
      return uri == other.uri && size == other.size && modified == other.modified
    }
  }

  public struct Entry: Hashable, Sendable {
    public var subject: Subject
    /// The number of all crashes.
    public var deaths: Int
    /// The number of doubtful crashes among them.
    public var doubtful: Int
    /// The signal of the last crash; 0 where none is known.
    public var signal: Int32
    /// Whether the last count wasn't a crash: the item's pipelines hung, and the process was replaced for that.
    public var hasHung = false
    /// The time of the last crash, in seconds since 1970.
    public var time: Int64
    public var isHeld: Bool

    /// The error that tells why the item isn't played.
    public var error: VitrineError {
      VitrineError(
        SurvivalErrors.inQuarantine, subject: subject.uri,
        message: "it has ended the player \(deaths) times, the last time "
          + (hasHung
            ? "because its pipeline hung" : signal > 0 ? "by \(SignalName.text(signal))" : "without a word")
          + "; it is left out",
        remedy: "replace or convert it; it is tried again when its bytes have changed, and after a day")
    }
  }

  public private(set) var entries: [Entry] = []
  private let policy: Policy

  public init(policy: Policy = Policy()) { self.policy = policy }

  public var held: [Entry] { entries.filter(\.isHeld) }

  // MARK: Facts

  /// Counts a crash against an item.
  ///
  /// - Parameters:
  ///   - isDoubtful: whether the cause may be another one.
  ///   - hasHung: whether the process didn't crash, but a pipeline of the item hangs for good.
  ///   - now: seconds since 1970.
  /// - Returns: the item's entry.
  @discardableResult
  public mutating func died(
    of subject: Subject, signal: Int32, isDoubtful: Bool = false, hasHung: Bool = false, at now: Int64
  ) -> Entry {
    forgetOthers(than: subject)
    var entry =
      entries.first { $0.subject.isSame(as: subject) }
      ?? Entry(subject: subject, deaths: 0, doubtful: 0, signal: signal, time: now, isHeld: false)
    entries.removeAll { $0.subject.isSame(as: subject) }
    entry.deaths += 1
    if isDoubtful { entry.doubtful += 1 }
    entry.signal = signal
    entry.hasHung = hasHung
    entry.time = now
    entry.isHeld = entry.deaths - entry.doubtful >= policy.deaths || entry.deaths >= policy.anyDeaths
    entries.append(entry)
    while entries.count > policy.limit {
      entries.remove(at: entries.firstIndex { !$0.isHeld } ?? 0)
    }
    return entry
  }

  /// Clears a suspected item that has played to its end.
  ///
  /// - Returns: whether an entry was removed.
  public mutating func played(_ uri: String) -> Bool {
    let uri = CrashRecord.address(uri)
    return remove { !$0.isHeld && $0.subject.uri == uri }
  }

  /// Releases an item, because a person wants to try it again.
  ///
  /// - Parameter uri: the address in the playlist, or the redacted one; nil means all.
  /// - Returns: whether an entry was removed.
  public mutating func forgive(_ uri: String?) -> Bool {
    guard let uri else { return remove { _ in true } }
    let own = CrashRecord.address(uri)
    return remove { $0.subject.uri == own || $0.subject.toldURI == uri }
  }

  /// Clears the items whose pipelines hung, before the board is rebooted: if the driver isn't the cause, two more hangs
  /// will show it.
  ///
  /// - Returns: whether an entry was removed.
  public mutating func forgiveHangs() -> Bool { remove { $0.hasHung } }

  // MARK: Asked

  /// Whether an address or checksum is held: only then the file has to be read.
  public func knows(_ uri: String, sha256: String?) -> Bool {
    let uri = CrashRecord.address(uri)
    return entries.contains { $0.isHeld && ($0.subject.uri == uri || (sha256 != nil && $0.subject.sha256 == sha256)) }
  }

  /// The entry that keeps an item from being played; nil where it may be played. Releases an item that has changed, or
  /// has waited long enough.
  ///
  /// - Parameter now: seconds since 1970. A clock that jumps ahead releases items early, which costs one crash at most;
  ///   after a jump back, the day counts from there.
  public mutating func holds(_ subject: Subject, at now: Int64) -> Entry? {
    forgetOthers(than: subject)
    guard let index = entries.firstIndex(where: { $0.isHeld && $0.subject.isSame(as: subject) }) else { return nil }
    if entries[index].time > now { entries[index].time = now }
    guard now.clampedSubtracting(entries[index].time) < policy.patience.components.seconds else {
      entries[index].isHeld = false
      (entries[index].deaths, entries[index].doubtful) = (policy.deaths - 1, 0)
      return nil
    }
    return entries[index]
  }

  /// Removes entries with the same address and other bytes.
  private mutating func forgetOthers(than subject: Subject) {
    _ = remove { $0.subject.uri == subject.uri && !$0.subject.isSame(as: subject) }
  }

  private mutating func remove(_ isGone: (Entry) -> Bool) -> Bool {
    let count = entries.count
    entries.removeAll(where: isGone)
    return entries.count != count
  }

  // MARK: The file

  /// Reads the format of `text`. Unreadable lines are skipped: a damaged file must not stop a start.
  public init(text: String, policy: Policy = Policy()) {
    self.policy = policy
    for line in text.split(separator: "\n").prefix(policy.limit) {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 8, words[0] == "held" || words[0] == "suspected",
        let (deaths, doubtful) = Self.counts(words[1]), let signal = words[2] == "hung" ? 0 : Int32(words[2]),
        let time = Int64(words[3]),
        (0...64).contains(signal)
      else { continue }
      let subject = Subject(
        uri: Self.unescaped(words[7]), sha256: words[4] == "-" ? nil : words[4], size: Int64(words[5]),
        modified: Int64(words[6]))
      guard !subject.uri.isEmpty else { continue }
      entries.removeAll { $0.subject.isSame(as: subject) }
      entries.append(
        Entry(
          subject: subject, deaths: deaths, doubtful: doubtful, signal: signal, hasHung: words[2] == "hung", time: time,
          isHeld: words[0] == "held"))
    }
  }

  /// Reads counts such as `2`, or `3/1`: three, one of them doubtful.
  private static func counts(_ word: String) -> (deaths: Int, doubtful: Int)? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let deaths = parts[0], let doubtful = parts.count == 2 ? parts[1] : 0,
      (1...1000).contains(deaths), (0...deaths).contains(doubtful)
    else { return nil }
    return (deaths, doubtful)
  }

  /// A line for each entry: `held DEATHS SIGNAL TIME SHA256 SIZE MODIFIED URI`, `-` for unknown facts, `hung` in place
  /// of a signal.
  public var text: String {
    entries.map { entry in
      let subject = entry.subject
      let deaths = entry.doubtful == 0 ? "\(entry.deaths)" : "\(entry.deaths)/\(entry.doubtful)"
      let known = [subject.sha256, subject.size.map { "\($0)" }, subject.modified.map { "\($0)" }].map { $0 ?? "-" }
      return
        ([entry.isHeld ? "held" : "suspected", deaths, entry.hasHung ? "hung" : "\(entry.signal)", "\(entry.time)"]
        + known
        + [Self.escaped(subject.uri)]).joined(separator: " ") + "\n"
    }.joined()
  }

  /// Escapes blanks and control characters: only addresses that people have typed contain any.
  private static func escaped(_ text: String) -> String {
    let bytes = text.utf8.flatMap { byte in
      byte <= 0x20 || byte == UInt8(ascii: "\\") || byte == 0x7F
        ? Array("\\\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8) : [byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The numbers of errors about crashes and probes.
public enum SurvivalErrors {
  /// An item isn't played, because it has crashed the process.
  public static let inQuarantine = 3040
  /// The process that probed an item crashed, or used up its limits.
  public static let probeDied = 3041
  /// The previous process crashed.
  public static let died = 7510
  /// This run can't keep a record, so the next one won't know the cause of a crash.
  public static let noRecord = 7511
  /// The player crashes repeatedly: everything that isn't necessary is left out.
  public static let safeMode = 7512
  /// The player crashes repeatedly in safe mode, too.
  public static let stopped = 7513
  /// The process that probes media can't be started.
  public static let noProbe = 7514
  /// The process that probes media has used up its limits.
  public static let probeSpent = 7516

  /// - Parameter what: the resource that it has used up.
  public static func probeSpent(_ uri: String, _ what: String) -> VitrineError {
    VitrineError(
      probeSpent, subject: uri, message: "the process that probed it has used up \(what): nothing is known of it",
      remedy: "play it to see whether it can be played; free memory")
  }

  /// - Parameter what: the way it ended, in the past tense.
  public static func probe(_ uri: String, _ what: String) -> VitrineError {
    VitrineError(
      probeDied, subject: uri, message: "the process that probed it \(what)",
      remedy: "replace or convert it; played, it would do the same to the player")
  }
}

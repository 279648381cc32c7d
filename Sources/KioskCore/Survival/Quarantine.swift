public import PlaybackCore

/// Items that have ended the process, and aren't to be played for a while.
///
/// Transitions of an item: unknown -> suspected (`died`, one death, or up to three doubtful ones) -> held (the next) -> unknown (its bytes change, or
/// `forgive`), or suspected with one death left (a day has passed: it is tried again, and one more death holds it). A suspect that
/// is played to its end is unknown again: what kills a process now and then from outside must not pile up on a film.
public struct Quarantine: Hashable, Sendable {
  /// Every number has its reason here.
  public struct Policy: Hashable, Sendable {
    /// One may be an accident; a third would be a third time without its picture.
    public var deaths = 2
    /// Together with those that may have been somebody's SIGKILL: who kills a process by hand does so once or twice, and seldom four times
    /// in a row, each within seconds, with the item never played to its end. The fifth would lead to safe mode.
    public var anyDeaths = 4
    /// What has changed around the item (a driver, a library) takes a reboot or an update, which are daily at most.
    public var patience: Duration = .seconds(24 * 3600)
    /// More than a list has bad files, unless all are; then the oldest suspects go first.
    public var limit = 64

    public init() {}
  }

  /// An item by what is known of its bytes.
  public struct Subject: Hashable, Sendable {
    /// As the list has it, cut as the run record does: one name, whether the item is played from there or from a copy.
    public var uri: String
    public var sha256: String?
    /// Of the local file that is played, with the time of its last change, in nanoseconds since 1970.
    public var size: Int64?
    public var modified: Int64?

    public init(uri: String, sha256: String? = nil, size: Int64? = nil, modified: Int64? = nil) {
      self.uri = RunRecord.address(uri)
      self.sha256 = sha256
      self.size = size
      self.modified = modified
    }

    /// As others hear of it: without what is secret in it, and not longer than a line.
    public var toldURI: String { PlainText.clipped(Redaction.value(uri)) }

    /// By content where both know it, else by address, size and time.
    func isSame(as other: Subject) -> Bool {
      if let sha256, let known = other.sha256 { return sha256 == known }
      return uri == other.uri && size == other.size && modified == other.modified
    }
  }

  public struct Entry: Hashable, Sendable {
    public var subject: Subject
    /// All of them.
    public var deaths: Int
    /// Those of them of which nothing is known for certain.
    public var doubtful: Int
    /// The last one; 0 where none is known.
    public var signal: Int32
    /// The last one wasn't a death: its pipelines hung, and the process was replaced for that.
    public var hasHung = false
    /// Seconds since 1970, of the last death.
    public var time: Int64
    public var isHeld: Bool

    /// Why the item isn't played.
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

  /// A process has died of an item.
  ///
  /// - Parameters:
  ///   - isDoubtful: it may have been something else.
  ///   - hasHung: it hasn't died: a pipeline of that item hangs for good.
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

  /// It has come to its end by itself.
  ///
  /// - Returns: whether anything is another thing now.
  public mutating func played(_ uri: String) -> Bool {
    let uri = RunRecord.address(uri)
    return remove { !$0.isHeld && $0.subject.uri == uri }
  }

  /// Somebody says that it is to be tried again.
  ///
  /// - Parameter uri: as the list has it, or as it is told; nil means all.
  /// - Returns: whether anything is another thing now.
  public mutating func forgive(_ uri: String?) -> Bool {
    guard let uri else { return remove { _ in true } }
    let own = RunRecord.address(uri)
    return remove { $0.subject.uri == own || $0.subject.toldURI == uri }
  }

  /// The board is started anew because pipelines hang: it was the driver, or two more times tell the same.
  ///
  /// - Returns: whether anything is another thing now.
  public mutating func forgiveHangs() -> Bool { remove { $0.hasHung } }

  // MARK: Asked

  /// Whether something is known of an address: only then its file has to be looked at.
  public func knows(_ uri: String, sha256: String?) -> Bool {
    let uri = RunRecord.address(uri)
    return entries.contains { $0.isHeld && ($0.subject.uri == uri || (sha256 != nil && $0.subject.sha256 == sha256)) }
  }

  /// The entry that keeps an item from being played; nil where it may be. What has changed, or has waited long enough, is let out.
  ///
  /// - Parameter now: seconds since 1970. A clock that jumps ahead lets items out early, which costs a death at most; one that jumps back
  ///   counts from there.
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

  /// Other bytes under the same address.
  private mutating func forgetOthers(than subject: Subject) {
    _ = remove { $0.subject.uri == subject.uri && !$0.subject.isSame(as: subject) }
  }

  private mutating func remove(_ isGone: (Entry) -> Bool) -> Bool {
    let count = entries.count
    entries.removeAll(where: isGone)
    return entries.count != count
  }

  // MARK: As a file

  /// Reads what `text` writes. A line that can't be read is left out: a damaged file must not stop a start.
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

  /// `2`, or `3/1`: three, one of them doubtful.
  private static func counts(_ word: String) -> (deaths: Int, doubtful: Int)? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, let deaths = parts[0], let doubtful = parts.count == 2 ? parts[1] : 0,
      (1...1000).contains(deaths), (0...deaths).contains(doubtful)
    else { return nil }
    return (deaths, doubtful)
  }

  /// One line each: `held DEATHS SIGNAL TIME SHA256 SIZE MODIFIED URI`, `-` for what isn't known, `hung` in place of a signal.
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

  /// Addresses have no blanks, but for what somebody has typed.
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

/// What this part of the program tells by number.
public enum SurvivalErrors {
  /// An item that isn't played, because it has ended the process.
  public static let inQuarantine = 3040
  /// A probe of it died, or used up what it may.
  public static let probeDied = 3041
  /// The process before this one died.
  public static let died = 7510
  /// This run leaves nothing behind by which the next one knows what it died of.
  public static let noRecord = 7511
  /// Deaths follow each other: what is not needed is left out.
  public static let safeMode = 7512
  /// They go on in safe mode.
  public static let stopped = 7513
  /// What probes media can't be started.
  public static let noProbe = 7514
  /// A probe has used up what it may have.
  public static let probeSpent = 7516

  /// - Parameter what: it has used up.
  public static func probeSpent(_ uri: String, _ what: String) -> VitrineError {
    VitrineError(
      probeSpent, subject: uri, message: "the process that looked into it has used up \(what): nothing is known of it",
      remedy: "play it to see whether it can be played; free memory")
  }

  /// - Parameter what: it did, in the past tense.
  public static func probe(_ uri: String, _ what: String) -> VitrineError {
    VitrineError(
      probeDied, subject: uri, message: "the process that looked into it \(what)",
      remedy: "replace or convert it; played, it would do the same to the player")
  }
}

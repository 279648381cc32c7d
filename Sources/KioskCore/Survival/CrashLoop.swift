internal import PlaybackCore

/// The measures against a process that crashes repeatedly: safe mode, then an error card, then the restart ladder up to
/// a reboot.
///
/// The count outlives the process that fails: its history is a small file in the runtime folder, read at each start.
/// Times are seconds of CLOCK_BOOTTIME, which doesn't change when the clock is set; a reboot starts the count again.
///
/// Transitions: normal -> safe (`began` after too many crashes) -> normal (`ranWell`), safe -> card (more crashes) ->
/// safe (the card's time is up, `triesAgain`).
public struct CrashLoop: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, Encodable, CaseIterable {
    case normal
    /// Decoding in software, the last good configuration, and no items in quarantine.
    case safe
    /// Nothing plays; a card tells the reason.
    case card
  }

  /// The limits, each with its reason.
  public struct Policy: Hashable, Sendable {
    /// A list with two bad files causes four crashes before both are left out: that isn't a loop yet.
    public var deaths = 5
    public var window: Int64 = 600
    /// In safe mode everything optional is left out already; one crash may be an item's.
    public var deathsInSafeMode = 3
    /// As long as the window: earlier crashes don't count any more after it.
    public var goodRun: Int64 = 600
    /// Long enough to be read and photographed; then the player tries again, because most screens are unattended.
    public var cardTime: Int64 = 300

    public init() {}
  }

  /// A crash that counts.
  public struct Mark: Hashable, Sendable {
    public var time: Int64
    /// Whether the process ended without a record of the reason, before it had shown anything.
    public var isSilent: Bool
  }

  /// The recent crashes that count, the oldest first.
  public private(set) var deaths: [Mark] = []
  public private(set) var mode = Mode.normal
  /// When the mode began.
  public private(set) var since: Int64 = 0
  public let policy: Policy

  public init(policy: Policy = Policy()) { self.policy = policy }

  /// Whether a crash counts. A signal from outside is somebody's will and doesn't count; a lack of memory counts. An
  /// end without a record of the reason counts if the process had shown nothing: a process that can't start is a loop,
  /// one that plays and is killed now and then isn't.
  public static func counts(_ death: Death) -> Bool {
    switch death.cause {
    case .fault, .hang, .memory: true
    case .signalled: false
    case .unknown: !death.hadShown
    }
  }

  // MARK: Facts

  /// Counts the previous run's crash and chooses the mode, when a process begins.
  ///
  /// - Parameters:
  ///   - death: the previous run's crash; nil where it ended cleanly, or there was none.
  ///   - now: seconds since the machine started.
  public mutating func began(after death: Death?, at now: Int64) {
    // Times in the future are from another boot, whose file has survived.
    if since > now || deaths.contains(where: { $0.time > now }) { self = CrashLoop(policy: policy) }
    deaths.removeAll { now - $0.time >= policy.window }
    if let death {
      // The process could start: earlier failures to start don't count any more.
      if death.hadShown { deaths.removeAll(where: \.isSilent) }
      if Self.counts(death) { deaths.append(Mark(time: now, isSilent: death.cause == .unknown)) }
    }
    switch mode {
    case .normal: if deaths.count >= policy.deaths { enter(.safe, at: now) }
    case .safe: if deaths.count >= policy.deathsInSafeMode { enter(.card, at: now) }
    // A crash while the card is shown changes nothing; the card's time goes on.
    case .card: triesAgain(at: now)
    }
  }

  /// Ends the card's mode when its time is up, or when a person asks for it.
  public mutating func triesAgain(at now: Int64, isAsked: Bool = false) {
    if mode == .card, isAsked || now - since >= policy.cardTime { enter(.safe, at: now) }
  }

  /// Forgets the crashes after a good run of the length of `Policy.goodRun`.
  ///
  /// - Returns: whether safe mode is over: another process starts without it.
  public mutating func ranWell(since start: Int64, at now: Int64) -> Bool {
    guard now - start >= policy.goodRun, mode != .card else { return false }
    deaths = []
    guard mode == .safe else { return false }
    enter(.normal, at: now)
    return true
  }

  private mutating func enter(_ mode: Mode, at now: Int64) {
    self.mode = mode
    since = now
    deaths = []
  }

  // MARK: The file

  /// Reads the format of `text`. Unreadable lines are skipped: a damaged file must not stop a start.
  public init(text: String, policy: Policy = Policy()) {
    self.policy = policy
    for line in text.split(separator: "\n").prefix(64) {
      let words = line.split(separator: " ")
      guard words.count >= 2, let time = Int64(words[1]), time >= 0 else { continue }
      if words[0] == "death" || words[0] == "silent", words.count == 2, deaths.count < policy.deaths {
        deaths.append(Mark(time: time, isSilent: words[0] == "silent"))
      }
      if words[0] == "mode", words.count == 3, let mode = Mode(rawValue: String(words[2])) {
        self.mode = mode
        since = time
      }
    }
  }

  /// The file's text: `mode 1000 safe`, then `death 1000` or `silent 1000` for each crash.
  public var text: String {
    "mode \(since) \(mode.rawValue)\n" + deaths.map { "\($0.isSilent ? "silent" : "death") \($0.time)\n" }.joined()
  }
}

internal import PlaybackCore

/// What becomes of a process that dies again and again: safe mode, then a card that says so, then the ladder to a reboot.
///
/// Counted outside of the process that fails: its history is a small file in the runtime folder, read at each start. Times are seconds of
/// CLOCK_BOOTTIME, which no setting of the clock moves; a reboot begins anew.
///
/// Transitions: normal -> safe (`began` after too many deaths) -> normal (`ranWell`, or a clean end), safe -> card (more deaths) ->
/// safe (the card's time is up, `triesAgain`).
public struct CrashLoop: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, Encodable, CaseIterable {
    case normal
    /// Software decoding, the last good configuration, nothing that is in quarantine.
    case safe
    /// Nothing plays; a card says what happened.
    case card
  }

  /// Every number has its reason here.
  public struct Policy: Hashable, Sendable {
    /// A list with two bad files dies four times before both are left out: that is no loop yet.
    public var deaths = 5
    public var window: Int64 = 600
    /// In safe mode nothing is left that could be left out; one death may be the quarantine's.
    public var deathsInSafeMode = 3
    /// As long as the window: after it nothing counts any more.
    public var goodRun: Int64 = 600
    /// Long enough to be read and photographed; then it is tried again, because most screens have nobody beside them.
    public var cardTime: Int64 = 300

    public init() {}
  }

  /// A death that counts.
  public struct Mark: Hashable, Sendable {
    public var time: Int64
    /// The process ended without a word before it had shown anything.
    public var isSilent: Bool
  }

  /// The oldest first.
  public private(set) var deaths: [Mark] = []
  public private(set) var mode = Mode.normal
  /// When the mode began.
  public private(set) var since: Int64 = 0
  public let policy: Policy

  public init(policy: Policy = Policy()) { self.policy = policy }

  /// Whether a death counts. A signal from outside is somebody's will; want of memory is no accident. Who ended without a word counts
  /// where it had shown nothing: a process that can't start is a loop, and one that plays and is killed now and then isn't.
  public static func counts(_ death: Death) -> Bool {
    switch death.cause {
    case .fault, .hang, .memory: true
    case .signalled: false
    case .unknown: !death.hadShown
    }
  }

  // MARK: Facts

  /// A process begins.
  ///
  /// - Parameters:
  ///   - death: how the one before it died; nil where it ended as it was to, or there was none.
  ///   - now: seconds since the machine started.
  public mutating func began(after death: Death?, at now: Int64) {
    // What lies in the future is of another boot, whose file outlived it.
    if since > now || deaths.contains(where: { $0.time > now }) { self = CrashLoop(policy: policy) }
    deaths.removeAll { now - $0.time >= policy.window }
    if let death {
      // It could start, so nothing keeps it from starting.
      if death.hadShown { deaths.removeAll(where: \.isSilent) }
      if Self.counts(death) { deaths.append(Mark(time: now, isSilent: death.cause == .unknown)) }
    }
    switch mode {
    case .normal: if deaths.count >= policy.deaths { enter(.safe, at: now) }
    case .safe: if deaths.count >= policy.deathsInSafeMode { enter(.card, at: now) }
    // A card that dies can't be helped; its time runs on.
    case .card: triesAgain(at: now)
    }
  }

  /// The card's time is up, by the clock or because somebody says so.
  public mutating func triesAgain(at now: Int64, isAsked: Bool = false) {
    if mode == .card, isAsked || now - since >= policy.cardTime { enter(.safe, at: now) }
  }

  /// This process has played for so long.
  ///
  /// - Returns: whether safe mode is to be left: another process begins without it.
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

  // MARK: As a file

  /// Reads what `text` writes. What can't be read counts as nothing: a damaged file must not stop a start.
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

  /// `mode 1000 safe`, then `death 1000` or `silent 1000` for each.
  public var text: String {
    "mode \(since) \(mode.rawValue)\n" + deaths.map { "\($0.isSilent ? "silent" : "death") \($0.time)\n" }.joined()
  }
}

public import InteractionCore
public import PlaybackCore

/// The feed of an authority, and what is wanted of it.
public struct WarningSettings: Hashable, Sendable {
  public var feed: String
  public var wish: WarningWish
  /// Of the screens.
  public var language: LanguageTag
  public var interval: Duration

  public init(feed: String, wish: WarningWish, language: LanguageTag, interval: Duration) {
    self.feed = feed
    self.wish = wish
    self.language = language
    self.interval = interval
  }
}

/// The entries of a feed that matter for a board. A worker makes it, because a feed may have thousands of entries.
public struct WarningIndex: Sendable {
  struct Key: Hashable, Sendable {
    var link: String
    /// The version of the entry.
    var updated: String
  }

  struct Listed: Sendable {
    /// The address of its message; nil where the entry is all there is.
    var key: Key?
    var isWanted: Bool
    var warning: Warning?
  }

  let listed: [Listed]
  /// Whether there are more entries than were read.
  let isCut: Bool

  public init(_ document: CAPDocument, for settings: WarningSettings, at utc: Int64) {
    func whole(_ message: CAPMessage) -> Listed? {
      let warning = Warning(message, wish: settings.wish, language: settings.language)
      return warning.map { Listed(isWanted: false, warning: $0) }
    }
    switch document {
    case .message(let message): (listed, isCut) = ([whole(message)].compactMap(\.self), false)
    case .index(let entries, let isCut):
      self.isCut = isCut
      listed = entries.compactMap { entry in
        guard let link = entry.link else { return whole(entry.message) }
        let key = Key(link: link, updated: entry.updated)
        switch settings.wish.relevance(of: entry.message, at: utc) {
        case .none: return nil
        case .replacing: return Listed(key: key, isWanted: false)
        case .wanted: return Listed(key: key, isWanted: true)
        }
      }
    }
  }
}

/// Asks a feed for its warnings, and decides which of them are shown. A value without a clock, a network or a parser.
///
/// A poll reads the index, then the messages that it links to, as far as they are wanted and not known yet, one after
/// the other; then it says what is shown. The index is the truth of what is in force: a warning that it doesn't list
/// any more is gone. A poll that couldn't read all of it takes nothing back, but what was replaced or cancelled; one
/// that read nothing changes nothing.
public struct WarningMachine: Sendable {
  /// Each number with its reason.
  public struct Policy: Hashable, Sendable {
    /// A server that hiccups has the next question soon.
    public var firstRetry: Duration = .seconds(5)
    /// A network that is slow to come after a start isn't told, nor is a hiccup.
    public var toldAfter = 3
    /// A server that is down for hours is reached within five minutes of its return. A longer interval is kept.
    public var longestRetry: Duration = .seconds(300)
    /// Each wait is lengthened by up to this part: boards that were switched on together don't ask together for ever.
    public var jitter = 0.2
    /// A server may ask the player to wait, but not to stop.
    public var longestPatience: Duration = .seconds(3600)
    /// The messages of one poll: what is new in a minute. The rest is read `restAfter` later.
    public var documents = 50
    public var restAfter: Duration = .seconds(10)
    /// While the clock isn't set nothing can be judged.
    public var clockWait: Duration = .seconds(10)

    public init() {}
  }

  /// Names a version of the index for the server.
  public struct Version: Hashable, Sendable {
    public var etag: String?
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
      self.etag = etag
      self.lastModified = lastModified
    }
  }

  public enum Event: Sendable {
    case time
    /// The clock was set: what was refused because of it is tried again.
    case clockSet
    /// A document that was asked for has come.
    case indexRead(WarningIndex, Version)
    case indexUnchanged
    case messageRead(CAPMessage)
    /// A document that was asked for can't be read.
    ///
    /// - Parameters:
    ///   - isFinal: whether the same answer would come again.
    ///   - wait: what the server asks for.
    case failed(VitrineError, isFinal: Bool, wait: Duration?)
  }

  public enum Action: Hashable, Sendable {
    case readIndex(Version)
    /// The address in the index.
    case readMessage(String)
    /// For `AlertMachine`: the warnings of now, and why others have gone.
    case show([Alert], [String: AlertMachine.Ending])
    /// To be told once.
    case tell(VitrineError)
    case tellAnswers
    /// The index has more entries than are read.
    case tellCut
  }

  /// Why a message isn't shown any more.
  private struct End: Sendable {
    var reference: CAPMessage.Reference
    var isTest: Bool
    var ending: AlertMachine.Ending
  }

  private enum UnderWay: Sendable {
    case index
    case message(WarningIndex.Key)
  }

  public let settings: WarningSettings
  private let policy: Policy
  private var due: Instant
  private var underWay: UnderWay?
  private var failures = 0
  private var version = Version()
  private var listed: [WarningIndex.Listed] = []
  /// The messages that were read, while they are listed; nil for one that has no effect.
  private var messages: [WarningIndex.Key: Warning?] = [:]
  private var poll = Poll()
  private var ends: [String: [End]] = [:]
  private var current: [Alert]
  private var told = Told()
  private var random: SplitMix64

  /// The results of one poll.
  private struct Poll: Sendable {
    var asked: Set<WarningIndex.Key> = []
    var hasFailed = false
  }

  /// The problems that were reported and still exist.
  private struct Told: Sendable {
    var index: Int?
    var links: Set<String> = []
    var isCut = false
  }

  /// - Parameters:
  ///   - current: the warnings that are shown already, of the previous run.
  ///   - seed: of delays; different on each board.
  public init(
    _ settings: WarningSettings, current: [Alert], policy: Policy = Policy(), seed: UInt64, at now: Instant
  ) {
    self.settings = settings
    self.policy = policy
    self.current = current
    random = SplitMix64(state: seed)
    due = now
  }

  /// When `time` is to come; nil while an answer is awaited.
  public var deadline: Instant? { underWay == nil ? due : nil }

  /// - Parameter clock: that of the wall.
  public mutating func handle(_ event: Event, at now: Instant, clock: ScheduleClock) -> [Action] {
    switch event {
    case .time:
      guard underWay == nil, now >= due else { return [] }
      return begin(at: now, clock)
    case .clockSet:
      guard underWay == nil else { return [] }
      return begin(at: now, clock)
    case .indexRead(let index, let version):
      guard case .index? = underWay, case .utc(let utc) = clock else { return lost(at: now) }
      self.version = version
      return answered() + adopt(index) + next(at: now, utc)
    case .indexUnchanged:
      guard case .index? = underWay, case .utc(let utc) = clock else { return lost(at: now) }
      return answered() + next(at: now, utc)
    case .messageRead(let message):
      guard case .message(let key)? = underWay, case .utc(let utc) = clock else { return lost(at: now) }
      messages[key] = .some(Warning(message, wish: settings.wish, language: settings.language))
      told.links.remove(key.link)
      return next(at: now, utc)
    case .failed(let error, let isFinal, let wait):
      guard case .message(let key)? = underWay, case .utc(let utc) = clock else {
        return failed(error, isFinal: isFinal, wait: wait, at: now)
      }
      if isFinal { messages[key] = .some(nil) } else { poll.hasFailed = true }
      let isNews = told.links.insert(key.link).inserted
      return (isNews ? [.tell(error)] : []) + next(at: now, utc)
    }
  }

  // MARK: The index

  private mutating func begin(at now: Instant, _ clock: ScheduleClock) -> [Action] {
    guard case .utc = clock else {
      due = now + policy.clockWait
      return []
    }
    underWay = .index
    poll = Poll()
    return [.readIndex(version)]
  }

  /// An answer without a clock, or to another question: the next poll begins from the start.
  private mutating func lost(at now: Instant) -> [Action] {
    underWay = nil
    due = now + policy.clockWait
    return []
  }

  private mutating func answered() -> [Action] {
    failures = 0
    defer { told.index = nil }
    return told.index == nil ? [] : [.tellAnswers]
  }

  private mutating func failed(
    _ error: VitrineError, isFinal: Bool, wait wanted: Duration?, at now: Instant
  ) -> [Action] {
    underWay = nil
    failures += 1
    var wait = min(policy.firstRetry * (1 << min(failures - 1, 16)), max(policy.longestRetry, settings.interval))
    if let wanted { wait = max(wait, min(wanted, policy.longestPatience)) }
    due = now + lengthened(wait)
    guard told.index != error.number, isFinal || failures >= policy.toldAfter else { return [] }
    told.index = error.number
    return [.tell(error)]
  }

  private mutating func lengthened(_ wait: Duration) -> Duration { wait * (1 + policy.jitter * random.nextFraction()) }

  private mutating func adopt(_ index: WarningIndex) -> [Action] {
    listed = index.listed
    let isCut = index.isCut
    let keys = Set(listed.compactMap(\.key))
    messages = messages.filter { keys.contains($0.key) }
    let links = Set(keys.map(\.link))
    told.links.formIntersection(links)
    defer { told.isCut = isCut }
    return isCut && !told.isCut ? [.tellCut] : []
  }

  // MARK: Its messages

  /// Reads the next message, or ends the poll.
  private mutating func next(at now: Instant, _ utc: Int64) -> [Action] {
    let unread = listed.filter { entry in
      guard let key = entry.key else { return false }
      return messages[key] == nil && !poll.asked.contains(key)
    }
    // What only replaces matters where there is something to replace.
    let wanted = unread.first(where: \.isWanted) ?? (hasWarnings(at: utc) ? unread.first : nil)
    if poll.asked.count < policy.documents, let key = wanted?.key {
      poll.asked.insert(key)
      underWay = .message(key)
      return [.readMessage(key.link)]
    }
    underWay = nil
    let isLeft = wanted != nil
    due = now + (isLeft ? min(policy.restAfter, settings.interval) : lengthened(settings.interval))
    let isWhole = !poll.hasFailed && !unread.contains(where: \.isWanted)
    return [show(isWhole: isWhole, at: utc)]
  }

  private func hasWarnings(at utc: Int64) -> Bool {
    !current.isEmpty || known.contains { $0.saying(at: utc) != nil }
  }

  /// All that is known of the messages that the index lists, each once.
  private var known: [Warning] {
    var seen: Set<WarningIndex.Key> = []
    return listed.compactMap { entry in
      guard let key = entry.key else { return entry.warning }
      guard seen.insert(key).inserted else { return nil }
      return messages[key] ?? nil
    }
  }

  // MARK: What is shown

  private mutating func show(isWhole: Bool, at utc: Int64) -> Action {
    let known = known
    rememberEnds(of: known)
    var sayings: [Warning.Saying] = []
    var ids: Set<String> = []
    for warning in known where ending(of: warning.reference, isTest: warning.isTest) == nil {
      guard let saying = warning.saying(at: utc), ids.insert(saying.alert.id).inserted else { continue }
      sayings.append(saying)
    }
    var endings: [String: AlertMachine.Ending] = [:]
    for alert in current where !ids.contains(alert.id) {
      let reference = CAPMessage.Reference(sender: nil, identifier: Warning.identifier(of: alert.id))
      if let ending = ending(of: reference, isTest: alert.isTest) {
        endings[alert.id] = ending
      } else if !isWhole, alert.until ?? 0 > utc {
        sayings.append(Warning.Saying(alert: alert, severity: settings.wish.leastSeverity))
      }
    }
    // The most severe, then the newest; what isn't in force yet takes no place from what is.
    let sorted = sayings.enumerated().sorted { a, b in
      let (x, y) = (a.element, b.element)
      if x.severity != y.severity { return x.severity > y.severity }
      if x.alert.from != y.alert.from { return x.alert.from ?? 0 > y.alert.from ?? 0 }
      return a.offset < b.offset
    }.map(\.element.alert)
    let isNow = { (alert: Alert) in alert.from ?? 0 <= utc }
    current =
      Array(sorted.filter(isNow).prefix(AlertMachine.mostAlerts))
      + sorted.filter { !isNow($0) }.prefix(AlertMachine.mostAlerts)
    return .show(current, endings)
  }

  /// Remembers what was replaced or taken back for as long as the index lists it, or it is shown: the message that did
  /// it may be gone before.
  private mutating func rememberEnds(of known: [Warning]) {
    let names = Set(known.map(\.reference.identifier) + current.map { Warning.identifier(of: $0.id) })
    ends = ends.filter { names.contains($0.key) }
    for warning in known {
      // An update under the name of what it replaces would hide itself.
      let own = warning.reference.identifier
      for reference in warning.ends where names.contains(reference.identifier) && reference.identifier != own {
        let end = End(reference: reference, isTest: warning.isTest, ending: warning.ending)
        let others = ends[reference.identifier] ?? []
        guard !others.contains(where: { $0.reference == reference && $0.isTest == end.isTest }) else { continue }
        ends[reference.identifier] = others + [end]
      }
    }
  }

  /// A test ends tests alone, and what is real, real ones.
  private func ending(of reference: CAPMessage.Reference, isTest: Bool) -> AlertMachine.Ending? {
    ends[reference.identifier]?.first { $0.isTest == isTest && $0.reference.isSame(as: reference) }?.ending
  }
}

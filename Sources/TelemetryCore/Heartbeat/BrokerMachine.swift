public import PlaybackCore

/// When a broker is spoken to, and what it is told. Pure: it has no socket, no clock and no dice but its seed.
///
/// Transitions: waiting -> connecting (the wait is over) -> online (the broker agreed) -> waiting (it refused, the line broke), and so
/// on. Without a line nothing is kept but the events of problems, `Policy.events` of them at most: the status that is told when the line is back
/// is the latest, and says all else.
public struct BrokerMachine: Sendable {
  /// Each number with its reason.
  public struct Policy: Hashable, Sendable {
    /// The status is told again so often, for who looks at when it was told last.
    public var interval: Duration = .seconds(60)
    /// What changes is told so soon, together with what changes meanwhile: lists of pictures of a second are no traffic.
    public var gathering: Duration = .seconds(2)
    public var firstRetry: Duration = .seconds(2)
    /// As the heartbeat's.
    public var longestRetry: Duration = .seconds(300)
    public var jitter = 0.5
    /// A connection that holds for so long is a good one: the next break is another one.
    public var progress: Duration = .seconds(60)
    /// Events that wait for a line, or for the broker to take them; some 10 kB.
    public var events = 32
    /// Messages that have been handed over and not gone out on the line: more wait for nothing.
    public var unsent = 32

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    /// Time has gone.
    case looked
    case connected
    /// The line is gone, or was never there; nil where that was to be.
    case disconnected(String)
    /// A message has gone out.
    case sent
    /// Something is another thing than it was.
    case changed
    /// A line of JSON.
    case happened(String)
  }

  public enum Effect: Hashable, Sendable {
    case connect
    /// We are there, and who watches us: first of all.
    case greet
    case status
    case events([String])
    case tellFailure(String)
    case tellRecovery(failures: Int)
  }

  private enum State: Hashable {
    case waiting(until: Instant)
    case connecting
    case online(since: Instant)
  }

  public let policy: Policy
  private var state: State
  public private(set) var failures = 0
  private var isTold = false
  private var events: [String] = []
  public private(set) var eventsLost = 0
  private var unsent = 0
  private var statusDue: Instant
  private var statusAt: Instant?
  private var random: UInt64

  public init(_ policy: Policy = Policy(), seed: UInt64, at now: Instant) {
    self.policy = policy
    random = seed
    statusDue = now
    // At once: a broker that sees us come knows that we are there. Many boards after a power cut are spread by a second or two.
    state = .waiting(until: now)
    state = .waiting(until: now + policy.firstRetry * next())
  }

  public var isOnline: Bool { if case .online = state { true } else { false } }
  /// Messages that are kept.
  public var keptEvents: Int { events.count }

  /// When it wants to be told that time has gone; nil while it waits for something else.
  public var due: Instant? {
    switch state {
    case .waiting(let until): until
    case .connecting: nil
    case .online: statusDue
    }
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .looked:
      if case .waiting(let until) = state, now >= until {
        state = .connecting
        return [.connect]
      }
      return isOnline && now >= statusDue ? tellStatus(now) : []
    case .connected:
      guard state == .connecting else { return [] }
      state = .online(since: now)
      unsent = 0
      statusAt = nil
      let recovery: [Effect] = isTold ? [.tellRecovery(failures: failures)] : []
      isTold = false
      return recovery + [.greet] + tellStatus(now) + flush()
    case .disconnected(let reason): return disconnected(reason, now)
    case .sent:
      unsent = max(0, unsent - 1)
      return flush()
    case .changed:
      guard isOnline else { return [] }
      statusDue = min(statusDue, max(now, (statusAt ?? now) + policy.gathering))
      return []
    case .happened(let line):
      events.append(line)
      if events.count > policy.events {
        events.removeFirst()
        eventsLost += 1
      }
      return flush()
    }
  }

  private mutating func disconnected(_ reason: String, _ now: Instant) -> [Effect] {
    switch state {
    case .waiting: return []
    case .online(let since) where now - since >= policy.progress: failures = 0
    case .online, .connecting: break
    }
    failures += 1
    let wait = min(policy.firstRetry * (1 << min(failures - 1, 16)), policy.longestRetry)
    state = .waiting(until: now + wait * (1 + policy.jitter * next()))
    unsent = 0
    guard !isTold else { return [] }
    isTold = true
    return [.tellFailure(reason)]
  }

  private mutating func tellStatus(_ now: Instant) -> [Effect] {
    statusDue = now + policy.interval
    statusAt = now
    // A line that takes nothing is found dead by the one who keeps it alive; until then nothing is piled up.
    guard unsent < policy.unsent else { return [] }
    unsent += 1
    return [.status]
  }

  private mutating func flush() -> [Effect] {
    guard isOnline, !events.isEmpty else { return [] }
    let count = min(events.count, policy.unsent - unsent)
    guard count > 0 else { return [] }
    unsent += count
    defer { events.removeFirst(count) }
    return [.events(Array(events.prefix(count)))]
  }

  /// 0..<1, by SplitMix64.
  private mutating func next() -> Double {
    random &+= 0x9E37_79B9_7F4A_7C15
    var value = random
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((value ^ (value >> 31)) >> 11) / Double(1 << 53)
  }
}

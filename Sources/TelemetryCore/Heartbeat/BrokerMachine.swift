public import PlaybackCore

/// Decides when to connect to a broker, and what to publish. Pure: it has no socket and no clock; its random numbers
/// come from a seed.
///
/// Transitions: waiting -> connecting (the wait is over) -> online (the broker accepted) -> waiting (it refused, or the
/// connection broke), and so on. Without a connection, only events are kept, the newest `Policy.events` of them at
/// most: the status published after the next connection is up to date and includes everything else.
public struct BrokerMachine: Sendable {
  /// Each number with its reason.
  public struct Policy: Hashable, Sendable {
    /// The status is sent again at this interval, for readers who check its age.
    public var interval: Duration = .seconds(60)
    /// Changes are gathered for this long and sent together: a list of pictures of one second each must not flood the
    /// line.
    public var gathering: Duration = .seconds(2)
    public var firstRetry: Duration = .seconds(2)
    /// Equal to the heartbeat's limit.
    public var longestRetry: Duration = .seconds(300)
    public var jitter = 0.5
    /// A connection that holds for this long counts as good: the waits before reconnecting begin at `firstRetry` again.
    public var progress: Duration = .seconds(60)
    /// Events that wait for a connection, or for the broker; some 10 kB.
    public var events = 32
    /// Messages that were handed over and not sent yet: with more, further ones are held back.
    public var unsent = 32

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    /// Time has passed.
    case looked
    case connected
    /// The connection broke or failed; with the reason in words.
    case disconnected(String)
    /// A message was sent.
    case sent
    /// The status has changed.
    case changed
    /// A line of JSON.
    case happened(String)
  }

  public enum Action: Hashable, Sendable {
    case connect
    /// Publishes the board's presence and Home Assistant's announcements, before anything else.
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
  private var random: SplitMix64

  public init(_ policy: Policy = Policy(), seed: UInt64, at now: Instant) {
    self.policy = policy
    random = SplitMix64(state: seed)
    statusDue = now
    // Soon: the connection shows that the board is up. After a power cut, many boards are spread over a second or two.
    state = .waiting(until: now)
    state = .waiting(until: now + policy.firstRetry * random.nextFraction())
  }

  public var isOnline: Bool { if case .online = state { true } else { false } }
  /// Messages that are kept.
  public var keptEvents: Int { events.count }

  /// The time of the next `looked`; nil while the machine waits for another event.
  public var due: Instant? {
    switch state {
    case .waiting(let until): until
    case .connecting: nil
    case .online: statusDue
    }
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .looked:
      if case .waiting(let until) = state, now >= until {
        state = .connecting
        return [.connect]
      }
      return isOnline && now >= statusDue ? publishStatus(now) : []
    case .connected:
      guard state == .connecting else { return [] }
      state = .online(since: now)
      unsent = 0
      statusAt = nil
      let recovery: [Action] = isTold ? [.tellRecovery(failures: failures)] : []
      isTold = false
      return recovery + [.greet] + publishStatus(now) + flush()
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

  private mutating func disconnected(_ reason: String, _ now: Instant) -> [Action] {
    switch state {
    case .waiting: return []
    case .online(let since) where now - since >= policy.progress: failures = 0
    case .online, .connecting: break
    }
    failures += 1
    let wait = min(policy.firstRetry * (1 << min(failures - 1, 16)), policy.longestRetry)
    state = .waiting(until: now + wait * (1 + policy.jitter * random.nextFraction()))
    unsent = 0
    guard !isTold else { return [] }
    isTold = true
    return [.tellFailure(reason)]
  }

  private mutating func publishStatus(_ now: Instant) -> [Action] {
    statusDue = now + policy.interval
    statusAt = now
    // The keep-alive finds a connection that takes nothing; until then, messages mustn't pile up.
    guard unsent < policy.unsent else { return [] }
    unsent += 1
    return [.status]
  }

  private mutating func flush() -> [Action] {
    guard isOnline, !events.isEmpty else { return [] }
    let count = min(events.count, policy.unsent - unsent)
    guard count > 0 else { return [] }
    unsent += count
    defer { events.removeFirst(count) }
    return [.events(Array(events.prefix(count)))]
  }
}

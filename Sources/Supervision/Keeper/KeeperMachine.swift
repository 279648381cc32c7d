public import PlaybackCore

/// Keeps a child running: decides when to start it, which messages it owes and by when, how to end one that hangs, and
/// what follows its end.
///
/// Facts go in with their time, actions come out. The states, and those that may follow:
/// - `idle`: no child was started yet. To starting, ended.
/// - `starting`: the child runs, and hasn't said READY. To running, ending, waiting, ended.
/// - `running`: the child has said READY, and repeats WATCHDOG=1. To ending, waiting, ended.
/// - `ending`: the child has to end by a time, by itself or by a signal. To ending (by a stronger signal), waiting,
///   ended.
/// - `waiting`: no child runs, and the next one is started at a time. To starting, waiting (it couldn't be started),
///   ended.
/// - `ended`: the keeper ends; no state follows.
public struct KeeperMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case idle
    /// `until`: the child has to say READY by then.
    case starting(until: Instant?)
    /// `until`: the child has to say WATCHDOG=1 by then.
    case running(until: Instant?)
    case ending(Ending, until: Instant)
    case waiting(until: Instant)
    case ended
  }

  /// The way in which a child ends.
  public enum Ending: Hashable, Sendable {
    /// The child was asked to end, or said that it does.
    case clean
    /// The child got SIGABRT, so that it records where it hangs.
    case abort
    case kill
    /// The child hangs in the kernel; not even SIGKILL ends it.
    case stuck
  }

  public enum Event: Hashable, Sendable {
    /// The keeper begins.
    case start
    case started
    /// The system can't start another process, or the program's file is missing.
    case notStarted
    case said(KeeperNotice)
    case died(Death)
    /// The keeper was sent a signal.
    case signalled(Signal)
    /// The time has reached `deadline`.
    case timeIsUp
  }

  public enum Signal: Hashable, Sendable {
    /// SIGTERM or SIGINT, which end the keeper.
    case end
    /// SIGHUP, SIGUSR1 or SIGUSR2, for the child, which has handlers for them from READY on.
    case command(Int32)
  }

  /// The exit status of a process.
  public enum Death: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  public enum Action: Hashable, Sendable {
    /// Starts a child. Answered by `started` or `notStarted`.
    case start
    /// Sends the child SIGTERM.
    case askToEnd
    case send(Int32)
    /// Sends SIGABRT, then SIGCONT: a stopped process would never handle the first.
    case abort
    /// Sends SIGKILL to the child and the processes that it has started.
    case kill
    case reboot
    case tell(KeeperNews)
    /// Closes the kept descriptors and ends the keeper with this code.
    case end(Int32)
  }

  public private(set) var state = State.idle
  public let policy: KeeperPolicy
  /// Whether the keeper was asked to end.
  public private(set) var isAskedToEnd = false
  /// The number of children in a row that ended before READY.
  private var quickDeaths = 0
  /// Whether the running child, or the last one, has said READY.
  private var wasReady = false
  /// The signals for a child that has no handlers yet, each once, in their order.
  private var pending: [Int32] = []

  public init(policy: KeeperPolicy = KeeperPolicy()) { self.policy = policy }

  /// When `timeIsUp` is due; nil for never.
  public var deadline: Instant? {
    switch state {
    case .starting(let until), .running(let until): until
    // No further measure is left.
    case .ending(.stuck, _): nil
    case .ending(_, let until), .waiting(let until): until
    case .idle, .ended: nil
    }
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    switch event {
    case .start:
      guard state == .idle else { return [] }
      state = .waiting(until: now)
      return [.start]
    case .started:
      guard case .waiting = state else { return [] }
      wasReady = false
      state = .starting(until: policy.startLimit.map { now + $0 })
      return []
    case .notStarted:
      guard case .waiting = state else { return [] }
      quickDeaths += 1
      return wait(at: now)
    case .said(let notice): return said(notice, at: now)
    case .died(let death): return died(death, at: now)
    case .signalled(.end): return askedToEnd(at: now)
    case .signalled(.command(let number)): return commanded(number)
    case .timeIsUp:
      guard let deadline, deadline <= now else { return [] }
      return timeIsUp(at: now)
    }
  }

  // MARK: The child's messages

  private mutating func said(_ notice: KeeperNotice, at now: Instant) -> [Action] {
    switch (notice, state) {
    case (.ready, .starting):
      (wasReady, quickDeaths) = (true, 0)
      state = .running(until: watchedUntil(now))
      defer { pending = [] }
      return pending.map { .send($0) }
    case (.watchdog, .running): state = .running(until: watchedUntil(now))
    case (.watchdogTrigger, .starting), (.watchdogTrigger, .running):
      return abort(.hangs(afterSilence: nil), at: now)
    case (.extendTimeout(let more), .starting(let until?)): state = .starting(until: max(until, now + more))
    case (.extendTimeout(let more), .ending(.clean, let until)):
      state = .ending(.clean, until: max(until, now + more))
    // The child ends by itself: it gets the same time as on request.
    case (.stopping, .starting), (.stopping, .running): state = .ending(.clean, until: now + policy.stopLimit)
    default: break
    }
    return []
  }

  private func watchedUntil(_ now: Instant) -> Instant? { policy.watchdog.map { now + $0 } }

  // MARK: Time

  private mutating func timeIsUp(at now: Instant) -> [Action] {
    switch state {
    case .starting: return abort(.isNotReady(after: policy.startLimit ?? .zero), at: now)
    case .running: return abort(.hangs(afterSilence: policy.watchdog), at: now)
    case .ending(.clean, _), .ending(.abort, _):
      state = .ending(.kill, until: now + policy.killLimit)
      return [.tell(.isKilled), .kill]
    case .ending(.kill, _):
      state = .ending(.stuck, until: now)
      return [.tell(.cannotBeKilled), .reboot]
    case .waiting: return [.start]
    case .idle, .ended, .ending(.stuck, _): return []
    }
  }

  private mutating func abort(_ news: KeeperNews, at now: Instant) -> [Action] {
    state = .ending(.abort, until: now + policy.abortLimit)
    return [.tell(news), .abort]
  }

  // MARK: The child's end

  private mutating func died(_ death: Death, at now: Instant) -> [Action] {
    switch state {
    case .starting, .running, .ending: break
    case .idle, .waiting, .ended: return []
    }
    quickDeaths = wasReady ? 0 : quickDeaths + 1
    if isAskedToEnd || death == .code(0) { return end(death.code) }
    guard case .code(let code) = death else { return wait(telling: .died(death), at: now) }
    if policy.finalCodes.contains(code) { return end(code) }
    if code == policy.takeOverCode, quickDeaths <= policy.quickDeaths {
      state = .waiting(until: now)
      return [.tell(.died(death)), .start]
    }
    return wait(telling: .died(death), at: now) + (code == policy.rebootCode ? [.reboot] : [])
  }

  private mutating func wait(telling news: KeeperNews? = nil, at now: Instant) -> [Action] {
    if isAskedToEnd { return end(0) }
    let delay = policy.delay(afterQuickDeaths: quickDeaths)
    state = .waiting(until: now + delay)
    return (news.map { [.tell($0)] } ?? []) + (delay > policy.delay ? [.tell(.waits(delay))] : [])
  }

  private mutating func end(_ code: Int32) -> [Action] {
    (state, pending) = (.ended, [])
    return [.end(code)]
  }

  // MARK: Signals to the keeper

  private mutating func askedToEnd(at now: Instant) -> [Action] {
    switch state {
    case .idle, .waiting:
      isAskedToEnd = true
      return end(0)
    case .starting, .running:
      isAskedToEnd = true
      state = .ending(.clean, until: now + policy.stopLimit)
      return [.askToEnd]
    case .ending:
      defer { isAskedToEnd = true }
      return isAskedToEnd ? [] : [.askToEnd]
    case .ended: return []
    }
  }

  private mutating func commanded(_ number: Int32) -> [Action] {
    switch state {
    case .running: return [.send(number)]
    case .idle, .starting, .waiting:
      pending.removeAll { $0 == number }
      pending.append(number)
      return []
    case .ending where isAskedToEnd: return []
    case .ending:
      pending.removeAll { $0 == number }
      pending.append(number)
      return []
    case .ended: return []
    }
  }

  // MARK: Invariants

  package var invariants: Invariants {
    var found = Invariants()
    if case .running = state {
      found.check("a child that runs has been READY", wasReady)
      found.check("one that runs has no signals to wait for", pending.isEmpty)
      found.check("what runs isn't asked to end", !isAskedToEnd)
    }
    if case .waiting = state { found.check("none follows when the keeper is asked to end", !isAskedToEnd) }
    return found
  }
}

extension KeeperMachine.Death {
  /// The exit code in a shell's convention: 128 plus the number for a signal.
  public var code: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 + number
    }
  }
}

/// The news that the keeper logs for people.
public enum KeeperNews: Hashable, Sendable {
  /// `afterSilence`: nil where the child itself reported that it hangs.
  case hangs(afterSilence: Duration?)
  case isNotReady(after: Duration)
  case isKilled
  case cannotBeKilled
  case died(KeeperMachine.Death)
  case waits(Duration)
}

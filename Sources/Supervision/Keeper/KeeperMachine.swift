public import PlaybackCore

/// Keeps a child running: when it is started, what it has to say and by when, how one that hangs is ended, and what follows an end.
///
/// Facts go in with their time, effects come out. States, and what may follow them:
/// - `idle`: nothing was started yet. To starting, ended.
/// - `starting`: runs, and hasn't said READY. To running, ending, waiting, ended.
/// - `running`: READY; it says WATCHDOG=1 again and again. To ending, waiting, ended.
/// - `ending`: it is to end, by itself or by a signal, and has until a time to do so. To ending (by a stronger signal), waiting, ended.
/// - `waiting`: none runs, and the next is started at a time. To starting, waiting (it couldn't be started), ended.
/// - `ended`: the keeper ends; nothing follows.
public struct KeeperMachine: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case idle
    /// Until when it is to say READY.
    case starting(until: Instant?)
    /// Until when it is to say that all is well.
    case running(until: Instant?)
    case ending(Ending, until: Instant)
    case waiting(until: Instant)
    case ended
  }

  /// How a child is on its way out.
  public enum Ending: Hashable, Sendable {
    /// It was asked to, or said that it does.
    case clean
    /// SIGABRT, so that it writes down where it hangs.
    case abort
    case kill
    /// It hangs in the kernel; not even SIGKILL ends it.
    case stuck
  }

  public enum Event: Hashable, Sendable {
    /// Begin.
    case start
    case started
    /// The system has no process to give, or the program isn't there.
    case notStarted
    case said(KeeperNotice)
    case died(Death)
    /// This process was sent a signal.
    case signalled(Signal)
    /// The time is `deadline`, or later.
    case timeIsUp
  }

  public enum Signal: Hashable, Sendable {
    /// SIGTERM, SIGINT.
    case end
    /// SIGHUP, SIGUSR1, SIGUSR2: for the child, which has handlers for them from READY on.
    case command(Int32)
  }

  /// How a process ended.
  public enum Death: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  public enum Effect: Hashable, Sendable {
    /// Answered by `started` or `notStarted`.
    case start
    /// SIGTERM.
    case askToEnd
    case send(Int32)
    /// SIGABRT, and SIGCONT: a process that is stopped would take it never.
    case abort
    /// SIGKILL, for it and what it has started.
    case kill
    case reboot
    case tell(KeeperNews)
    /// What is kept is closed; the keeper ends with this code.
    case end(Int32)
  }

  public private(set) var state = State.idle
  public let policy: KeeperPolicy
  /// The keeper was asked to end.
  public private(set) var isAskedToEnd = false
  /// Children in a row that ended before they were READY.
  private var quickDeaths = 0
  /// The child that runs, or the last one, has been READY.
  private var wasReady = false
  /// Signals for a child that has no handlers yet, each once, in the order in which they came.
  private var pending: [Int32] = []

  public init(policy: KeeperPolicy = KeeperPolicy()) { self.policy = policy }

  /// When `timeIsUp` is to be told; nil for never.
  public var deadline: Instant? {
    switch state {
    case .starting(let until), .running(let until): until
    // Nothing more can be done.
    case .ending(.stuck, _): nil
    case .ending(_, let until), .waiting(let until): until
    case .idle, .ended: nil
    }
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
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

  // MARK: What the child says

  private mutating func said(_ notice: KeeperNotice, at now: Instant) -> [Effect] {
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
    // By itself: it is given the time that it has when it is asked.
    case (.stopping, .starting), (.stopping, .running): state = .ending(.clean, until: now + policy.stopLimit)
    default: break
    }
    return []
  }

  private func watchedUntil(_ now: Instant) -> Instant? { policy.watchdog.map { now + $0 } }

  // MARK: Time

  private mutating func timeIsUp(at now: Instant) -> [Effect] {
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

  private mutating func abort(_ news: KeeperNews, at now: Instant) -> [Effect] {
    state = .ending(.abort, until: now + policy.abortLimit)
    return [.tell(news), .abort]
  }

  // MARK: Its end

  private mutating func died(_ death: Death, at now: Instant) -> [Effect] {
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

  private mutating func wait(telling news: KeeperNews? = nil, at now: Instant) -> [Effect] {
    if isAskedToEnd { return end(0) }
    let delay = policy.delay(afterQuickDeaths: quickDeaths)
    state = .waiting(until: now + delay)
    return (news.map { [.tell($0)] } ?? []) + (delay > policy.delay ? [.tell(.waits(delay))] : [])
  }

  private mutating func end(_ code: Int32) -> [Effect] {
    (state, pending) = (.ended, [])
    return [.end(code)]
  }

  // MARK: Signals to the keeper

  private mutating func askedToEnd(at now: Instant) -> [Effect] {
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

  private mutating func commanded(_ number: Int32) -> [Effect] {
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

  // MARK: What always holds

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
  /// As a shell has it.
  public var code: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 + number
    }
  }
}

/// What people are told.
public enum KeeperNews: Hashable, Sendable {
  /// `afterSilence`: nil where it said so itself.
  case hangs(afterSilence: Duration?)
  case isNotReady(after: Duration)
  case isKilled
  case cannotBeKilled
  case died(KeeperMachine.Death)
  case waits(Duration)
}

/// Delays of the tries to open a sound device. Every number has its reason here.
public struct SoundRetryPolicy: Hashable, Sendable {
  /// First delay: a restarted server is back within about half a second.
  public var first: Duration = .milliseconds(500)
  /// Factor between successive delays after failures.
  public var factor = 2
  /// Longest delay: a visitor who plugs a loudspeaker in hears it before giving up, and the log isn't flooded.
  public var longest: Duration = .seconds(8)
  /// Time after which a working device counts as good, so that its next failure starts with the first delay. If it were
  /// shorter, a device that opens and fails at once would be tried twice a second for ever.
  public var proving: Duration = .seconds(10)

  public init() {}
}

/// Keeps a sound device open: decides when to open it, and when to try again after it failed or was unplugged.
///
/// closed -> opening (start) -> open (opened) -> waiting (failed) -> opening (the time has come); opening -> waiting
/// (could not be opened, or found none); open, waiting -> opening (another device is wanted); stopped from any of them,
/// for good.
public struct SoundReconnect: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case closed
    case opening
    case open(since: Instant)
    case waiting(until: Instant)
    case stopped
  }

  public enum Event: Hashable, Sendable {
    case start
    /// The device is open, by this name.
    case opened(String)
    case couldNotOpen(VitrineError)
    /// There is no device, and none was asked for by its name.
    case foundNone
    /// The open device has failed.
    case failed(VitrineError)
    /// Another device was chosen.
    case deviceChanged
    /// Time has passed.
    case tick
    case stop
  }

  public enum Action: Hashable, Sendable {
    /// Open the device of the settings. Answered by `opened` or `couldNotOpen`.
    case open
    case close
    case tell(SoundState)
  }

  public private(set) var phase = Phase.closed
  private let policy: SoundRetryPolicy
  private var delay: Duration
  /// Whether the present failure has been reported; its consequences aren't.
  private var hasTold = false

  public init(policy: SoundRetryPolicy = SoundRetryPolicy()) {
    self.policy = policy
    delay = policy.first
  }

  /// When `tick` is wanted; nil for never.
  public var wakeUp: Instant? {
    if case .waiting(let until) = phase { return until }
    return nil
  }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch (phase, event) {
    case (.stopped, _): return []
    case (.open, .stop):
      phase = .stopped
      return [.close]
    case (_, .stop):
      phase = .stopped
      return []
    case (.closed, .start):
      phase = .opening
      return [.open]
    case (.opening, .opened(let device)):
      phase = .open(since: now)
      return [.tell(.on(device: device))]
    case (.opening, .couldNotOpen(let error)):
      return wait(now) + reportOnce(error)
    case (.opening, .foundNone):
      defer { hasTold = true }
      return wait(now) + (hasTold ? [] : [.tell(.absent)])
    case (.open(let since), .failed(let error)):
      if now - since >= policy.proving { forgive() }
      return [.close] + wait(now) + reportOnce(error)
    // The previous device's failures say nothing about the new one.
    case (.open, .deviceChanged):
      forgive()
      phase = .opening
      return [.close, .open]
    case (.waiting, .deviceChanged):
      forgive()
      phase = .opening
      return [.open]
    case (.waiting(let until), .tick) where now >= until:
      phase = .opening
      return [.open]
    default: return []  // a late event of an earlier phase
    }
  }

  /// Forgets earlier failures: the device has proved good, or was replaced.
  private mutating func forgive() {
    delay = policy.first
    hasTold = false
  }

  private mutating func wait(_ now: Instant) -> [Action] {
    phase = .waiting(until: now + delay)
    delay = min(policy.longest, delay * policy.factor)
    return []
  }

  private mutating func reportOnce(_ error: VitrineError) -> [Action] {
    defer { hasTold = true }
    return hasTold ? [] : [.tell(.off(error))]
  }
}

/// An output's report on its sound.
public enum SoundState: Hashable, Sendable {
  /// Sound is on, by this device.
  case on(device: String)
  /// Sound is off; the device is tried again.
  case off(VitrineError)
  /// There is no sound server and no sound card, and no device was asked for by name; both are looked for again.
  case absent

  /// The device, or `none`.
  public var device: String { if case .on(let device) = self { device } else { "none" } }
}

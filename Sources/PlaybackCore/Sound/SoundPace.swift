/// How patiently sound follows a device's clock. Every number has its reason here.
public struct SoundPacePolicy: Hashable, Sendable {
  /// Sound is stretched or shortened by so much at most: 1.7 hundredths of a semitone, a third of what a trained ear tells
  /// apart. Crystals are off by less than a fifth of it.
  public var most = 0.001
  /// Readings are taken together for so long. A device tells where it is in steps, of up to 10 ms; what it told last is never
  /// ahead of the truth, so the reading that is furthest ahead is the best one.
  public var window: Duration = .milliseconds(500)
  /// What a device tells right after it was opened is wrong by up to 30 ms (PulseAudio: the stream hasn't begun to move). For
  /// so long it is taken at its word...
  public var settling: Duration = .seconds(2)
  /// ...again and again, in windows of this length...
  public var settlingWindow: Duration = .milliseconds(120)
  /// ...where it is off by more than this.
  public var settlingTolerance: Duration = .milliseconds(4)
  /// Later, a device that is off by more, in two windows in a row, has lost its place: it ran empty, or slept. There was a break to be
  /// heard then; catching up at 0.1 % would take 20 s and more.
  public var lost: Duration = .milliseconds(20)
  /// Per second: how fast an error is made up for, until the drift is known. A clock that is off by 0.02 % makes 1.5 ms
  /// meanwhile, one that is off by 0.09 % makes 7.
  public var gain = 0.1
  /// How long that takes.
  public var learning: Duration = .seconds(60)
  /// Per second, from then on: readings that go in steps of 10 ms change the pitch by 0.03 % at most.
  public var steadyGain = 0.03

  public init() {}
}

/// Follows a device's clock: says how much of our time goes into a second of the device's, so that what it plays stays in
/// step with the picture, without a skip.
///
/// All is about one number: by how much the device is ahead of our clock, since some instant. The device tells it, in steps
/// and with jitter; `ahead` is what sound is made for, and it changes by 0.1 % of the time at most. Only a device that was just
/// opened, or has lost its place, makes it jump.
public struct SoundPace: Hashable, Sendable {
  /// What is to be done for the next stretch.
  public enum Move: Hashable, Sendable {
    /// A second of the device's takes so many seconds of ours.
    case stretch(Double)
    /// What comes next belongs somewhere else: `ahead` has changed by so much.
    case jump(Duration)
  }

  private let policy: SoundPacePolicy
  private let opened: Instant
  private var seconds = 0.0
  /// How much faster the device is, as learned.
  private var drift = 0.0
  /// How much faster it is taken to be at the moment: the drift, and what makes up for the error.
  private var rate = 0.0
  private var windowEnds: Instant
  /// Of the readings of this window, against `seconds`.
  private var furthest: Double?
  private var windowsLost = 0

  public init(openedAt: Instant, policy: SoundPacePolicy = SoundPacePolicy()) {
    self.policy = policy
    opened = openedAt
    windowEnds = openedAt + policy.settlingWindow
  }

  /// By how much the device is taken to be ahead of our clock.
  public var ahead: Duration { .seconds(seconds) }

  /// The device said by how much it is ahead.
  public mutating func observe(ahead: Duration) {
    let error = ahead.inSeconds - seconds
    furthest = max(furthest ?? error, error)
  }

  /// What the next stretch of the device's time is made of.
  public mutating func next(_ stretch: Duration, at now: Instant) -> Move {
    if now >= windowEnds, let error = furthest {
      furthest = nil
      let isSettling = now - opened < policy.settling
      let window = isSettling ? policy.settlingWindow : policy.window
      windowEnds = now + window
      if isSettling {
        if abs(error) > policy.settlingTolerance.inSeconds { return jump(error) }
      } else {
        windowsLost = abs(error) > policy.lost.inSeconds ? windowsLost + 1 : 0
        if windowsLost > 1 { return jump(error) }
        let gain = now - opened < policy.learning ? policy.gain : policy.steadyGain
        // A quarter of the gain's square: no overshoot.
        drift = bounded(drift + gain * gain / 4 * error * window.inSeconds)
        rate = bounded(drift + gain * error)
      }
    }
    seconds += rate * stretch.inSeconds
    return .stretch(1 - rate)
  }

  private mutating func jump(_ error: Double) -> Move {
    seconds += error
    rate = drift
    windowsLost = 0
    return .jump(.seconds(error))
  }

  private func bounded(_ value: Double) -> Double { min(policy.most, max(-policy.most, value)) }
}

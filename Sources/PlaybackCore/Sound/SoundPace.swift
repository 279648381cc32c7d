/// Parameters by which sound follows a device's clock. Every number has its reason here.
public struct SoundPacePolicy: Hashable, Sendable {
  /// Greatest stretch of the sound: 1.7 hundredths of a semitone, a third of what a trained ear tells apart. Crystals
  /// are off by less than a fifth of it.
  public var most = 0.001
  /// Time over which readings are combined. A device reports its position in steps of up to 10 ms, and the last report
  /// is never ahead of the truth, so the reading that is furthest ahead is the best one.
  public var window: Duration = .milliseconds(500)
  /// Time after opening during which a device's position is adopted at once. Its first reports are wrong by up to 30 ms
  /// (PulseAudio: the stream hasn't begun to move).
  public var settling: Duration = .seconds(2)
  /// Length of the windows during `settling`.
  public var settlingWindow: Duration = .milliseconds(120)
  /// Least error that is corrected at once during `settling`.
  public var settlingTolerance: Duration = .milliseconds(4)
  /// Error that, in two windows in a row after `settling`, shows that the device has lost its place: it underran, or
  /// slept. The sound was interrupted then anyway, and catching up at 0.1 % would take 20 s and more.
  public var lost: Duration = .milliseconds(20)
  /// Share of an error that is corrected per second until the drift is known. A clock that is off by 0.02 % causes an
  /// error of 1.5 ms meanwhile, one that is off by 0.09 % causes 7 ms.
  public var gain = 0.1
  /// Time until the drift is known.
  public var learning: Duration = .seconds(60)
  /// Share per second after that: readings in steps of 10 ms change the pitch by 0.03 % at most.
  public var steadyGain = 0.03

  public init() {}
}

/// Follows a device's clock: computes how much of the player's time goes into a second of the device's, so that its
/// sound stays in step with the picture, without a skip.
///
/// All of it is about one number: the time by which the device is ahead of the player's clock, since some instant. The
/// device reports it in steps and with jitter. `ahead` is the estimate that sound is rendered for, and it changes by at
/// most 0.1 % of the time. It jumps only for a device that was just opened, or has lost its place.
public struct SoundPace: Hashable, Sendable {
  /// The treatment of the next stretch of sound.
  public enum Move: Hashable, Sendable {
    /// A second of the device's time takes this many seconds of the player's.
    case stretch(Double)
    /// `ahead` has changed by this much: the next stretch is from another place.
    case jump(Duration)
  }

  private let policy: SoundPacePolicy
  private let opened: Instant
  private var seconds = 0.0
  /// The device's rate error, as learned.
  private var drift = 0.0
  /// The rate error assumed now: the drift, plus the correction of the present error.
  private var rate = 0.0
  private var windowEnds: Instant
  /// The greatest error among the readings of this window, against `seconds`.
  private var furthest: Double?
  private var windowsLost = 0

  public init(openedAt: Instant, policy: SoundPacePolicy = SoundPacePolicy()) {
    self.policy = policy
    opened = openedAt
    windowEnds = openedAt + policy.settlingWindow
  }

  /// The estimate of how far the device is ahead of the player's clock.
  public var ahead: Duration { .seconds(seconds) }

  /// Takes a reading of how far the device is ahead.
  public mutating func observe(ahead: Duration) {
    let error = ahead.inSeconds - seconds
    furthest = max(furthest ?? error, error)
  }

  /// Decides the treatment of the next stretch of the device's time.
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

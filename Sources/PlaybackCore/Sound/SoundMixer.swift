/// Overall volume and mute: the one place that determines the loudness at any instant.
///
/// `volume` is the position of a knob: its cube is the factor for the samples, so that half a turn sounds about half as
/// loud (an eighth, -18 dB). That is the cubic scale of GstStreamVolume and of PulseAudio's sliders. An item's volume
/// isn't a knob but a correction of a recording: a factor, like `volume` of playbin and of AVPlayer, applied to the
/// item's samples. Both factors are multiplied.
///
/// Changes are ramps in time: a jump is heard as a click.
public struct SoundMixer: Hashable, Sendable {
  /// 0...1, whether muted or not.
  public private(set) var volume: Double
  public private(set) var isMuted: Bool
  private var ramp: Ramp

  private struct Ramp: Hashable, Sendable {
    var from: Double
    var to: Double
    var start: Instant
    var end: Instant
  }

  /// The shortest ramp: below 10 ms a step is heard as a click, above 20 ms a mute is felt as late.
  public static let shortestRamp: Duration = .milliseconds(15)

  public init(volume: Double = 1, isMuted: Bool = false) {
    self.volume = min(1, max(0, volume))
    self.isMuted = isMuted
    let knob = isMuted ? 0 : self.volume
    let origin = Instant(nanoseconds: 0)
    ramp = Ramp(from: knob, to: knob, start: origin, end: origin)
  }

  /// - Parameters:
  ///   - volume: clamped to 0...1.
  ///   - fade: duration of the change, `shortestRamp` at least.
  public mutating func setVolume(_ volume: Double, over fade: Duration = .zero, at now: Instant) {
    guard volume.isFinite else { return }
    self.volume = min(1, max(0, volume))
    head(over: fade, at: now)
  }

  public mutating func setMuted(_ isMuted: Bool, over fade: Duration = .zero, at now: Instant) {
    self.isMuted = isMuted
    head(over: fade, at: now)
  }

  /// The factor for samples that are heard at that instant; 0...1.
  public func amplitude(at instant: Instant) -> Double {
    let knob = knob(at: instant)
    return knob * knob * knob
  }

  /// Starts a ramp at the value that the last one has reached by now.
  private mutating func head(over fade: Duration, at now: Instant) {
    let target = isMuted ? 0 : volume
    guard target != ramp.to else { return }
    ramp = Ramp(from: knob(at: now), to: target, start: now, end: now + max(Self.shortestRamp, fade))
  }

  private func knob(at instant: Instant) -> Double {
    if instant >= ramp.end { return ramp.to }
    if instant <= ramp.start { return ramp.from }
    return ramp.from + (ramp.to - ramp.from) * ((instant - ramp.start) / (ramp.end - ramp.start))
  }
}

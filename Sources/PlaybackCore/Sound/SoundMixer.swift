/// Overall volume and mute: the one place that says how loud everything is, at any instant.
///
/// Volume is the position of a knob, as people turn it: its cube is the factor by which samples are multiplied, so that
/// half a turn sounds about half as loud (an eighth, -18 dB). That is the cubic scale of GstStreamVolume and of the
/// sliders of PulseAudio. The volume of an item is no knob but a correction of a recording, and a factor, as `volume` of
/// playbin and of AVPlayer are; it is applied where the item's samples are. Both are multiplied.
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
  ///   - volume: 0...1; what is beyond is taken to the nearer end.
  ///   - fade: how long it takes, `shortestRamp` at least.
  public mutating func setVolume(_ volume: Double, over fade: Duration = .zero, at now: Instant) {
    guard volume.isFinite else { return }
    self.volume = min(1, max(0, volume))
    head(over: fade, at: now)
  }

  public mutating func setMuted(_ isMuted: Bool, over fade: Duration = .zero, at now: Instant) {
    self.isMuted = isMuted
    head(over: fade, at: now)
  }

  /// What samples that are heard at that instant are multiplied by; 0...1.
  public func amplitude(at instant: Instant) -> Double {
    let knob = knob(at: instant)
    return knob * knob * knob
  }

  /// A change begins where the last one is by now.
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

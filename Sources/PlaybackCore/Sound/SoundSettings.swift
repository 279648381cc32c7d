/// Settings of an output's sound. Volume and mute can be changed while it plays.
public struct SoundSettings: Hashable, Sendable {
  /// Whether there is a sound branch. Without one no device is opened, and sound isn't decoded.
  public var isEnabled: Bool
  public var device: SoundDevice
  /// A second device, such as a booth's handset, on which the visitor's choice of sound is heard; nil for none.
  public var headset: SoundDevice?
  /// 0 is silent, 1 as recorded. The position of a knob, not a factor: see `SoundMixer`.
  public var volume: Double
  public var isMuted: Bool
  /// Delay of the sound against the picture; negative is earlier. Compensates for the delay of a screen or an
  /// amplifier. Clamped to `offsetRange`.
  public var offset: Duration
  /// Duration of a change of volume or mute. Zero is as fast as possible without a click.
  public var fade: Duration
  /// Address of the PulseAudio server; nil takes the environment's.
  public var pulseServer: String?

  /// Screens delay pictures by up to 0.2 s, wireless loudspeakers sound by up to 0.5 s; more than a second is an error.
  public static let offsetRange: ClosedRange<Duration> = .milliseconds(-1000) ... .milliseconds(1000)

  public init(
    isEnabled: Bool = true, device: SoundDevice = .auto, headset: SoundDevice? = nil, volume: Double = 1,
    isMuted: Bool = false, offset: Duration = .zero, fade: Duration = .zero, pulseServer: String? = nil
  ) {
    self.isEnabled = isEnabled
    self.device = device
    self.headset = headset
    self.volume = min(1, max(0, volume))
    self.isMuted = isMuted
    self.offset = min(Self.offsetRange.upperBound, max(Self.offsetRange.lowerBound, offset))
    self.fade = max(.zero, fade)
    self.pulseServer = pulseServer
  }
}

import ArgumentParser
import PlaybackCore

/// The options for the sound's device and volume.
struct SoundOptions: ParsableArguments {
  @Flag(help: "Play no sound and open no sound device.")
  var noAudio = false

  @Option(
    help: ArgumentHelp(
      "Where the sound goes: \(SoundDevice.allowed).",
      discussion:
        "auto: the sound server that answers, else ALSA's default. connector: the ALSA device of the screen's "
        + "connector. 'vitrine sounds' lists devices.", valueName: "device"),
    transform: SoundOptions.soundDevice)
  var audioDevice: SoundDevice?

  @Option(
    help: ArgumentHelp("How loud everything is, from 0 to 1; a half sounds about half as loud.", valueName: "0...1"),
    transform: SoundOptions.volume)
  var volume: Double?

  @Flag(help: "Begin muted; the sound device is opened all the same.")
  var mute = false

  @Option(
    parsing: .unconditional,  // a minus is no option
    help: ArgumentHelp(
      "How much later sound is heard than its picture is shown, in milliseconds; negative is earlier.", valueName: "ms"),
    transform: SoundOptions.offset)
  var audioOffset: Duration?

  /// Overrides the configuration's settings.
  func apply(to sound: inout SoundSettings) {
    if noAudio { sound.isEnabled = false }
    if let audioDevice { sound.device = audioDevice }
    if let volume { sound.volume = volume }
    if mute { sound.isMuted = true }
    if let audioOffset { sound.offset = audioOffset }
  }

  static func soundDevice(_ text: String) throws -> SoundDevice {
    guard let device = SoundDevice(text) else {
      throw ValidationError("'\(text)' is not a sound device; write \(SoundDevice.allowed).")
    }
    return device
  }

  static func volume(_ text: String) throws -> Double {
    guard let volume = Double(text), (0...1).contains(volume) else {
      throw ValidationError("'\(text)' is not a volume; write a number from 0 to 1.")
    }
    return volume
  }

  static func offset(_ text: String) throws -> Duration {
    let range = SoundSettings.offsetRange
    guard let milliseconds = Int(text), range.contains(.milliseconds(milliseconds)) else {
      throw ValidationError(
        "'\(text)' is not an offset; write milliseconds from \(Int(range.lowerBound.inMilliseconds)) to "
          + "\(Int(range.upperBound.inMilliseconds)).")
    }
    return .milliseconds(milliseconds)
  }
}

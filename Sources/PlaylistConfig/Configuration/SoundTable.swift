import PlaybackCore

/// The keys of `[audio]`.
enum SoundTable {
  static let keys = TableDescription<SoundSettings>([
    .value("enabled", .boolean, \.isEnabled, default: SoundSettings(), "Whether there is sound at all."),
    .value(
      "device", .soundDevice, \.device, default: SoundSettings(), example: "\"alsa:hdmi:CARD=vc4hdmi0,DEV=0\"",
      "Where sound goes: connector is the sound device of the screen's connector; `vitrine sounds` lists the devices."
    ).takesEffect(.nextItem),
    .optional(
      "headset", .soundDevice, \.headset, example: "\"pulse:handset\"",
      "A second device, such as the handset of a booth: a visitor's language and audio description are heard there, and "
        + "the loudspeaker keeps what is configured. Until somebody chooses, both have the same sound: docs/input.md."),
    .value(
      "volume", .number(in: ConfigurationLimits.volume), \.volume, default: SoundSettings(),
      "How loud everything is: 0 is silent, 1 is as recorded, 0.5 sounds about half as loud."
    ).takesEffect(.atOnce),
    .value("muted", .boolean, \.isMuted, default: SoundSettings(), "Whether all sound is muted.").takesEffect(.atOnce),
    .value(
      "offset", .seconds(in: ConfigurationLimits.soundOffsetSeconds), \.offset, default: SoundSettings(),
      example: "0.12", "By how many seconds sound comes later than the picture; negative is earlier."),
    .value(
      "fade", .seconds(in: ConfigurationLimits.fadeSeconds), \.fade, default: SoundSettings(), example: "0.5",
      "How many seconds a change of volume takes."
    ).takesEffect(.atOnce),
  ])
}

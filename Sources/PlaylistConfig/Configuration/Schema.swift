import PlaybackCore

/// The format of the configuration: a key is added here and in its settings, and nowhere else. The reader, the
/// diagnostics, `vitrine config schema` and docs/configuration.md follow from it.
enum Schema {
  static let root = TableDescription<Configuration>([
    .value(
      "version", .exactly(Configuration.supportedVersion), \.version, example: "1",
      "The version of the format. Needed once, in the first file that is read."
    ).required,
    .table("display", display, \.display, "Where the picture goes."),
    .tables(
      "screen", header: "[[screen]]", screen, new: { ScreenSettings() }, limit: ConfigurationLimits.screens,
      position: \ScreenSettings.position, \.screens,
      "Several screens on one board, each with a playlist of its own, without a desktop. [display] says what holds for all of them. "
        + "Without it there is one screen. A change of the list holds at once: screens are opened, closed, or opened "
        + "anew, and the others play on."),
    .table("playback", playback, \.playback, "How the playlist plays."),
    .table("network", network, \.network, "Media from a network."),
    .table(
      "store", store, \.store,
      "Copies of remote items (http and https, but no HLS and DASH), fetched ahead, so that they play without a network."
    ),
    .table("audio", audio, \.audio, "Sound."),
    .table("input", input, \.input, "Touchscreens, mice, keys and buttons, and what they do."),
    .table("overlay", overlay, \.overlay, "What is drawn over the picture."),
    .table("attract", attract, \.attract, "What plays while nobody is at the screen, and what visitors get."),
    .table(
      "control", control, \.control,
      "Control by other programs of this machine, such as `vitrine ctl`: docs/control.md."),
    .table(
      "telemetry", telemetry, \.telemetry,
      "How the board fares, for those who aren't near it: its own page and figures, a broker, a server that is told, and what has "
        + "played: docs/telemetry.md. Nothing of it is on unless it is named."),
    .table("usb", usb, \.usb, "Content on USB sticks: a folder vitrine with media, or with a vitrine.toml."),
    .table("schedule", schedule, \.schedule, "When which playlist plays, and when the screen is off."),
    .namedTables(
      "playlist", playlist, new: { Playlist() }, \.playlists,
      "Playlists by name: letters, digits, - and _. The one called main plays unless the schedule says otherwise."),
  ])

  static let display = TableDescription<DisplaySettings>([
    .value(
      "output", .word, \.output, default: DisplaySettings(),
      "Where the picture goes: auto takes a Wayland compositor if one answers, else a graphics card; kms draws straight "
        + "on the screen, wayland in a full-screen window, headless nowhere."),
    .optional(
      "card", .text, \.card, example: "\"vc4\"",
      "The graphics card, by path, driver or device. Without it, the one that serves best."),
    .optional(
      "connector", .text, \.connector, position: \DisplaySettings.connectorPosition, example: "\"HDMI-A-1\"",
      "The screen, by the kernel's name of its connector. Without it, the first one plugged in."),
    .value(
      "built_in_panels", .word, \.builtInPanels, default: DisplaySettings(),
      "Whether panels that are built in come after screens that are plugged in, or before them."),
    .value(
      "mode", .displayMode, \.mode, default: DisplaySettings(), example: "\"1920x1080@60\"",
      "Resolution and refresh rate; auto is what the screen prefers. With match, the rate is that of the film or a multiple "
        + "of it, chosen anew for each item, without a desktop."),
    .value(
      "match_hold", .seconds(in: ConfigurationLimits.holdSeconds), \.matchHold, default: DisplaySettings(),
      "For how many seconds a rate has to hold that match changes to: shorter items are shown at the rate before. Many "
        + "screens are dark for a second or two while they change."),
    .value(
      "rotation", .rotation, \.rotation, default: DisplaySettings(),
      "By how many degrees the picture is turned on its panel, clockwise. Without a desktop only."),
    .value(
      "hdr", .word, \.hdr, default: DisplaySettings(),
      "What is done with HDR films (PQ, HLG): map shows them on any screen as SDR; auto leaves them as they are for a screen "
        + "that says that it shows HDR, without a desktop, and maps them for others; off never maps them."),
    .value(
      "cec", .cec, \.cec, default: DisplaySettings(), example: "\"/dev/cec1\"",
      "Whether the screen is put to sleep and woken over the HDMI cable (CEC) too: auto does where the connector has such "
        + "a line, a device names another one. Without a desktop only."),
    .value(
      "unplugged", .word, \.unplugged, default: DisplaySettings(),
      "What playback does while the screen is unplugged: keep its position, or go on muted."),
    .value(
      "keep_last_frame", .boolean, \.keepsLastFrame, default: DisplaySettings(),
      "Whether the last frame stays on the screen at the end, so that a restart isn't seen. Without a desktop only."),
    .value(
      "background", .colour, \.background, default: DisplaySettings(),
      "The colour of the screen where there is no picture. Without a desktop only."),
    .optional(
      "splash", .text, \.splash, position: \DisplaySettings.splashPosition, example: "\"splash.png\"",
      "A PNG that the screen shows until the first frame. Without a desktop only."),
  ])

  static let playback = TableDescription<PlaybackSettings>([
    .value(
      "loop", .boolean, \.loop, default: PlaybackSettings(), "Whether the playlist starts again after its last item."),
    .value(
      "resume", .word, \.resume, default: PlaybackSettings(),
      "Where playback begins when the board starts again, after a loss of power too: position is the item that played, and in one of ten "
        + "minutes or more the place that it had come to, up to ten minutes before; item is that item from its start; off is the start of "
        + "the list. Off also writes nothing; the others write a small file every ten minutes at most."),
    .value(
      "picture_duration", .seconds(in: ConfigurationLimits.pictureSeconds), \.pictureDuration,
      default: PlaybackSettings(), "For how many seconds a picture stays that doesn't say so itself."),
    .value(
      "transition", .word, \.transition, default: PlaybackSettings(),
      "How one item follows the other: at once (cut), or through the background (dip)."),
    .value(
      "transition_duration", .seconds(in: ConfigurationLimits.transitionSeconds), \.transitionDuration,
      default: PlaybackSettings(), "How many seconds a dip takes, half of them before the end of the item."),
  ])

  static let network = TableDescription<NetworkSettings>([
    .value(
      "timeout", .seconds(in: ConfigurationLimits.networkSeconds), \.timeout, default: NetworkSettings(),
      "For how many seconds a server may be silent before it counts as gone and is asked anew."),
    .optional(
      "buffer", .seconds(in: ConfigurationLimits.bufferSeconds), \.buffer, example: "20",
      "How many seconds of an item are kept ahead, at up to 20 Mbit/s. Without it, 10; 5 on boards with less than 1 GB."
    ),
    .value(
      "start_after", .seconds(in: ConfigurationLimits.markSeconds), \.startAfter, default: NetworkSettings(),
      "How many seconds of an item must be there before it starts."),
    .value(
      "resume_after", .seconds(in: ConfigurationLimits.markSeconds), \.resumeAfter, default: NetworkSettings(),
      "How many seconds must be there before it goes on after the network was too slow for it; twice as many each time "
        + "that this happens again within a minute."),
    .value(
      "skip_after", .seconds(in: ConfigurationLimits.networkSeconds), \.skipAfter, default: NetworkSettings(),
      "After how many seconds without a picture the next item plays, where there is another one that could. One that hasn't "
        + "begun when its turn comes is passed over after three, where the file of another one is on this board."),
    .value(
      "rtsp_latency", .seconds(in: ConfigurationLimits.latencySeconds), \.rtspLatency, default: NetworkSettings(),
      "For how many seconds an RTSP stream is held back, so that packets that come late are still in time."),
    .value(
      "rtsp_transport", .word, \.rtspTransport, default: NetworkSettings(),
      "auto takes UDP, and TCP where no packet comes that way."),
    .optional(
      "ca_file", .absolutePath, \.certificatesFile, example: "\"/etc/vitrine/ca.pem\"",
      "Certificates (PEM) of the authorities that are trusted, in place of the system's."),
    .optional(
      "proxy", .proxy, \.proxy, example: "\"http://proxy.lan:3128\"",
      "The proxy for http and https. Without it, what the environment says."),
    .value(
      "allow_local_redirects", .boolean, \.allowsLocalRedirects, default: NetworkSettings(),
      "Whether a server of the internet may send us to this board and to the network that it is in, and one of that network "
        + "to this board: by redirects, and by lists of what to play or of a stream's parts."),
    .tables(
      "server", header: "[[network.server]]", server, new: { ServerAccount() }, limit: ConfigurationLimits.words,
      \.servers,
      "Passwords and tokens for servers. Each goes to its server, by scheme, host and port, and nowhere else."),
  ])

  static let server = TableDescription<ServerAccount>([
    .value(
      "host", .serverName, \.host, example: "\"media.example.org\"",
      "The server, by its name as in the address, with the port where that has one. Another port is another server."
    ).required,
    .value(
      "scheme", .word, \.scheme, default: ServerAccount(),
      "https sends the secret over TLS only, to port 443 unless `host` has another one. http sends it in the clear, to port 80: "
        + "whoever is on the way can read it."),
    .optional("user", .text, \.user, example: "\"board17\"", "The name for Basic authentication."),
    .optional(
      "password_file", .absolutePath, \.passwordFile, example: "\"/etc/vitrine/password\"",
      "A file whose first line is the password."),
    .optional(
      "token_file", .absolutePath, \.tokenFile, example: "\"/etc/vitrine/token\"",
      "A file whose first line is sent as a bearer token, in place of user and password. Read for each request."),
  ])

  static let store = TableDescription<StoreTable>([
    .value("enabled", .boolean, \.isEnabled, default: StoreTable(), "Whether copies are kept."),
    .optional(
      "directory", .absolutePath, \.directory, example: "\"/media/disk/vitrine\"",
      "Where they are kept; a folder of their own. Without it, store in the state directory (/var/lib/vitrine)."),
    .value(
      "capacity", .bytes(in: ConfigurationLimits.storeBytes), \.capacity, default: StoreTable(),
      "How much all copies may take together. What was played least recently goes first, but nothing that plays today."),
    .value(
      "free_space", .bytes(in: ConfigurationLimits.storeBytes), \.freeSpace, default: StoreTable(),
      "How much of the disk is left to others."),
    .optional(
      "largest_file", .bytes(in: ConfigurationLimits.storeBytes), \.largestFile, example: "\"2 GB\"",
      "How much one copy may take. Larger ones play from the network."),
    .optional(
      "bandwidth", .bytes(in: ConfigurationLimits.storeBytes), \.bandwidth, example: "\"500 kB\"",
      "How much may be fetched in a second. Without it, as much as comes."),
    .value(
      "check_interval", .seconds(in: ConfigurationLimits.checkSeconds), \.checkInterval, default: StoreTable(),
      "How often a server is asked whether a file has changed. One with a checksum isn't asked about."),
  ])

  static let audio = TableDescription<AudioSettings>([
    .value("enabled", .boolean, \.isEnabled, default: AudioSettings(), "Whether there is sound at all."),
    .value(
      "device", .soundDevice, \.device, default: AudioSettings(), example: "\"alsa:hdmi:CARD=vc4hdmi0,DEV=0\"",
      "Where sound goes: connector is that of the screen's connector; `vitrine sounds` lists the devices."),
    .value(
      "volume", .number(in: ConfigurationLimits.volume), \.volume, default: AudioSettings(),
      "How loud everything is: 0 is silent, 1 is as recorded, 0.5 sounds about half as loud."),
    .value("muted", .boolean, \.isMuted, default: AudioSettings(), "Whether nothing is heard."),
    .value(
      "offset", .seconds(in: ConfigurationLimits.soundOffsetSeconds), \.offset, default: AudioSettings(),
      example: "0.12", "By how many seconds sound comes later than the picture; negative is earlier."),
    .value(
      "fade", .seconds(in: ConfigurationLimits.fadeSeconds), \.fade, default: AudioSettings(), example: "0.5",
      "How many seconds a change of volume takes."),
  ])

  static let control = TableDescription<ControlSettings>([
    .value(
      "enabled", .boolean, \.isEnabled, default: ControlSettings(),
      "Whether other programs may control the player: root, its own user, and the members of its group."),
    .optional(
      "socket", .absolutePath, \.socket, example: "\"/run/vitrine/control\"",
      "Where the socket is. Without it, control in the runtime directory (/run/vitrine)."),
  ])

  static let usb = TableDescription<USBSettings>([
    .value(
      "mode", .word, \.mode, default: USBSettings(),
      "off leaves sticks alone. play takes what is on a stick for as long as it is plugged in. copy copies its folder "
        + "vitrine to the board and plays the copy from then on, once all of it is there."),
    .value(
      "folder", .text, \.folder, default: USBSettings(), example: "\"/media/kiosk\"",
      "Where the system mounts sticks, each in an entry of its own; docs/usb.md tells how."),
    .optional(
      "password_file", .text, \.passwordFile, example: "\"/etc/vitrine/usb.password\"",
      "A file on the board. Only sticks are taken that have a file vitrine.password with the same text."),
  ])

  static let schedule = TableDescription<ScheduleSettings>([
    .optional(
      "timezone", .timeZone, \.timezone, position: \ScheduleSettings.timezonePosition, example: "\"Europe/Berlin\"",
      "The time zone of all dates and times, by its IANA name. Without it, the zone of the system."),
    .value(
      "default", .playlistName, \.defaultPlaylist, default: ScheduleSettings(),
      place: \ScheduleSettings.defaultPosition,
      "The playlist that plays when no rule matches, and while the clock isn't set."),
    .value(
      "wait_for_ntp", .boolean, \.waitsForNTP, default: ScheduleSettings(),
      "Whether the clock counts as not set until the system has synchronised it. For boards without a clock of their own; "
        + "others show the wrong playlist for as long as there is no network."),
    .tables(
      "rule", header: "[[schedule.rule]]", rule, new: { ScheduleRule() }, limit: ConfigurationLimits.rules, \.rules,
      "When another playlist than the default one plays. Of several rules that match, the one with the greatest priority "
        + "wins, then the first."),
    .tables(
      "off", header: "[[schedule.off]]", condition, new: { ScheduleCondition() }, limit: ConfigurationLimits.rules,
      position: \ScheduleCondition.position, \.off,
      "When the screen is off, with playback held. Without a key it would be off for ever. Without a desktop the screen "
        + "itself goes to sleep; elsewhere playback is held."),
  ])

  static let rule = TableDescription<ScheduleRule>(
    [
      .optional("name", .text, \.name, example: "\"opening hours\"", "For people, and for `vitrine schedule`."),
      .value(
        "playlist", .playlistName, \.playlist, position: \ScheduleRule.position, example: "\"morning\"",
        "The playlist that plays."
      ).required,
      .value(
        "priority", .integer(in: ConfigurationLimits.priority), \.priority, default: ScheduleRule(),
        "The greatest wins."),
    ] + conditionFields())

  static let condition = TableDescription<ScheduleCondition>(conditionFields())

  private static func conditionFields<Model: ScheduleConditional>() -> [TableDescription<Model>.Field] {
    [
      .value(
        "days", .days, \.condition.days, example: "[\"mon\", \"tue\", \"sat\"]",
        "Days of the week; weekdays and weekend stand for several. Without it, every day."),
      .optional(
        "from", .date, \.condition.from, example: "2026-12-01",
        "The first day, or \"12-01\" for that day of every year."),
      .optional(
        "until", .date, \.condition.until, example: "2026-12-24",
        "The last day. In a range of every year it may come before the first: from \"12-01\" until \"01-06\"."),
      .optional(
        "start", .time, \.condition.start, example: "\"18:00\"", "The time at which it begins. Without it, midnight."),
      .optional(
        "end", .time, \.condition.end, example: "\"02:00\"",
        "The time at which it ends. When that is before `start` it is on the next day, and these hours belong to the day "
          + "on which they started. Without it, midnight."),
    ]
  }
}

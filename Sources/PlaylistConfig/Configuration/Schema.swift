import PlaybackCore

/// The format of the configuration: a new key is added here and in its settings, and nowhere else. The reader, the
/// diagnostics, `vitrine config schema`, docs/configuration.md and the effects of a change follow from it.
enum Schema {
  static let root = TableDescription<Configuration>([
    .value(
      "version", .exactly(Configuration.supportedVersion), \.version, example: "1",
      "The version of the format. Needed once, in the first file that is read."
    ).takesEffect(.atOnce).required,
    .table("display", display, \.display, "Where the picture goes.").takesEffect(.newOutput),
    .tables(
      "screen", header: "[[screen]]", screen, new: { ScreenSettings() }, limit: ConfigurationLimits.screens,
      position: \ScreenSettings.position, \.screens,
      "Several screens on one board, each with a playlist of its own, without a desktop. [display] holds for all of "
        + "them. Without any [[screen]] there is one screen. A change of the list takes effect at once: screens are "
        + "opened, closed or reopened, and the others play on."
    ).takesEffect(.atOnce),
    .table("playback", playback, \.playback, "How the playlist plays.").takesEffect(.atOnce),
    .table("network", network, \.network, "Media from a network.").takesEffect(.nextOpening),
    .table(
      "store", store, \.store,
      "Copies of remote items (http and https, but no HLS and DASH), fetched ahead, so that they play without a network."
    ).takesEffect(.atOnce),
    .table("audio", SoundTable.keys, \.audio, "Sound.").takesEffect(.newOutput),
    .table("input", input, \.input, "Touchscreens, mice, keys and buttons, and what they do.").takesEffect(.atOnce),
    .table("overlay", OverlayTable.keys, \.overlay, "What is drawn over the picture.").takesEffect(.atOnce),
    .table("attract", AttractTable.keys, \.attract, "What plays while nobody is at the screen, and what visitors get.")
      .takesEffect(.atOnce),
    .table(
      "control", control, \.control,
      "Control by other programs of this machine, such as `vitrine ctl`: docs/control.md."
    ).takesEffect(.atOnce),
    .table(
      "telemetry", telemetry, \.telemetry,
      "Watching the board from elsewhere: a web page and metrics, reports to an MQTT broker or a server, and a "
        + "record of what has played: docs/telemetry.md. Each is off unless its key is set."
    ).takesEffect(.atOnce),
    .table("usb", usb, \.usb, "Content on USB sticks: a folder vitrine with media, or with a vitrine.toml.")
      .takesEffect(.atOnce),
    .table("schedule", schedule, \.schedule, "When which playlist plays, and when the screen is off.").takesEffect(
      .atOnce),
    .tables(
      "alert", header: "[[alert]]", alert, new: { AlertTable() }, limit: ConfigurationLimits.alerts,
      position: \AlertTable.position, \.alerts,
      "Sentences above all else, on all screens, each until its end: docs/control.md. `vitrine ctl alert` shows one without "
        + "a file."
    ).takesEffect(.atOnce),
    .tables(
      "cue", header: "[[cue]]", cue, new: { CueTable() }, limit: ConfigurationLimits.cues,
      position: \CueTable.position, \.cues,
      "Messages to other machines at moments of the program: docs/show-control.md."
    ).takesEffect(.atOnce),
    .namedTables(
      "playlist", playlist, new: { Playlist() }, \.playlists,
      "Playlists by name: letters, digits, - and _. The one called main plays unless the schedule says otherwise."
    ).takesEffect(.nextItem),
  ]).with(WarningSchema.root)

  static let display = TableDescription<DisplaySettings>([
    .value(
      "output", .word, \.output, default: DisplaySettings(),
      "Where the picture goes: auto takes a Wayland compositor if one answers, else a graphics card; kms draws straight "
        + "on the screen, wayland in a full-screen window, headless nowhere."),
    .optional(
      "card", .text, \.card, example: "\"vc4\"",
      "The graphics card, by path, driver or device. Without it, a card with a connected screen is preferred, then "
        + "the one whose planes serve best."),
    .optional(
      "connector", .text, \.connector, position: \DisplaySettings.connectorPosition, example: "\"HDMI-A-1\"",
      "The connector of the screen, by its kernel name. Without it, the first connector with a screen."),
    .value(
      "built_in_panels", .word, \.builtInPanels, default: DisplaySettings(),
      "Which screen is taken without connector where a built-in panel and another screen are connected: first takes "
        + "the panel, last the other screen."),
    .value(
      "mode", .displayMode, \.mode, default: DisplaySettings(), example: "\"1920x1080@60\"",
      "Resolution and refresh rate; auto is what the screen prefers. With match, the rate is that of the film or a multiple "
        + "of it, chosen for each item, without a desktop."),
    .value(
      "match_hold", .seconds(in: ConfigurationLimits.holdSeconds), \.matchHold, default: DisplaySettings(),
      "With match, the rate changes only if the new one is kept for at least this many seconds; shorter items are "
        + "shown at the current rate. Many screens are dark for a second or two while they change."
    ).takesEffect(.atOnce),
    .value(
      "rotation", .rotation, \.rotation, default: DisplaySettings(),
      "By how many degrees the picture is turned on its panel, clockwise. Without a desktop only."),
    .value(
      "hdr", .word, \.hdr, default: DisplaySettings(),
      "What is done with HDR films (PQ, HLG): map shows them on any screen as SDR; auto leaves them as they are for "
        + "a screen that reports HDR, without a desktop, and maps them for others; off never maps them."),
    .value(
      "cec", .cec, \.cec, default: DisplaySettings(), example: "\"/dev/cec1\"",
      "Whether the screen is put to sleep and woken over the HDMI cable (CEC) too: auto does if the connector has a "
        + "CEC device, off never does, and a path names the CEC device to use. Without a desktop only."),
    .value(
      "unplugged", .word, \.unplugged, default: DisplaySettings(),
      "What playback does while the screen is unplugged: pause keeps the position, play goes on muted."
    ).takesEffect(.atOnce),
    .value(
      "keep_last_frame", .boolean, \.keepsLastFrame, default: DisplaySettings(),
      "Whether the last frame stays on the screen at the end, so that a restart isn't seen. Without a desktop only."
    ).takesEffect(.atOnce),
    .value(
      "background", .colour, \.background, default: DisplaySettings(),
      "The colour of the screen where there is no picture. Without a desktop only."),
    .optional(
      "splash", .text, \.splash, position: \DisplaySettings.splashPosition, example: "\"splash.png\"",
      "A PNG that the screen shows until the first frame. Without a desktop only."
    ).takesEffect(.nextStart),
  ]).with(ProjectorSchema.display)

  static let playback = TableDescription<PlaybackSettings>([
    .value(
      "loop", .boolean, \.loop, default: PlaybackSettings(), "Whether the playlist starts again after its last item."),
    .value(
      "resume", .word, \.resume, default: PlaybackSettings(),
      "Where playback begins when the board starts again, also after a loss of power. position goes on with the item "
        + "that played, and in an item of ten minutes or more at a position at most ten minutes before the break. "
        + "item plays that item from its start. off begins with the first item and writes nothing; the others write "
        + "a small file every ten minutes at most."),
    .value(
      "picture_duration", .seconds(in: ConfigurationLimits.pictureSeconds), \.pictureDuration,
      default: PlaybackSettings(), "For how many seconds a picture is shown if its item has no duration."
    ).takesEffect(.nextOpening),
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
      "For how many seconds a server may be silent before it counts as gone and is asked again."),
    .optional(
      "buffer", .seconds(in: ConfigurationLimits.bufferSeconds), \.buffer, example: "20",
      "How many seconds of an item are buffered ahead, at up to 20 Mbit/s. Without it, 10; 5 on boards with less "
        + "than 1 GB."
    ),
    .value(
      "skip_after", .seconds(in: ConfigurationLimits.networkSeconds), \.skipAfter, default: NetworkSettings(),
      "After how many seconds without a picture the next item plays, if another item can play. An item that hasn't "
        + "begun when its turn comes is skipped after three, if another item's file is on this board."),
    .value(
      "rtsp_latency", .seconds(in: ConfigurationLimits.latencySeconds), \.rtspLatency, default: NetworkSettings(),
      "By how many seconds an RTSP stream is delayed, so that late packets are still in time."),
    .value(
      "rtsp_transport", .word, \.rtspTransport, default: NetworkSettings(),
      "auto takes UDP, and TCP if no packet comes over UDP."),
    .optional(
      "ca_file", .absolutePath, \.certificatesFile, example: "\"/etc/vitrine/ca.pem\"",
      "Certificates (PEM) of the authorities that are trusted, in place of the system's."),
    .optional(
      "proxy", .proxy, \.proxy, example: "\"http://proxy.lan:3128\"",
      "The proxy for http and https. Without it, the proxy that the environment names."),
    .value(
      "allow_local_redirects", .boolean, \.allowsLocalRedirects, default: NetworkSettings(),
      "Whether a server on the internet may send the player to addresses of this board and of its local network, and "
        + "a server on the local network to addresses of this board: by redirects, by playlists, and by manifests of "
        + "streams."),
    .tables(
      "server", header: "[[network.server]]", server, new: { ServerAccount() }, limit: ConfigurationLimits.words,
      \.servers,
      "Passwords and tokens for servers. Each is sent only to the server with its scheme, host and port."),
  ]).without([
    "start_after":
      "an item starts when 2 s of it are buffered; set buffer instead, the seconds that are buffered ahead",
    "resume_after":
      "the buffer that playback waits for grows by itself on a slow network; set buffer instead, the seconds that "
      + "are buffered ahead",
  ])

  static let server = TableDescription<ServerAccount>([
    .value(
      "host", .serverName, \.host, example: "\"media.example.org\"",
      "The server's name as in the address, with the port if the address has one. The same name with another port is "
        + "another server."
    ).required,
    .value(
      "scheme", .word, \.scheme, default: ServerAccount(),
      "https sends the secret over TLS only, to port 443 unless `host` names a port. http sends it in the clear, to "
        + "port 80: "
        + "anybody on the network path can read it."),
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
      "The folder of the copies, which must hold nothing else. Without it, the folder store in the state directory "
        + "(/var/lib/vitrine)."),
    .value(
      "capacity", .bytes(in: ConfigurationLimits.storeBytes), \.capacity, default: StoreTable(),
      "How much all copies may take together. The copy that was played longest ago is removed first, but none that "
        + "plays today."),
    .value(
      "free_space", .bytes(in: ConfigurationLimits.storeBytes), \.freeSpace, default: StoreTable(),
      "How much of the disk stays free for other programs."),
    .optional(
      "largest_file", .bytes(in: ConfigurationLimits.storeBytes), \.largestFile, example: "\"2 GB\"",
      "How much one copy may take. Larger ones play from the network."),
    .optional(
      "bandwidth", .bytes(in: ConfigurationLimits.storeBytes), \.bandwidth, example: "\"500 kB\"",
      "How much may be fetched in a second. Without it, as much as comes."),
    .value(
      "check_interval", .seconds(in: ConfigurationLimits.checkSeconds), \.checkInterval, default: StoreTable(),
      "How often a server is asked whether a file has changed. It isn't asked about a file whose item has a checksum."),
  ])

  static let control = TableDescription<ControlSettings>([
    .value(
      "enabled", .boolean, \.isEnabled, default: ControlSettings(),
      "Whether other programs may control the player: root, its own user, and the members of its group."),
    .optional(
      "socket", .absolutePath, \.socket, example: "\"/run/vitrine/control\"",
      "The path of the socket. Without it, control in the runtime directory (/run/vitrine)."),
    .optional(
      "listen", .listenAddress, \.listen, position: \ControlSettings.listenPosition, example: "\"127.0.0.1:4010\"",
      "Where the control systems of a hall reach the player: an address of the board and a port, for lines of words by TCP and "
        + "UDP, and for OSC by UDP: docs/show-control.md. Without it, nowhere."),
    .value(
      "from", .addressPrefixes, \.from, default: ControlSettings(), example: "[\"10.0.3.7\", \"10.0.4.0/24\"]",
      "The machines and networks that are let in at `listen`; without it, only this machine."),
  ])

  static let usb = TableDescription<USBSettings>([
    .value(
      "mode", .word, \.mode, default: USBSettings(),
      "off ignores sticks. play plays from a stick for as long as it is plugged in. copy copies the stick's folder "
        + "vitrine to the board and, once the copy is complete, plays the copy from then on."),
    .value(
      "folder", .text, \.folder, default: USBSettings(), example: "\"/media/kiosk\"",
      "Where the system mounts sticks, each in an entry of its own; docs/usb.md tells how."),
    .optional(
      "password_file", .text, \.passwordFile, example: "\"/etc/vitrine/usb.password\"",
      "A file on the board with a password. Only sticks whose file vitrine.password has the same text are used."),
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
      "When a playlist other than the default plays. Of several rules that match, the one with the greatest priority "
        + "wins, then the first."),
    .tables(
      "off", header: "[[schedule.off]]", condition, new: { ScheduleCondition() }, limit: ConfigurationLimits.rules,
      position: \ScheduleCondition.position, \.off,
      "When the screen is off, with playback held. An entry without any key is an error, because the screen would be "
        + "off for ever. Without a desktop the screen itself goes to sleep; elsewhere only playback is held."),
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
        "Of several rules that match, the one with the greatest priority wins."),
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

/// The format of the configuration: a key is added here and in its settings, and nowhere else.
enum Schema {
  /// Seconds for which a picture may stay: a frame or so to a day.
  private static let pictureSeconds = 0.1...86_400.0

  static let root = TableDescription<Configuration>([
    .value("version", .exactly(Configuration.supportedVersion), \.version, isRequired: true),
    .table("display", display, \.display),
    .table("playback", playback, \.playback),
    .table("audio", audio, \.audio),
    .table("overlay", overlay, \.overlay),
    .namedTables("playlist", playlist, new: { Playlist() }, \.playlists),
  ])

  static let display = TableDescription<DisplaySettings>([
    .value("output", .word, \.output),
    .optional("card", .text, \.card),
    .optional("connector", .text, \.connector),
    .value("built_in_panels", .word, \.builtInPanels),
    .value("mode", .displayMode, \.mode),
    .value("unplugged", .word, \.unplugged),
    .value("rotation", .rotation, \.rotation),
    .value("keep_last_frame", .boolean, \.keepsLastFrame),
    .value("background", .colour, \.background),
    .optional("splash", .text, \.splash),
  ])

  static let playback = TableDescription<PlaybackSettings>([
    .value("loop", .boolean, \.loop),
    .value("picture_duration", .seconds(in: pictureSeconds), \.pictureDuration),
  ])

  static let audio = TableDescription<AudioSettings>([
    .value("enabled", .boolean, \.isEnabled)
  ])

  static let overlay = TableDescription<OverlaySettings>([
    .value("osd", .word, \.osd)
  ])

  static let playlist = TableDescription<Playlist>([
    .tables("item", header: "[[playlist.NAME.item]]", entry, new: { PlaylistEntry() }, \.items)
  ])

  static let entry = TableDescription<PlaylistEntry>([
    .value("uri", .mediaAddress, \.uri, isRequired: true, position: \PlaylistEntry.position),
    .optional("title", .text, \.title),
    .optional("duration", .seconds(in: pictureSeconds), \.duration),
    .optional("volume", .number(in: 0...1), \.volume),
  ])
}

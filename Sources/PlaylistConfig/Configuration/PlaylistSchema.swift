import InteractionCore
import PlaybackCore

extension Schema {
  static let playlist = TableDescription<Playlist>([
    .value(
      "shuffle", .boolean, \.shuffles, default: Playlist(),
      "Whether the items play in a new random order each round, each item once in a round. An item with repeat = 3 "
        + "counts as three."
    ),
    .tables(
      "item", header: "[[playlist.NAME.item]]", entry, new: { PlaylistEntry() }, isRequired: true,
      limit: ConfigurationLimits.items, \.items, "What plays, in this order."),
  ])

  static let entry = TableDescription<PlaylistEntry>([
    .value(
      "uri", .mediaAddress, \.uri, position: \PlaylistEntry.position, example: "\"hall.mp4\"",
      "A video, sound or picture; a directory, which stands for all media files in it, sorted by name; a playlist "
        + "(M3U, M3U8, PLS, XSPF); or a URI with http, https, rtsp or file. A relative path starts at the folder of the "
        + "configuration file."
    ).required,
    .optional(
      "title", .localText, \.localTitle, example: "{ en = \"The hall\", de = \"Die Halle\" }",
      "The title in the bar, for everybody or for each language. Without it, the name of the file."),
    .optional(
      "duration", .seconds(in: ConfigurationLimits.pictureSeconds), \.details.item.pictureDuration, example: "8",
      "For how many seconds a picture stays. Without it, playback.picture_duration; a moving picture whose file says "
        + "how many times it plays ends after that."),
    .optional(
      "loops", .integer(in: ConfigurationLimits.loops), \.details.item.loops, example: "1",
      "How many times a moving picture (GIF, APNG, WebP) plays. Without it, as many times as its file says. If "
        + "duration is longer, the last frame stays."),
    .optional(
      "volume", .number(in: ConfigurationLimits.volume), \.details.item.volume, example: "0.8",
      "How loud it is: 0 is silent, 1 is as recorded."),
    .optional(
      "pattern", .filePattern, \.details.pattern, example: "\"*.mp4\"",
      "Which files of a directory are taken, with * and ?. Without it, all media."),
    .value(
      "repeat", .integer(in: ConfigurationLimits.repeats), \.details.repeatCount, default: PlaylistEntry(),
      "How many times it plays in a row."),
    .optionalTable(
      "when", condition, new: { ScheduleCondition() }, position: \ScheduleCondition.position, \.details.when,
      example: "{ days = [\"sat\", \"sun\"], start = \"10:00\", end = \"18:00\" }",
      "When it plays, in the terms of [[schedule.rule]]. Without it, always."),
    .optional(
      "checksum", .sha256, \.details.item.sha256, example: "\"sha256:\(String(repeating: "0", count: 64))\"",
      "The SHA-256 checksum of the file. A file with another checksum is never played: a remote item plays only from "
        + "its copy in the store, a local file only after it was read and compared."),
    .value(
      "store", .boolean, \.details.item.keepsCopy, default: PlaylistEntry(),
      "Whether a copy of a remote item is kept: see [store]."),
    .optional(
      "buffer", .seconds(in: ConfigurationLimits.bufferSeconds), \.details.item.writtenNetwork.buffer, example: "20",
      "How many seconds of an item from a network are buffered ahead. Without it, network.buffer."),
    .optional(
      "rtsp_latency", .seconds(in: ConfigurationLimits.latencySeconds), \.details.item.writtenNetwork.rtspLatency,
      example: "0.2",
      "By how many seconds an RTSP stream is delayed. Without it, network.rtsp_latency."),
    .optional(
      "rtsp_transport", .word, \.details.item.writtenNetwork.rtspTransport, example: "\"tcp\"",
      "How an RTSP stream is sent. Without it, network.rtsp_transport."),
    .value(
      "start", .seconds(in: ConfigurationLimits.mediumSeconds), \.details.item.start, example: "1.5",
      "Where in the item to begin, in seconds, exact to the frame."),
    .optional(
      "end", .seconds(in: ConfigurationLimits.mediumSeconds), \.details.item.end, example: "20",
      "Where in the item to stop, in seconds, exact to the frame."),
    .optional(
      "at_end", .word, \.details.item.atEnd, example: "\"hold\"",
      "next goes on with the next item; hold keeps the last picture until somebody touches play or next, `release` comes, "
        + "or the visit ends; attract ends the visit at once, and without one is like next; tiles shows the tiles again. "
        + "Without it, tiles where visitors choose from tiles, else next."),
    .optional(
      "signed", .text, \.details.item.signed, example: "\"hall.bsl.mp4\"",
      "The version of a film in sign language: a file of the same length, which takes the film's place at the same position "
        + "for visitors who choose it. A relative path starts at the folder of the configuration file."),
    .optional(
      "poster", .text, \.details.item.poster, example: "\"hall.jpg\"",
      "A picture file that stands for the item among tiles, of any format that plays as an item. A relative path starts at "
        + "the folder of the configuration file; an item on a USB stick has its picture there. Without it, the player takes a "
        + "frame of the film. A directory or a list of several items has no use for it."),
    .value(
      "fit", .word, \.details.item.writtenFit, default: PlaylistEntry(),
      "contain shows the whole picture; cover fills the screen and cuts off the edges that don't fit; stretch fills "
        + "the screen with the whole picture, out of proportion. The last two scale each frame on the processor."
    ),
    .value(
      "audio_language", .languages, \.details.item.writtenTracks.audioLanguages, example: "[\"de\", \"en\"]",
      "Languages of the sound, best first. Without it, what the file prefers."
    ),
    .value(
      "subtitles", .word, \.details.item.writtenTracks.subtitles, default: PlaylistEntry(),
      "off shows none; forced shows only those that translate speech in a language other than the sound's; always "
        + "shows any that there are."
    ),
    .value(
      "subtitle_language", .languages, \.details.item.writtenTracks.subtitleLanguages, example: "[\"de\", \"en\"]",
      "Languages of the subtitles, best first."
    ),
  ])
}

extension ConfigurationChecks {
  func checkEnd(
    of entry: PlaylistEntry, of playlist: String, in place: TableContext, reporting diagnostics: inout [Diagnostic]
  ) {
    let isForVisitors = configuration.isForVisitors(playlist)
    switch entry.item.atEnd {
    case .attract where !isForVisitors:
      warn(
        "\"attract\"", "ends no visit: visitors don't get this playlist", "name the playlist as visitors in [attract]")
    case .tiles where !isForVisitors || configuration.attract.layout != .tiles:
      warn(
        "\"tiles\"", "leads to no tiles: visitors don't choose this playlist from tiles",
        "name the playlist as visitors in [attract], with layout = \"tiles\"")
    default: break
    }
    func warn(_ value: String, _ message: String, _ remedy: String) {
      diagnostics.append(
        place.diagnostic(
          "at_end", at: entry.position, value: value, message: message, allowed: "\(remedy), or leave at_end out",
          severity: .warning))
    }
  }
}

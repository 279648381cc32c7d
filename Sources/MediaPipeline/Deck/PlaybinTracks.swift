internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// The streams of a legacy playbin: which there are, and which are on.
struct PlaybinTracks: Sendable {
  let playbin: Element

  /// The tracks of one kind, in the order of the container. Only once the playbin has prerolled.
  ///
  /// - Parameter enabled: ids of those that are on.
  func list(enabled: Set<String>? = nil) -> [MediaTrack] {
    MediaTrack.Kind.allKinds.flatMap { kind -> [MediaTrack] in
      let count = vit_get_int(playbin.pointer, "n-\(kind.rawValue)")
      let current = vit_get_int(playbin.pointer, "current-\(kind.rawValue)")
      return (0..<max(0, count)).map { index in
        var track = MediaTrack(id: "\(kind.rawValue)-\(index)", kind: kind, isDefault: index == 0)
        if let tags = vit_stream_tags(playbin.pointer, "get-\(kind.rawValue)-tags", index) {
          defer { vit_tags_unref(tags) }
          track.language = tag("language-code", of: tags)
          track.title = tag("title", of: tags) ?? ""
          track.codec = tag("\(kind.codecTag)", of: tags) ?? ""
        }
        track.isEnabled = enabled?.contains(track.id) ?? (index == current)
        return track
      }
    }
  }

  /// Switches to one track of a kind. Takes effect within the pipeline's queues.
  func select(_ id: String) {
    let parts = id.split(separator: "-")
    guard parts.count == 2, let index = Int32(parts[1]) else { return }
    playbin.set("current-\(parts[0])", int: index)
  }
}

extension MediaTrack.Kind {
  static var allKinds: [MediaTrack.Kind] { [.video, .audio, .text] }

  var codecTag: String {
    switch self {
    case .video: "video-codec"
    case .audio: "audio-codec"
    case .text: "subtitle-codec"
    }
  }
}

internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// The streams of a legacy playbin: which there are, and which are on.
struct PlaybinTracks: Sendable {
  let playbin: Element

  /// The tracks of one kind, in the order of the container. Only once the playbin has prerolled.
  func list() -> [MediaTrack] {
    MediaTrack.Kind.allKinds.flatMap { kind -> [MediaTrack] in
      let count = vit_get_int(playbin.pointer, "n-\(kind.rawValue)")
      let current = vit_get_int(playbin.pointer, "current-\(kind.rawValue)")
      let flags = (0..<max(0, count)).map { vit_stream_flags(playbin.pointer, "get-\(kind.rawValue)-pad", $0) }
      let byDefault = Self.defaultIndex(flags)
      return (0..<max(0, count)).map { index in
        var track = MediaTrack(id: "\(kind.rawValue)-\(index)", kind: kind, isDefault: Int(index) == byDefault)
        if let tags = vit_stream_tags(playbin.pointer, "get-\(kind.rawValue)-tags", index) {
          defer { vit_tags_unref(tags) }
          track.language = tag("language-code", of: tags)
          track.title = tag("title", of: tags) ?? ""
          track.codec = tag("\(kind.codecTag)", of: tags) ?? ""
          // Containers have a flag for it that doesn't come through; people write it into the title too.
          track.isForced = kind == .text && track.title.lowercased().contains("forced")
        }
        track.isEnabled = index == current
        return track
      }
    }
  }

  /// The first track that the container advises, by Matroska's default flag or MP4's enabled one; else the first that it doesn't advise
  /// against. The first of all while one of them hasn't told: tracks begin one after the other, and a switch that is taken back right away
  /// can leave the pipeline waiting for ever.
  ///
  /// - Parameter flags: GstStreamFlags of each; all ones where they aren't known.
  static func defaultIndex(_ flags: [UInt32]) -> Int {
    if flags.contains(.max) { return 0 }
    return flags.firstIndex { $0 & UInt32(GST_STREAM_FLAG_SELECT.rawValue) != 0 }
      ?? flags.firstIndex { $0 & UInt32(GST_STREAM_FLAG_UNSELECT.rawValue) == 0 } ?? 0
  }

  /// Calls `changed`, on any thread, whenever streams have come or gone or say something new of themselves: the language of
  /// a sparse stream may be known only after the first frame. Until the playbin goes.
  func observe(_ changed: @escaping @Sendable () -> Void) {
    let streams: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in ChangeObserver.tell(data) }
    let tags: @convention(c) (gpointer?, gint, gpointer?) -> Void = { _, _, data in ChangeObserver.tell(data) }
    let observer = ChangeObserver(changed)
    for kind in MediaTrack.Kind.allKinds {
      connect("\(kind.rawValue)-changed", unsafeBitCast(streams, to: GCallback.self), observer)
      connect("\(kind.rawValue)-tags-changed", unsafeBitCast(tags, to: GCallback.self), observer)
    }
  }

  private func connect(_ signal: String, _ callback: @escaping GCallback, _ observer: ChangeObserver) {
    let box = Unmanaged.passRetained(observer).toOpaque()
    g_signal_connect_data(
      playbin.pointer, signal, callback, box,
      { data, _ in if let data { Unmanaged<ChangeObserver>.fromOpaque(data).release() } }, GConnectFlags(0))
  }

  /// Switches to one track of a kind. Takes effect within the pipeline's queues.
  func select(_ id: String) {
    let parts = id.split(separator: "-")
    guard parts.count == 2, let index = Int32(parts[1]) else { return }
    playbin.set("current-\(parts[0])", int: index)
  }
}

private final class ChangeObserver: Sendable {
  private let changed: @Sendable () -> Void
  init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

  static func tell(_ data: gpointer?) {
    guard let data else { return }
    Unmanaged<ChangeObserver>.fromOpaque(data).takeUnretainedValue().changed()
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

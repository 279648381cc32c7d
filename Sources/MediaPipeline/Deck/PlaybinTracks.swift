internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The streams of a legacy playbin, and which of them are on.
struct PlaybinTracks: Sendable {
  let playbin: Element
  let film: Locked<FilmFile>

  /// All tracks, by kind and in the order of the container. Only valid once the playbin has prerolled.
  func list() -> [MediaTrack] {
    MediaTrack.Kind.allKinds.flatMap { kind -> [MediaTrack] in
      let count = vit_get_int(playbin.pointer, "n-\(kind.rawValue)")
      let current = vit_get_int(playbin.pointer, "current-\(kind.rawValue)")
      let flags = (0..<max(0, count)).map { vit_stream_flags(playbin.pointer, "get-\(kind.rawValue)-pad", $0) }
      let byDefault = Self.defaultIndex(flags)
      // GStreamer leaves out tracks that it can't play: then it isn't known which of the file's tracks these are.
      let known = film.withLock { $0.marks[kind] ?? [] }
      let areKnown = known.count == flags.count
      return (0..<max(0, count)).map { index in
        var track = MediaTrack(id: "\(kind.rawValue)-\(index)", kind: kind, isDefault: Int(index) == byDefault)
        if let tags = vit_stream_tags(playbin.pointer, "get-\(kind.rawValue)-tags", index) {
          defer { vit_tags_unref(tags) }
          track.language = tag("language-code", of: tags)
          track.title = tag("title", of: tags) ?? ""
          track.codec = tag("\(kind.codecTag)", of: tags) ?? ""
        }
        let marks = areKnown ? known[Int(index)] : TrackMarks()
        // GStreamer passes on no mark of a container; authors write them into titles, too.
        switch kind {
        case .video: break
        case .audio: track.isDescription = marks.isDescription || AudioDescription.isNamed(in: track.title)
        case .text:
          track.isForced = marks.isForced || track.title.lowercased().contains("forced")
          track.isForHardOfHearing = marks.isForHardOfHearing || TrackMarks.isForHardOfHearing(named: track.title)
        }
        track.isEnabled = index == current
        return track
      }
    }
  }

  /// The default track: the first that the container advises (Matroska's default flag, MP4's enabled flag), else the
  /// first that it doesn't advise against. Index 0 while the flags of any track are unknown: tracks begin one after the
  /// other, and a switch that is undone at once can leave the pipeline waiting for ever.
  ///
  /// - Parameter flags: the GstStreamFlags of each track; all ones where they aren't known.
  static func defaultIndex(_ flags: [UInt32]) -> Int {
    if flags.contains(.max) { return 0 }
    return flags.firstIndex { $0 & UInt32(GST_STREAM_FLAG_SELECT.rawValue) != 0 }
      ?? flags.firstIndex { $0 & UInt32(GST_STREAM_FLAG_UNSELECT.rawValue) == 0 } ?? 0
  }

  /// Calls `changed`, on any thread, whenever streams are added, removed or get new tags, until the playbin goes: the
  /// language of a sparse stream may be known only after the first frame.
  func observe(_ changed: @escaping @Sendable () -> Void) {
    let streams: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in ChangeObserver.notifyObserver(data) }
    let tags: @convention(c) (gpointer?, gint, gpointer?) -> Void = { _, _, data in ChangeObserver.notifyObserver(data)
    }
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

  /// Switches to the chosen tracks. Takes effect within the pipeline's queues.
  ///
  /// The playbin's own switch also ends its stream synchronizer's wait for that kind: a track that has ended makes way
  /// for one that goes on. While the streams still begin, that wait is what they begin together by: without it for one
  /// kind, the others wait for ever. Before the first sample, the selector alone is switched.
  ///
  /// - Parameters:
  ///   - chosen: ids of tracks, one of each kind.
  ///   - found: what `list` has answered.
  ///   - hasBegun: whether a sample of any stream has arrived at its sink.
  func select(_ chosen: Set<String>, of found: [MediaTrack], hasBegun: Bool) {
    for track in found where chosen.contains(track.id) && !track.isEnabled {
      // While none of that kind is on, playbin hasn't built its stream selector yet.
      guard hasBegun || found.contains(where: { $0.kind == track.kind && $0.isEnabled }) else { continue }
      select(track.id, hasBegun: hasBegun)
    }
  }

  /// GStreamer's id of a sound track's stream; nil before any data.
  func streamID(of track: MediaTrack.ID) -> String? {
    let parts = track.split(separator: "-")
    guard parts.count == 2, parts[0] == MediaTrack.Kind.audio.rawValue, let index = Int32(parts[1]),
      let id = vit_stream_id(playbin.pointer, "get-audio-pad", index)
    else { return nil }
    defer { g_free(id) }
    return String(cString: id)
  }

  private func select(_ id: String, hasBegun: Bool) {
    let parts = id.split(separator: "-")
    guard parts.count == 2, let index = Int32(parts[1]) else { return }
    if hasBegun {
      playbin.set("current-\(parts[0])", int: index)
    } else {
      vit_activate_stream(playbin.pointer, "get-\(parts[0])-pad", index)
    }
  }
}

private final class ChangeObserver: Sendable {
  private let changed: @Sendable () -> Void
  init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

  static func notifyObserver(_ data: gpointer?) {
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

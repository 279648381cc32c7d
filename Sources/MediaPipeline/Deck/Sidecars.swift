internal import MainLoop
internal import PlaybackCore

/// The tracks of an item that lie in files of their own: subtitles and sounds beside a local file, subtitles that the
/// item names, and those that an HLS stream has in playlists of their own, which GStreamer leaves out.
///
/// They are found when the deck is made, and those of a stream when its playlist comes. Subtitles are read once they are
/// chosen, on a separate thread: an unreachable file server must not hold up the picture. Sounds are played by
/// `SoundLanes`.
final class Sidecars: Sendable {
  private struct State: Sendable {
    var tracks: [MediaTrack] = []
    /// The ids of the tracks that are on.
    var chosen: Set<String> = []
    /// The addresses of the files that have been read, or are.
    var asked: Set<String> = []
    /// Of the farthest server that named the stream's own subtitles.
    var reach: NetworkReach?
    var isClosed = false
    var changed: @Sendable () -> Void = {}
  }
  private let item: MediaItem
  private let servers: ServerSetup
  private let state = Locked(State())
  private let reader = BlockingWorker()
  private let post: @Sendable (DeckEvent) -> Void

  init(of item: MediaItem, servers: ServerSetup, post: @escaping @Sendable (DeckEvent) -> Void) {
    self.item = item
    self.servers = servers
    self.post = post
  }

  /// Calls `changed`, on any thread, when a file can't be read or played: its track is removed, and another may be
  /// chosen.
  func observe(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// The tracks that were found; all are marked as off.
  var tracks: [MediaTrack] { state.withLock { $0.tracks } }

  /// Finds the files. Blocks while the item's folder is read.
  func find() {
    let found = FilesBeside(of: item).tracks
    state.withLock { $0.tracks.insert(contentsOf: found, at: 0) }
  }

  /// Adds the subtitles that an HLS stream has in playlists of their own. Any thread.
  func addCaptions(of list: ServedText) {
    let found = HLSPlaylist.captions(in: list.bytes).prefix(FilesBeside.maximumCount).compactMap { captions in
      list.resolve(captions.address).map { uri in
        var track = MediaTrack(
          id: uri, kind: .text, language: captions.language, title: captions.title, codec: "WebVTT",
          isDefault: captions.isDefault, isForced: captions.isForced, file: uri)
        track.isForHardOfHearing = captions.isForHardOfHearing
        return track
      }
    }
    let changed: (@Sendable () -> Void)? = state.withLock { state in
      // A deck that is opened a second time gets the list again.
      let new = found.filter { track in !state.tracks.contains { $0.id == track.id } }
      state.tracks += new
      state.reach = list.reach
      return state.isClosed || new.isEmpty ? nil : state.changed
    }
    changed?()
  }

  /// Reads the files among the chosen tracks, each once; the others aren't read on. Answered by `subtitles`, or by
  /// `warning`.
  ///
  /// - Parameter position: of the item, now.
  func want(_ chosen: Set<String>, from position: Duration) {
    let files: [String] = state.withLock { state in
      guard !state.isClosed else { return [] }
      state.chosen = chosen
      return state.tracks.filter { $0.kind == .text }.map(\.id)
        .filter { chosen.contains($0) && state.asked.insert($0).inserted }
    }
    for uri in files { reader.submit { [self] in read(uri, from: position) } }
  }

  /// Stops the reading: nothing more is reported.
  func close() {
    state.withLock { $0.isClosed = true }
    reader.finish()
  }

  private func read(_ uri: String, from position: Duration) {
    let captions = CaptionReader(servers: servers, namedFrom: reach(of: uri)) { [self] in isWanted(uri) }
    do throws(VitrineError) {
      let outcome = try captions.read(uri, from: position) { [self] cues in
        if isWanted(uri) { post(.subtitles(SubtitleTimeline(cues), track: uri)) }
      }
      switch outcome {
      case .whole(let remark): if let remark, isWanted(uri) { post(.warning(remark)) }
      case .cutShort:
        let isWantedAgain = state.withLock { state in
          if !state.chosen.contains(uri) { state.asked.remove(uri) }
          return !state.isClosed && state.chosen.contains(uri)
        }
        if isWantedAgain { reader.submit { [self] in read(uri, from: position) } }
      }
    } catch {
      if !state.withLock({ $0.isClosed }) { post(.warning(error)) }
      drop(uri)
    }
  }

  private func reach(of uri: String) -> NetworkReach? {
    item.subtitles.contains(uri) ? nil : state.withLock { $0.reach }
  }

  private func isWanted(_ uri: String) -> Bool { state.withLock { !$0.isClosed && $0.chosen.contains(uri) } }

  /// Removes a track that can't be played: another may be chosen. Any thread.
  func drop(_ id: MediaTrack.ID) {
    let changed: (@Sendable () -> Void)? = state.withLock { state in
      state.tracks.removeAll { $0.id == id }
      return state.isClosed ? nil : state.changed
    }
    changed?()
  }
}

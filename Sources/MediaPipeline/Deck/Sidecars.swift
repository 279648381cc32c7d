internal import MainLoop
internal import PlaybackCore

/// The tracks of an item that lie in files of their own: subtitles and sounds beside a local file, and subtitles that
/// the item names.
///
/// They are found when the deck is made. Subtitles are read once they are chosen, on a separate thread: an unreachable
/// file server must not hold up the picture. Sounds are played by `SoundLanes`.
final class Sidecars: Sendable {
  private struct State: Sendable {
    var tracks: [MediaTrack] = []
    var asked: Set<String> = []
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
    state.withLock { $0.tracks = found }
  }

  /// Reads the files among the chosen tracks, each once. Answered by `subtitles`, or by `warning`.
  func want(_ chosen: Set<String>) {
    let files: [String] = state.withLock { state in
      guard !state.isClosed else { return [] }
      return state.tracks.filter { $0.kind == .text }.map(\.id)
        .filter { chosen.contains($0) && state.asked.insert($0).inserted }
    }
    for uri in files { reader.submit { [self] in read(uri) } }
  }

  /// Stops the reading: nothing more is reported.
  func close() {
    state.withLock { $0.isClosed = true }
    reader.finish()
  }

  private func read(_ uri: String) {
    do throws(VitrineError) {
      let cues = try FilesBeside.captions(uri, servers: servers) { [self] in state.withLock { !$0.isClosed } }
      guard state.withLock({ !$0.isClosed }) else { return }
      post(.subtitles(SubtitleTimeline(cues), track: uri))
    } catch {
      if !state.withLock({ $0.isClosed }) { post(.warning(error)) }
      drop(uri)
    }
  }

  /// Removes a track that can't be played: another may be chosen. Any thread.
  func drop(_ id: MediaTrack.ID) {
    let changed: (@Sendable () -> Void)? = state.withLock { state in
      state.tracks.removeAll { $0.id == id }
      return state.isClosed ? nil : state.changed
    }
    changed?()
  }
}

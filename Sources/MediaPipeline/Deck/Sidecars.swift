internal import CGStreamer
internal import MainLoop
internal import PlaybackCore

/// The tracks of an item that lie in files of their own: subtitles and sounds beside a local file, and subtitles that
/// the item names.
///
/// They are found when the deck is made. Subtitles are read once they are chosen, on a separate thread: an unreachable
/// file server must not hold up the picture. Sounds are played by `SoundLanes`.
final class Sidecars: Sendable {
  /// The most files of subtitles, and of sound: more than any film has languages, so that a folder full of files with
  /// one name isn't all read.
  static let maximumCount = 64
  /// The most entries of a folder that are read.
  static let maximumEntries = 20_000

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
    var tracks: [MediaTrack] = []
    func add(_ sidecar: SidecarNames.Sidecar, _ uri: String) {
      guard tracks.count < Self.maximumCount, !tracks.contains(where: { $0.id == uri }) else { return }
      tracks.append(
        MediaTrack(
          id: uri, kind: .text, language: sidecar.language, title: sidecar.title,
          codec: sidecar.name.lowercased().hasSuffix("vtt") ? "WebVTT" : "SubRip", isForced: sidecar.isForced, file: uri
        ))
    }
    var sounds: [MediaTrack] = []
    for uri in item.subtitles { add(SidecarNames.describe(TextFile.name(of: uri)), uri) }
    if !item.isRemote, item.kind != .picture, let path = TextFile.path(of: item.uri) {
      let (folder, film) = Self.place(of: path)
      let names = TextFile.names(in: folder.isEmpty ? "/" : folder, limit: Self.maximumEntries)
      for sidecar in SidecarNames.sidecars(of: film, among: names) {
        if let uri = TextFile.uri(of: "\(folder)/\(sidecar.name)") { add(sidecar, uri) }
      }
      sounds = Self.sounds(of: film, in: folder, among: names)
    }
    state.withLock { $0.tracks = tracks + sounds }
  }

  private static func sounds(of film: String, in folder: String, among names: [String]) -> [MediaTrack] {
    SidecarNames.sounds(of: film, among: names).prefix(maximumCount).compactMap { sidecar in
      guard let uri = TextFile.uri(of: "\(folder)/\(sidecar.name)") else { return nil }
      return MediaTrack(
        id: uri, kind: .audio, language: sidecar.language, title: sidecar.title,
        codec: String(sidecar.name.split(separator: ".").last ?? "").uppercased(), isDescription: sidecar.isDescription,
        file: uri)
    }
  }

  /// The folder of a file, empty for the topmost, and the file's name in there.
  static func place(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
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
      let bytes = try TextFile.read(uri, limit: SubtitleParser.maximumLength, servers: servers) { [self] in
        state.withLock { !$0.isClosed }
      }
      let cues: [SubtitleCue]
      do throws(SubtitleError) {
        cues = try SubtitleParser.parse(bytes)
      } catch {
        throw error.error(subject: uri)
      }
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

public import PlaybackCore

/// The files that belong to an item beside its film: captions and sounds, found by their names, and captions that the
/// item names.
public struct FilesBeside: Hashable, Sendable {
  /// The most files of captions, and of sound: more than any film has languages, so that a folder full of files with
  /// one name isn't all read.
  static let maximumCount = 64
  /// The most entries of a folder that are read.
  private static let maximumEntries = 20_000

  /// The tracks in these files, captions first; all are marked as off.
  public private(set) var tracks: [MediaTrack] = []

  /// Whether a file has captions for all of the sound.
  package var hasCaptions: Bool { tracks.contains { $0.kind == .text && !$0.isForced } }
  /// Whether a file has sound that describes the picture.
  package var hasDescription: Bool { tracks.contains { $0.kind == .audio && $0.isDescription } }

  /// Finds them. Files on a server aren't looked for. Blocks while the item's folder is read.
  public init(of item: MediaItem) {
    var folders: [String: [String]] = [:]
    self.init(of: item, &folders)
  }

  /// Reads each folder of these items once. Blocks.
  package static func find(for items: [MediaItem]) -> [FilesBeside] {
    var folders: [String: [String]] = [:]
    return items.map { FilesBeside(of: $0, &folders) }
  }

  /// - Parameter folders: the names in folders that were read.
  private init(of item: MediaItem, _ folders: inout [String: [String]]) {
    for uri in item.subtitles { add(captions: SidecarNames.describe(TextFile.name(of: uri)), uri) }
    guard !item.isRemote, item.kind != .picture, let path = TextFile.path(of: item.uri) else { return }
    let (folder, film) = Self.place(of: path)
    let names = folders[folder] ?? Self.names(in: folder)
    folders[folder] = names
    for sidecar in SidecarNames.sidecars(of: film, among: names) {
      if let uri = TextFile.uri(of: "\(folder)/\(sidecar.name)") { add(captions: sidecar, uri) }
    }
    tracks += SidecarNames.sounds(of: film, among: names).prefix(Self.maximumCount).compactMap { sidecar in
      TextFile.uri(of: "\(folder)/\(sidecar.name)").map { Self.sound(sidecar, $0) }
    }
  }

  private static func names(in folder: String) -> [String] {
    let endings = SidecarNames.extensions + SidecarNames.soundExtensions
    return TextFile.names(in: folder.isEmpty ? "/" : folder, limit: maximumEntries)
      .filter { SidecarNames.hasExtension($0, of: endings) }
  }

  private mutating func add(captions sidecar: SidecarNames.Sidecar, _ uri: String) {
    guard tracks.count < Self.maximumCount, !tracks.contains(where: { $0.id == uri }) else { return }
    var track = MediaTrack(
      id: uri, kind: .text, language: sidecar.language, title: sidecar.title,
      codec: sidecar.name.lowercased().hasSuffix("vtt") ? "WebVTT" : "SubRip", isForced: sidecar.isForced, file: uri)
    track.isForHardOfHearing = TrackMarks.isForHardOfHearing(named: sidecar.title)
    tracks.append(track)
  }

  private static func sound(_ sidecar: SidecarNames.Sidecar, _ uri: String) -> MediaTrack {
    MediaTrack(
      id: uri, kind: .audio, language: sidecar.language, title: sidecar.title,
      codec: String(sidecar.name.split(separator: ".").last ?? "").uppercased(), isDescription: sidecar.isDescription,
      file: uri)
  }

  /// The folder of a file, empty for the topmost, and the file's name in there.
  private static func place(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Reads captions, to find out whether they can be shown. Blocks.
  ///
  /// - Throws: 3201...3205; 7201 where GStreamer doesn't start.
  public static func checkCaptions(_ uri: String) throws(VitrineError) {
    try GStreamerLibrary.start()
    let outcome = try CaptionReader(servers: ServerSetup()).read(uri, from: .zero) { _ in }
    if case .whole(let remark?) = outcome { throw remark }
  }
}

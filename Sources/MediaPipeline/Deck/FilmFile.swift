internal import FileModel
internal import FileSystem
internal import PlaybackCore

/// What a film's file says that GStreamer doesn't tell, or not right.
struct FilmFile: Sendable {
  /// How to turn it; nil where nothing is said.
  var orientation: PictureOrientation?
  /// Of transport and program streams.
  var length: Duration?
  /// An MP3 behind which another one stands.
  var isJoined = false

  /// Blocks for as long as the item's disk takes. Nothing for what isn't a film in a file.
  static func read(_ item: MediaItem) -> FilmFile {
    guard item.kind == .file, let path = TextFile.path(of: item.uri) else { return FilmFile() }
    // A pipe isn't a film, and has no size.
    guard let file = try? OpenFile(reading: FilePath(path)), let status = try? file.status(), status.kind == .regular
    else { return FilmFile() }
    func bytes(_ place: Int64, _ count: Int) -> [UInt8]? {
      guard let bytes = try? file.bytes(at: place, count: count), bytes.count == count else { return nil }
      return bytes
    }
    var film = FilmFile()
    film.orientation = MP4Orientation.find { place, count in Int64(exactly: place).flatMap { bytes($0, count) } }
    if film.orientation == nil {
      film.length = StreamLength.find(size: Int(status.size)) { bytes(Int64($0), $1) }
      film.isJoined = JoinedSound.isJoined(size: Int(status.size)) { bytes(Int64($0), $1) }
    }
    return film
  }
}

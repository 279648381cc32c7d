internal import Glibc
internal import PlaybackCore

/// What a film's file says that GStreamer doesn't tell, or not right.
struct FilmFile: Sendable {
  /// How to turn it; nil where nothing is said.
  var orientation: PictureOrientation?
  /// Of transport and program streams.
  var length: Duration?

  /// Blocks for as long as the item's disk takes. Nothing for what isn't a film in a file.
  static func read(_ item: MediaItem) -> FilmFile {
    guard item.kind == .file, let path = TextFile.path(of: item.uri) else { return FilmFile() }
    // A pipe would wait for somebody to write into it; it isn't a film either, and has no size.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return FilmFile() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return FilmFile() }
    func bytes(_ place: off_t, _ count: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return pread(descriptor, &bytes, count, place) == count ? bytes : nil
    }
    var film = FilmFile()
    film.orientation = MP4Orientation.find { place, count in off_t(exactly: place).flatMap { bytes($0, count) } }
    if film.orientation == nil {
      film.length = StreamLength.find(size: Int(status.st_size)) { bytes(off_t($0), $1) }
    }
    return film
  }
}

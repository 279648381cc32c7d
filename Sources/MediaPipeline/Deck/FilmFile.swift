internal import FileModel
internal import FileSystem
internal import PlaybackCore

/// Facts of a film's file that GStreamer doesn't report, or reports wrongly.
struct FilmFile: Sendable {
  /// How to turn the picture; nil where the file doesn't say.
  var orientation: PictureOrientation?
  /// The marks of the tracks of an MP4 or a Matroska file.
  var marks: [MediaTrack.Kind: [TrackMarks]] = [:]
  /// For each sound track, whether it describes the picture.
  var descriptions: [Bool] { marks[.audio]?.map(\.isDescription) ?? [] }
  /// The length of a transport or program stream.
  var length: Duration?
  /// An MP3 that another MP3 follows in the same file.
  var isJoined = false
  /// The mended stream, where the file's clock is wrong.
  var mended: MendedStream?

  /// Blocks while it reads from the item's disk. All fields are empty for an item that isn't a film in a file.
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
    func bytesOfBoxes(_ place: UInt64, _ count: Int) -> [UInt8]? { Int64(exactly: place).flatMap { bytes($0, count) } }
    film.orientation = MP4Orientation.find(bytesOfBoxes)
    film.marks = TrackMarks.find(bytesOfBoxes)
    if film.orientation == nil {
      let size = Int(status.size)
      film.mended = StreamClock.find(size: size) { bytes(Int64($0), $1) }.flatMap { MendedStream($0, path, size: size) }
      film.length = StreamLength.find(size: size) { place, count in
        film.mended.map { $0.bytes(at: place, count: count) } ?? bytes(Int64(place), count)
      }
      film.isJoined = JoinedSound.isJoined(size: size) { bytes(Int64($0), $1) }
    }
    return film
  }

  /// By how much the sound in a file is later than the times of its frames say. Blocks.
  static func soundDelay(of uri: String) -> Duration {
    guard let path = TextFile.path(of: uri), let file = try? OpenFile(reading: FilePath(path)),
      let status = try? file.status(), status.kind == .regular
    else { return .zero }
    return SoundDelay.find { place, count in
      guard let bytes = try? file.bytes(at: Int64(place), count: count), bytes.count == count else { return nil }
      return bytes
    }
  }
}

internal import PictureFiles
internal import PlaybackCore

// Guesses an item's kind. A wrong guess costs quality, never correctness.

extension MediaKind {
  static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "qt", "mkv", "webm", "avi", "divx", "ogv", "ogm", "flv", "f4v", "wmv", "asf", "3gp", "3g2",
    // Program and transport streams, by the names that discs, cameras and recorders give them.
    "mpg", "mpeg", "mpe", "m1v", "m2v", "vob", "mod", "tod", "ts", "m2ts", "mts", "m2t", "trp", "tp",
    "dv", "dif", "mxf", "mjpg", "mjpeg", "y4m", "ivf",
    // Elementary streams without a container.
    "h264", "264", "avc", "h265", "265", "hevc",
  ]
  static let audioExtensions: Set<String> = [
    "mp3", "mp2", "mpa", "m4a", "m4b", "aac", "ac3", "eac3", "flac", "wav", "aif", "aiff", "aifc", "au", "ogg", "oga",
    "opus",
    "spx", "mka", "weba", "wma", "wv", "amr", "ape", "caf",
  ]
  static let pictureExtensions = Set(PictureFormat.allCases.flatMap(\.fileExtensions))
  static let adaptiveExtensions: Set<String> = ["m3u8", "mpd"]

  /// Whether a directory's file with this extension, in lower case, is played.
  static func isMedia(fileExtension: String) -> Bool {
    videoExtensions.contains(fileExtension) || audioExtensions.contains(fileExtension)
      || pictureExtensions.contains(fileExtension)
  }

  /// Whether files with this extension, in lower case, usually accompany media and need no remark when a folder's list
  /// leaves them out: subtitles, lists, texts, checksums. Names without an extension are directories and notes of
  /// scripts.
  static func isBesideMedia(fileExtension: String) -> Bool {
    besideExtensions.contains(fileExtension) || MediaList.extensions.contains(fileExtension)
  }

  private static let besideExtensions: Set<String> = [
    "", "srt", "vtt", "ass", "ssa", "sub", "idx", "toml", "txt", "md", "json", "xml", "nfo", "log", "sha256", "md5",
    "ini", "db", "ds_store",
    "part", "tmp", "partial", "crdownload", "ifo", "bup",
  ]

  /// Bytes from the start of a file that `guess(fileExtension:start:)` looks at.
  static let sniffedLength = PictureFormat.sniffedLength

  /// The kind of a local file: its content counts for more than its name.
  ///
  /// - Parameters:
  ///   - fileExtension: in lower case.
  ///   - start: the first `sniffedLength` bytes; may be fewer.
  static func guess(fileExtension: String, start: [UInt8]) -> MediaKind {
    if !start.isEmpty, PictureFormat(start: start) != nil { return .picture }
    if adaptiveExtensions.contains(fileExtension) { return .adaptive }
    if pictureExtensions.contains(fileExtension), !MediaSignature.isFilm(start) { return .picture }
    return .file
  }

  /// The kind of a medium on a network, by scheme and path.
  static func guess(_ uri: MediaAddress.RemoteURI) -> MediaKind {
    switch uri.scheme {
    case .rtsp: return .rtsp
    case .udp: return .udp
    case .http, .https: break
    }
    let fileExtension = FilePath(uri.path).fileExtension
    if adaptiveExtensions.contains(fileExtension) { return .adaptive }
    return pictureExtensions.contains(fileExtension) ? .picture : .progressive
  }
}

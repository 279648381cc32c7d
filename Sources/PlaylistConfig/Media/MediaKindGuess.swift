internal import PictureFiles
internal import PlaybackCore

// Guessing what an item is. A wrong guess costs quality, never correctness.

extension MediaKind {
  static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "ogv", "flv", "wmv", "3gp",
  ]
  static let audioExtensions: Set<String> = ["mp3", "m4a", "aac", "flac", "wav", "ogg", "oga", "opus", "wma"]
  static let pictureExtensions = Set(PictureFormat.allCases.flatMap(\.fileExtensions))
  static let adaptiveExtensions: Set<String> = ["m3u8", "mpd"]

  /// Whether a directory's file with this extension, in lower case, is played.
  static func isMedia(fileExtension: String) -> Bool {
    videoExtensions.contains(fileExtension) || audioExtensions.contains(fileExtension)
      || pictureExtensions.contains(fileExtension)
  }

  /// Bytes from the start of a file that `guess(fileExtension:start:)` looks at.
  static let sniffedLength = PictureFormat.sniffedLength

  /// For a local file: what it holds outweighs what it is called.
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

  /// For something on a network, by scheme and path.
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

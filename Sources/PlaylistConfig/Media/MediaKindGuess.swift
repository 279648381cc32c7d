internal import PlaybackCore

// Guessing what an item is. A wrong guess costs quality, never correctness.

extension MediaKind {
  static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "ogv", "flv", "wmv", "3gp",
  ]
  static let audioExtensions: Set<String> = ["mp3", "m4a", "aac", "flac", "wav", "ogg", "oga", "opus", "wma"]
  static let pictureExtensions: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "bmp"]
  static let adaptiveExtensions: Set<String> = ["m3u8", "mpd"]

  /// Whether a directory's file with this extension, in lower case, is played.
  static func isMedia(fileExtension: String) -> Bool {
    videoExtensions.contains(fileExtension) || audioExtensions.contains(fileExtension)
      || pictureExtensions.contains(fileExtension)
  }

  /// Bytes from the start of a file that `guess(fileExtension:start:)` looks at.
  static let sniffedLength = 32

  /// For a local file: what it holds outweighs what it is called.
  ///
  /// - Parameters:
  ///   - fileExtension: in lower case.
  ///   - start: the first `sniffedLength` bytes; may be fewer.
  static func guess(fileExtension: String, start: [UInt8]) -> MediaKind {
    if isPicture(start) { return .picture }
    if adaptiveExtensions.contains(fileExtension) { return .adaptive }
    if pictureExtensions.contains(fileExtension), !isFilm(start) { return .picture }
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

  private static func isPicture(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])  // PNG
      || start.starts(with: [0xFF, 0xD8, 0xFF])  // JPEG
      || start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8)
      || (start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8))
      || isBitmap(start)
  }

  /// "BM" alone begins many a text; the reserved bytes and the size of the second header tell a bitmap.
  private static func isBitmap(_ start: [UInt8]) -> Bool {
    guard start.starts(with: "BM".utf8), start.count >= 18 else { return false }
    let headerSizes: Set<UInt8> = [12, 16, 40, 52, 56, 64, 108, 124]
    return start[6..<10].allSatisfy { $0 == 0 } && headerSizes.contains(start[14])
      && start[15..<18].allSatisfy { $0 == 0 }
  }

  /// MP4 and Matroska, which get called .jpg by people who mean well.
  private static func isFilm(_ start: [UInt8]) -> Bool {
    start.dropFirst(4).starts(with: "ftyp".utf8) || start.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
  }
}

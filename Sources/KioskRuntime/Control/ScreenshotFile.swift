internal import FoundationEssentials
internal import Glibc
public import PlaybackCore

/// Writes a screenshot that a client has received.
public enum ScreenshotFile {
  /// Writes the picture; the file appears whole or not at all.
  ///
  /// - Parameter path: `-` is standard output.
  /// - Throws: 7303 when it can't be written, 7612 when it isn't a picture.
  public static func write(base64 text: String, to path: String) throws(VitrineError) {
    let beginnings: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF]]
    guard let data = Data(base64Encoded: text), beginnings.contains(where: { data.starts(with: $0) }) else {
      throw VitrineError(
        7612, subject: "screenshot", message: "what came is no picture",
        remedy: "use the client of the player's version")
    }
    guard path != "-" else { return try print(data) }
    do {
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw failure(path, "\(error)")
    }
  }

  private static func print(_ data: Data) throws(VitrineError) {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("standard output", String(cString: strerror(errno))) }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String, _ detail: String) -> VitrineError {
    VitrineError(
      7303, subject: path, message: "the picture can't be written",
      remedy: "check that the folder is there, may be written to and has room", detail: detail)
  }
}

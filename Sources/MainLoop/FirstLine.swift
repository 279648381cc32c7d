internal import FileSystem

/// The first line of small files, such as those with a secret or a name in them.
public enum FirstLine {
  /// Bytes that are read: more than any token that a server accepts in a header.
  private static let limit = 4096

  /// Nil when the file is missing, unreadable or has an empty first line. Blocks.
  public static func read(_ path: String) -> String? {
    // The line ends at the first control character: none may stand in a header.
    let line = SmallFile.bytes(path, limit: limit).prefix { $0 >= 0x20 && $0 != 0x7F }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}

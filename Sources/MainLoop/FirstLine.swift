internal import FileSystem

/// The first line of small files, such as those with a secret or a name in them.
public enum FirstLine {
  /// Bytes that are read: longer than any token that a server takes in a header.
  private static let limit = 4096

  /// Blocks. Nil when there is none that may be read.
  public static func read(_ path: String) -> String? {
    // What ends a header can't be in it.
    let line = SmallFile.bytes(path, limit: limit).prefix { $0 >= 0x20 && $0 != 0x7F }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}

internal import FileSystem

/// Reads the start of a file on this machine.
public enum FileStart {
  /// - Parameters:
  ///   - path: a file's path; an unreadable file gives no bytes.
  ///   - count: the most bytes to read.
  public static func read(_ path: String, count: Int) -> [UInt8] {
    SmallFile.bytes(path, limit: max(0, count))
  }
}

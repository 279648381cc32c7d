internal import FileSystem

/// How a file of this machine begins.
public enum FileStart {
  /// - Parameters:
  ///   - path: of a file; of what can't be read there are no bytes.
  ///   - count: how many bytes at the most.
  public static func read(_ path: String, count: Int) -> [UInt8] {
    SmallFile.bytes(path, limit: max(0, count))
  }
}

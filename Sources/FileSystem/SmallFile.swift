internal import FileModel

/// Reads small files and folders whose absence isn't an error: the kernel's in /proc, /sys and /dev, names, secrets.
/// Blocks.
public enum SmallFile {
  /// More than any kernel file that is read here has.
  public static let limit = 1 << 20

  /// The file's first bytes; empty where it can't be read.
  public static func bytes(_ path: String, limit: Int = Self.limit) -> [UInt8] {
    (try? SystemFileAccess().read(FilePath(path), limit: limit)) ?? []
  }

  /// The file's text; empty where it can't be read. Invalid UTF-8 is replaced.
  public static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  /// The first line of a file; nil where it can't be read or is empty.
  public static func firstLine(_ path: String) -> String? {
    text(path).split(separator: "\n", maxSplits: 1).first.map(String.init)
  }

  /// The names in a folder, in no order; empty where it can't be read.
  public static func names(in folder: String) -> [String] {
    ((try? SystemFileAccess().names(in: FilePath(folder))) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Files whose names differ by a number at their end, in the order of the numbers: for `/dev/cec` the paths
  /// `/dev/cec0`, `/dev/cec1` and so on, as far as they exist.
  ///
  /// - Parameter start: the path before the number.
  public static func numbered(_ start: String) -> [String] {
    let path = FilePath(start)
    let name = String(decoding: path.name, as: UTF8.self)
    return names(in: path.directory.text).compactMap { $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil }
      .sorted()
      .map { "\(start)\($0)" }
  }
}

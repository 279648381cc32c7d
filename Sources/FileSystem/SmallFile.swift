internal import FileModel

/// Small files and folders that are read where it is no error that they aren't there: what the kernel tells in /proc, /sys and
/// /dev, names, secrets. Blocks.
public enum SmallFile {
  /// No file of the kernel's that is read here comes near.
  public static let limit = 1 << 20

  /// The first bytes; empty where it can't be read.
  public static func bytes(_ path: String, limit: Int = Self.limit) -> [UInt8] {
    (try? SystemFileAccess().read(FilePath(path), limit: limit)) ?? []
  }

  /// Empty where it can't be read; bytes that aren't UTF-8 are replaced.
  public static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  /// The first line; nil where there is none that can be read.
  public static func firstLine(_ path: String) -> String? {
    text(path).split(separator: "\n", maxSplits: 1).first.map(String.init)
  }

  /// Of a folder, in no order; empty where it can't be read.
  public static func names(in folder: String) -> [String] {
    ((try? SystemFileAccess().names(in: FilePath(folder))) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }
}

internal import PlaybackCore

/// A file's kind, identity, size and dates.
public struct FileStatus: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case regular, directory, socket, other }

  /// Equal for two paths that lead to the same file.
  public struct Identity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  public var kind: Kind
  public var identity: Identity
  /// Bytes.
  public var size: Int64
  /// Nanoseconds since 1970; a date before 1678 or after 2262 becomes the nearest that 64 bits hold.
  public var modified: Int64
  /// The time of the last change of the file or its metadata, in the same unit. It also changes when a program sets
  /// `modified` back.
  public var changed: Int64
  public init(kind: Kind, identity: Identity, size: Int64 = 0, modified: Int64 = 0, changed: Int64 = 0) {
    self.kind = kind
    self.identity = identity
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// Nanoseconds of a file system's date, whose seconds may be any number.
  public static func nanoseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    seconds.clampedMultiplied(by: 1_000_000_000).clampedAdding(nanoseconds)
  }
}

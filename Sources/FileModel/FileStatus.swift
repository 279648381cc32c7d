internal import PlaybackCore

/// What a file looks like from outside.
public struct FileStatus: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case regular, directory, socket, other }

  /// The same for two paths that lead to the same file.
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
  /// Nanoseconds since 1970; a date that 64 bits don't hold (before 1678, after 2262) is the nearest one that they do.
  public var modified: Int64
  /// The same for a change of anything that is here, its dates too: what sets `modified` back shows in this one.
  public var changed: Int64
  public init(kind: Kind, identity: Identity, size: Int64 = 0, modified: Int64 = 0, changed: Int64 = 0) {
    self.kind = kind
    self.identity = identity
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// A date as a file system has it, which may be any number of seconds.
  public static func nanoseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    seconds.clampedMultiplied(by: 1_000_000_000).clampedAdding(nanoseconds)
  }
}

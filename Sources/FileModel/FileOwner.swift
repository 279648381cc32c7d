/// A file's owner and permissions.
public struct FileOwner: Hashable, Sendable {
  public var user: UInt32
  public var group: UInt32
  /// The permission bits, as for `chmod`.
  public var mode: UInt32

  public init(user: UInt32, group: UInt32, mode: UInt32) {
    self.user = user
    self.group = group
    self.mode = mode
  }

  /// Whether a user may read and write the file by its mode alone; ACLs aren't considered.
  public func lets(user: UInt32, groups: Set<UInt32>) -> Bool {
    if user == 0 { return true }
    if user == self.user { return mode & 0o600 == 0o600 }
    return groups.contains(group) ? mode & 0o060 == 0o060 : mode & 0o006 == 0o006
  }
}

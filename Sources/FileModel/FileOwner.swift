/// Whose a file is, and who may do what with it.
public struct FileOwner: Hashable, Sendable {
  public var user: UInt32
  public var group: UInt32
  /// As `chmod` takes it.
  public var mode: UInt32

  public init(user: UInt32, group: UInt32, mode: UInt32) {
    self.user = user
    self.group = group
    self.mode = mode
  }

  /// Whether somebody may read and write it, by its mode alone: what else a system allows (ACLs) isn't asked.
  public func lets(user: UInt32, groups: Set<UInt32>) -> Bool {
    if user == 0 { return true }
    if user == self.user { return mode & 0o600 == 0o600 }
    return groups.contains(group) ? mode & 0o060 == 0o060 : mode & 0o006 == 0o006
  }
}

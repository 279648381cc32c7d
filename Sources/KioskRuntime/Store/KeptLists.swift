internal import ContentStore
internal import PlaybackCore
internal import PlaylistConfig

/// Lists of addresses that the store keeps, by the address that each came from (docs/decisions/0193-lists-from-servers.md).
struct KeptLists: Hashable, Sendable {
  /// One version of a list.
  struct Version: Hashable, Sendable {
    /// In the store: another version has another name.
    var name: String
    var text: [UInt8]
    /// Of the farthest server that had a say in it: nothing nearer may be named.
    var reach: NetworkReach
  }

  /// Lists within lists at most, as playback has it.
  private static let deepest = 8
  /// Items of all lists together, as playback has it.
  private static let mostItems = 10_000

  var versions: [String: Version] = [:]

  /// The entries of each list that these items are or lead to, by the list's address. The item's settings hold for them.
  ///
  /// - Parameters:
  ///   - redirects: where servers may send us.
  ///   - networks: what this machine is attached to now.
  func entries(
    in items: [MediaItem], redirects: RedirectPolicy, networks: AttachedNetworks
  ) -> [String: [MediaItem]] {
    guard !versions.isEmpty else { return [:] }
    var found: [String: [MediaItem]] = [:]
    var count = 0
    var rest = items.map { (item: $0, depth: 0) }[...]
    while let (item, depth) = rest.popFirst() {
      guard depth < Self.deepest, count <= Self.mostItems, item.sha256 == nil, found[item.uri] == nil,
        let version = versions[item.uri], let medium = ServedList.medium(of: version.text, from: item.uri)
      else { continue }
      let entries = ServedList.items(
        of: version.text, medium, for: item, from: version.reach, redirects: redirects, networks: networks)
      guard !entries.isEmpty else { continue }
      found[item.uri] = entries
      count += entries.count
      rest += entries.map { ($0, depth + 1) }
    }
    return found
  }
}

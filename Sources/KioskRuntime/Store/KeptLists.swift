internal import ContentStore
internal import PlaybackCore
internal import PlaylistConfig

/// The lists of addresses that the store keeps, by the addresses that they came from
/// (decision 0193).
struct KeptLists: Hashable, Sendable {
  /// One version of a list.
  struct Version: Hashable, Sendable {
    /// The version's name in the store; each version has its own.
    var name: String
    var text: [UInt8]
    /// The reach of the farthest server that contributed to it: the list may not name anything nearer.
    var reach: NetworkReach
  }

  var versions: [String: Version] = [:]

  /// The entries of each list that these items are or lead to, by the list's address. The item's settings apply to
  /// them.
  ///
  /// - Parameters:
  ///   - redirects: how far servers may redirect.
  ///   - networks: the networks that this machine is attached to now.
  func entries(
    in items: [MediaItem], redirects: RedirectPolicy, networks: AttachedNetworks
  ) -> [String: [MediaItem]] {
    guard !versions.isEmpty else { return [:] }
    var found: [String: [MediaItem]] = [:]
    var count = 0
    var rest = items.map { (item: $0, depth: 0) }[...]
    while let (item, depth) = rest.popFirst() {
      guard depth < PlaybackMachine.deepestList, count <= PlaybackMachine.mostListed, item.sha256 == nil,
        found[item.uri] == nil, let version = versions[item.uri],
        let medium = ServedList.medium(of: version.text, from: item.uri)
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

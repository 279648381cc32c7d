/// A file on this machine that is played in place of a remote one.
public struct MediaCopy: Hashable, Sendable, Codable {
  /// A `file:` URI.
  public var uri: String
  /// The SHA-256 that the file was compared with, in 64 hexadecimal digits in lower case; nil where none was given.
  public var sha256: String?

  public init(uri: String, sha256: String? = nil) {
    self.uri = uri
    self.sha256 = sha256
  }
}

extension MediaItem {
  /// The item as it is played where some are copied: from its copy, if there is one, with the copies of its subtitles.
  ///
  /// - Parameter copies: by the original's address.
  package func stored(in copies: [String: MediaCopy]) -> MediaItem {
    // A playlist's copy wouldn't contain the segments.
    guard isRemote, kind != .adaptive, let copy = copies[uri], sha256 == nil || sha256 == copy.sha256 else {
      return self
    }
    var local = self
    local.uri = copy.uri
    local.isCopy = true
    if local.kind == .progressive { local.kind = .file }
    local.subtitles = subtitles.map { copies[$0]?.uri ?? $0 }
    return local
  }
}

/// Facts about items that their addresses don't show.
struct KnownMedia: Sendable {
  /// Most lists that are remembered: each may stand for many items. A board whose lists get new addresses every day
  /// reaches the limit in three years.
  private static let mostLists = 1000

  /// Local copies, by the original's address.
  var copies: [String: MediaCopy] = [:]
  /// Whether items that have a signed version are played in it.
  var prefersSigned = false
  /// Addresses of signed versions that can't be played, since somebody has last asked for them.
  var brokenVersions: Set<String> = []
  /// Kinds that servers actually send, by address, where the address suggested another kind or none.
  private var kinds: [String: MediaKind] = [:]
  /// Items of the lists that servers sent, by the lists' addresses.
  private(set) var lists: [String: [MediaItem]] = [:]
  /// The lists that contained an item of the queue, the outermost first.
  var origins: [ItemID: [String]] = [:]

  // MARK: Copies

  /// The item as it is played now: from its copy where there is one, with the copies of its subtitles.
  func fromStore(_ item: MediaItem) -> MediaItem {
    var item = prefersSigned ? item.signedVersion(but: brokenVersions) : item
    if let kind = kinds[item.uri] { item.kind = kind }
    return item.stored(in: copies)
  }

  func fromStore(_ entry: PlayQueue.Entry) -> PlayQueue.Entry {
    PlayQueue.Entry(id: entry.id, item: fromStore(entry.item))
  }

  /// Whether the item has a checksum, and a copy with that checksum.
  func hasCheckedCopy(of item: MediaItem) -> Bool {
    item.sha256.map { sum in copies[item.uri].map { $0.sha256 == sum } ?? false } ?? false
  }

  /// Whether the file was compared with that checksum.
  func isChecked(_ uri: String, _ sum: String) -> Bool {
    copies.values.contains { $0.uri == uri && $0.sha256 == sum }
  }

  /// State of the checksum of the file that a deck is to play.
  enum Proof: Hashable, Sendable {
    /// The item has no checksum, or its file was compared with it.
    case given
    /// The file is local and has to be read first.
    case due
    /// The item would come over the network, where nothing can be compared before it is shown.
    case missing
  }

  func proof(of deck: PlaybackDeck) -> Proof {
    guard let sum = deck.media.sha256, deck.preparation?.isChecked != true else { return .given }
    // The parts that a manifest names have no checksum, wherever the manifest is.
    guard !deck.media.isRemote, !deck.leavesProof(as: deck.media.kind) else { return .missing }
    return isChecked(deck.media.uri, sum) ? .given : .due
  }

  // MARK: Kinds and lists

  /// Stores the kind that an address really has. Kinds of items that are no longer listed are forgotten.
  mutating func record(_ kind: MediaKind, of uri: String, listed: Set<String>) {
    kinds = kinds.filter { listed.contains($0.key) }
    kinds[uri] = kind
  }

  /// Remembers the items of lists. Forgetting one costs another request only.
  mutating func remember(_ found: [String: [MediaItem]]) {
    if lists.count + found.count > Self.mostLists { lists = [:] }
    lists.merge(found) { $1 }
  }

  /// The items, with each known list replaced by the items that it contains.
  func listed(_ items: [MediaItem]) -> [MediaItem] {
    if lists.isEmpty { return items }
    var all: [MediaItem] = []
    put(items, inside: [], into: &all)
    return all.count > PlaybackMachine.mostListed ? items : all
  }

  private func put(_ items: [MediaItem], inside outer: [String], into all: inout [MediaItem]) {
    for item in items where all.count <= PlaybackMachine.mostListed {
      guard let found = lists[item.uri], !outer.contains(item.uri), outer.count < PlaybackMachine.deepestList else {
        all.append(item)
        continue
      }
      put(found, inside: outer + [item.uri], into: &all)
    }
  }

  /// Forgets the origins of items that are no longer listed.
  mutating func forgetOrigins(butOf listed: [PlayQueue.Entry]) {
    if origins.isEmpty { return }
    let listed = Set(listed.map(\.id))
    origins = origins.filter { listed.contains($0.key) }
  }
}

internal import PlaybackCore

/// The files that playback may use: whole, wanted, and with the wanted checksum.
struct StoreOffer: Hashable, Sendable {
  /// The name of the file to play, by the address of the playlists' item.
  private(set) var copies: [String: String] = [:]
  /// The name of the file to read, by the address of a list.
  private(set) var lists: [String: String] = [:]
  /// The checksums that are known of `copies`. Playback asks for them.
  private var sums: [String: String?] = [:]

  init() {}

  init(of wanted: WantedFiles, in files: StoreFiles) {
    for file in wanted.inOrder {
      guard let copy = files.rightCopy(of: file) else { continue }
      if copy.listReach == nil { copies[file.uri] = copy.name } else { lists[file.uri] = copy.name }
    }
    sums = copies.mapValues { files.checksum(of: $0) }
  }

  func has(_ uri: String) -> Bool { copies[uri] != nil || lists[uri] != nil }

  mutating func remove(_ uri: String) {
    copies[uri] = nil
    lists[uri] = nil
  }

  func check(_ all: inout Invariants, files: StoreFiles, wanted: WantedFiles) {
    func isRight(_ uri: String, _ name: String) -> Bool {
      wanted[uri].flatMap { files.rightCopy(of: $0) }?.name == name
    }
    // Otherwise playback would open a partial file, or a wrong one.
    all.check("What is offered is whole, wanted, and what was wanted", (copies.map { $0 } + lists).allSatisfy(isRight))
    // A list isn't played, and a film isn't read for addresses.
    func isList(_ name: String) -> Bool { files[name]?.listReach != nil }
    all.check(
      "What is offered as a list is one, and nothing else is",
      lists.values.allSatisfy(isList) && !copies.values.contains(where: isList))
  }
}

// Copies of remote items on this machine: a deck that is built plays the copy where there is one. What plays already goes on
// as it is, so another copy is taken up at the boundary of two items.

extension PlaybackMachine {
  /// The item as it is played now: from its copy, with those of its subtitles.
  func fromStore(_ item: MediaItem) -> MediaItem {
    var item = item
    if let kind = foundKinds[item.uri] { item.kind = kind }
    // A copy of a playlist has no segments.
    guard item.isRemote, item.kind != .adaptive, let copy = copies[item.uri] else { return item }
    var local = item
    local.uri = copy
    if local.kind == .progressive { local.kind = .file }
    local.subtitles = item.subtitles.map { copies[$0] ?? $0 }
    return local
  }

  func fromStore(_ entry: PlayQueue.Entry) -> PlayQueue.Entry {
    PlayQueue.Entry(id: entry.id, item: fromStore(entry.item))
  }
}

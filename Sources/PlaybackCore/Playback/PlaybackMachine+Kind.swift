// Items whose address doesn't tell what they are, or tells something else: `http://host/stream?id=7`. They are opened as what
// they look like, and the first bytes say what they are: docs/decisions/0071-kinds-by-content.md.

extension PlaybackMachine {
  /// Lists that are remembered at most: each may stand for many items. A board whose lists have another address each day has
  /// gone through them in three years.
  private static let mostLists = 1000
  /// Lists within lists at most. People nest two: a station's list names its streams' lists.
  private static let deepestList = 8
  /// So many items at most are put in the place of lists at once.
  private static let mostListed = 10_000

  /// The item is opened once more, as what it is. That is no failure, and nothing has been shown of it.
  ///
  /// Once: a server that says something else each time is played as it was opened last.
  mutating func kindFound(_ id: DeckID, _ kind: MediaKind) {
    guard let deck = opening(id), let preparation = deck.preparation, deck.media.kind != kind, !preparation.hasFoundKind
    else { return }
    guard !leavesProof(deck, as: kind) else { return deckFailed(id, PlaybackErrors.checkedList(uri: deck.media.uri)) }
    let listed = Set(queue.entries.map(\.item.uri))
    foundKinds = foundKinds.filter { listed.contains($0.key) }
    foundKinds[deck.media.uri] = kind
    emit(.cancelTimer(.preroll(id)))
    drop(id)
    var again = newDeck(
      PlayQueue.Entry(id: deck.item, item: deck.media), from: deck.origin, attempt: preparation.attempt)
    again.noteKindFound()
    again.isAnnounced = deck.isAnnounced
    again.isPreviewed = deck.isPreviewed
    again.hasProvedGood = deck.hasProvedGood
    again.startsAutomatically = deck.startsAutomatically
    if current?.id == id { current = again } else { next = again }
  }

  /// The entries of the list take its place in the queue.
  mutating func listFound(_ id: DeckID, _ items: [MediaItem]) {
    guard let deck = opening(id) else { return }
    let uri = deck.media.uri
    guard deck.media.sha256 == nil else { return deckFailed(id, PlaybackErrors.checkedList(uri: uri)) }
    // One that names itself, directly or by others, would never come to an end; nor would one whose server has another for each.
    let origins = listOrigins[deck.item] ?? []
    guard !items.isEmpty, !origins.contains(uri), origins.count < Self.deepestList else {
      return deckFailed(id, PlaybackErrors.emptyList(uri: uri))
    }
    rememberLists([uri: items])
    var edited = queue
    var last = deck.item
    for item in items {
      guard let listed = edited.insert(item, after: last) else { continue }
      listOrigins[listed] = origins + [uri]
      last = listed
    }
    edited.remove(deck.item)
    // It comes in the list's place, as at the seam that the list would have begun at.
    let isAutomatic = deck.startsAutomatically
    adoptQueue(edited)
    if current?.id != id, isAutomatic { current?.startsAutomatically = true }
  }

  /// Only a memory: what is forgotten is asked for anew.
  mutating func rememberLists(_ lists: [String: [MediaItem]]) {
    if foundLists.count + lists.count > Self.mostLists { foundLists = [:] }
    foundLists.merge(lists) { $1 }
  }

  /// Items, with what stands in lists among them in the place of these, as far as it is known: a configuration that is read again
  /// names the list, and what plays of it plays on.
  public func listed(_ items: [MediaItem]) -> [MediaItem] {
    if foundLists.isEmpty { return items }
    var all: [MediaItem] = []
    put(items, inside: [], into: &all)
    return all.count > Self.mostListed ? items : all
  }

  private func put(_ items: [MediaItem], inside lists: [String], into all: inout [MediaItem]) {
    for item in items where all.count <= Self.mostListed {
      guard let found = foundLists[item.uri], !lists.contains(item.uri), lists.count < Self.deepestList else {
        all.append(item)
        continue
      }
      put(found, inside: lists + [item.uri], into: &all)
    }
  }

  /// The deck of that id, if it is being opened.
  private func opening(_ id: DeckID) -> PlaybackDeck? {
    deck(id).flatMap { $0.isPreparing && $0.isBuilt ? $0 : nil }
  }
}

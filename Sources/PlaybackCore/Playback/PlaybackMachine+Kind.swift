// Items whose address doesn't show their kind, or shows another one: `http://host/stream?id=7`. They are opened as the
// kind that they look like, and their first bytes tell the real one: docs/decisions/0071-kinds-by-content.md.

extension PlaybackMachine {
  /// Most levels of lists within lists. Two are usual: a station's list names its streams' lists.
  public static let deepestList = 8
  /// Most items that replace lists at once.
  public static let mostListed = 10_000

  /// Reopens an item as the kind that it really is. That isn't a failure, since nothing of it has been shown.
  ///
  /// Once only: if the server then sends yet another kind, the item is played as it was opened last.
  mutating func kindFound(_ id: DeckID, _ kind: MediaKind) {
    guard let deck = opening(id), let preparation = deck.preparation, deck.media.kind != kind, !preparation.hasFoundKind
    else { return }
    guard !deck.leavesProof(as: kind) else { return deckFailed(id, PlaybackErrors.checkedList(uri: deck.media.uri)) }
    known.record(kind, of: deck.media.uri, listed: Set(sequence.queue.entries.map(\.item.uri)))
    emit(.cancelTimer(.preroll(id)))
    drop(id)
    var again = newDeck(
      PlayQueue.Entry(id: deck.item, item: deck.media), from: deck.motion.origin, attempt: preparation.attempt)
    again.markKindFound()
    again.standing = deck.standing
    if current?.id == id { current = again } else { next = again }
  }

  /// Replaces a list in the queue by the items that it names.
  mutating func listFound(_ id: DeckID, _ items: [MediaItem]) {
    guard let deck = opening(id) else { return }
    let uri = deck.media.uri
    guard deck.media.sha256 == nil else { return deckFailed(id, PlaybackErrors.checkedList(uri: uri)) }
    // A list that names itself, directly or through others, would never end; nor would one whose server sends another
    // list each time.
    let origins = known.origins[deck.item] ?? []
    guard !items.isEmpty, !origins.contains(uri), origins.count < Self.deepestList else {
      return deckFailed(id, PlaybackErrors.emptyList(uri: uri))
    }
    known.remember([uri: items])
    var edited = sequence.queue
    var last = deck.item
    for item in items {
      guard let listed = edited.insert(item, after: last) else { continue }
      known.origins[listed] = origins + [uri]
      last = listed
    }
    edited.remove(deck.item)
    // The first item takes the list's place, at the seam where the list would have begun.
    let isAutomatic = deck.standing.startsAutomatically
    adoptQueue(edited)
    if current?.id != id, isAutomatic { current?.standing.startsAutomatically = true }
  }

  /// The items, with each known list replaced by the items that it names: a configuration that is read again names the
  /// list, and the item of it that plays goes on.
  public func listed(_ items: [MediaItem]) -> [MediaItem] { known.listed(items) }

  /// The deck of that number, if it is being opened.
  private func opening(_ id: DeckID) -> PlaybackDeck? {
    deck(id).flatMap { $0.isPreparing && $0.isBuilt ? $0 : nil }
  }
}

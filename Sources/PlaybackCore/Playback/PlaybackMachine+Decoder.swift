// Boards whose decoder takes one stream at a time (`PlaybackPolicy.decodesOneStream`): a film is opened only when the
// one before is gone, while its last frame stays up. Pictures need no decoder and are prepared ahead as usual.

extension PlaybackMachine {
  /// Whether the item can't be opened while the deck exists.
  func sharesDecoder(_ media: MediaItem, with deck: PlaybackDeck) -> Bool {
    policy.decodesOneStream && media.needsDecoder && deck.readiness.hasVideo && deck.media.needsDecoder
  }

  /// Replaces a deck whose last frame has had its time by an item that couldn't be prepared beside it.
  mutating func succeed(_ deck: PlaybackDeck, by item: ItemID) {
    if !deck.standing.hasProvedGood { provedGood(deck) }
    dismissCurrent()
    build(item)
    current?.standing.startsAutomatically = true
  }

  /// Whether the deck has to wait until others have left the decoder. Tells the previous deck to go.
  mutating func waitsForDecoder(_ deck: PlaybackDeck) -> Bool {
    guard policy.decodesOneStream, deck.media.needsDecoder else { return false }
    // The frame on the screen stays there after its deck has gone.
    retire()
    return !behind.leaving.isEmpty
  }

  /// Builds the decks that wait for the decoder, once it is free.
  mutating func buildWaiting() {
    guard behind.leaving.isEmpty else { return }
    if var deck = current, deck.wait == .decoder {
      emitBuild(&deck)
      current = deck
    }
    // The next deck may wait for another reason than the current one did.
    if var deck = next, deck.wait == .decoder {
      emitBuild(&deck)
      next = deck
    }
  }

  /// Tells a deck to go.
  mutating func drop(_ id: DeckID) {
    if policy.decodesOneStream { behind.leaving.insert(id) }
    emit(.dropDeck(id))
  }
}

extension MediaItem {
  /// Whether the item may need a video decoder: pictures are decoded by the processor.
  var needsDecoder: Bool { kind != .picture }
}

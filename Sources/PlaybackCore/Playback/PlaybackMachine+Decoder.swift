// Boards whose decoder takes one stream at a time (`PlaybackPolicy.decodesOneStream`): a film is opened when the one before is
// gone, with its last frame up. Pictures need no decoder and are prepared ahead as everywhere.

extension PlaybackMachine {
  /// Whether the item can't be opened while the deck is there.
  func sharesDecoder(_ media: MediaItem, with deck: PlaybackDeck) -> Bool {
    policy.decodesOneStream && media.needsDecoder && deck.readiness.hasVideo && deck.media.needsDecoder
  }

  /// What couldn't be prepared follows a deck whose last frame has had its time.
  mutating func succeed(_ deck: PlaybackDeck, by item: ItemID) {
    if !deck.hasProvedGood { provedGood(deck) }
    dismissCurrent()
    build(item)
    current?.startsAutomatically = true
  }

  /// Whether the deck has to wait until others have left the decoder. They are told to.
  mutating func waitsForDecoder(_ deck: PlaybackDeck) -> Bool {
    guard policy.decodesOneStream, deck.media.needsDecoder else { return false }
    // The frame on the screen stays there without its deck.
    retire()
    return !leaving.isEmpty
  }

  /// The decoder may be free now.
  mutating func buildWaiting() {
    guard leaving.isEmpty else { return }
    if var deck = current, deck.wait == .decoder {
      emitBuild(&deck)
      current = deck
    }
    // Which may wait for another reason than the current one does.
    if var deck = next, deck.wait == .decoder {
      emitBuild(&deck)
      next = deck
    }
  }

  /// Tells a deck to go.
  mutating func drop(_ id: DeckID) {
    if policy.decodesOneStream { leaving.insert(id) }
    emit(.dropDeck(id))
  }
}

extension MediaItem {
  /// Whether it may be a film: pictures are decoded by the processor.
  var needsDecoder: Bool { kind != .picture }
}

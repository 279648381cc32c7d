internal import MediaPipeline
internal import PlaybackCore

/// What the engine has heard of each deck, by its name: one entry, so that all of it goes with the deck.
///
/// A deck has its entry from the moment it is built until it is down, or was given up. What is told of others is stale and
/// leaves nothing behind: a player runs for years.
struct DeckBook {
  struct Entry {
    /// What it plays.
    let item: ItemID
    /// Size of its picture, as decoded.
    var size: PresentationSize?
    /// What its item says of itself, as far as it is known yet.
    var metadata: MediaMetadata?
    /// What it has loaded, and where one can seek in it.
    var ranges: MediaRanges?
    /// How often it was built anew under its name.
    var incarnation: UInt32 = 0
    /// The decoder that gave it nothing, until another one shows a picture.
    var silentDecoder: String?
    /// How its frames are decoded, where hardware does it.
    var use: DecoderUse?
  }

  private var entries: [DeckID: Entry] = [:]

  var count: Int { entries.count }

  subscript(deck: DeckID) -> Entry? { entries[deck] }

  /// A deck is built.
  mutating func open(_ deck: DeckID, of item: ItemID) { entries[deck] = Entry(item: item) }

  /// Something is known of a deck; of one that has no entry it isn't kept.
  mutating func noteFact(of deck: DeckID, _ change: (inout Entry) -> Void) {
    guard var entry = entries[deck] else { return }
    change(&entry)
    entries[deck] = entry
  }

  /// The deck is down, or nobody waits for it any more.
  mutating func close(_ deck: DeckID) { entries[deck] = nil }
}

internal import MediaPipeline
internal import PlaybackCore

/// The engine's facts about each deck, in one entry, so that all of them go with the deck.
///
/// A deck has its entry from the moment it is built until it is down, or was given up. Facts about other decks are
/// stale and aren't kept: a player runs for years.
struct DeckBook {
  struct Entry {
    /// The deck's item.
    let item: ItemID
    /// Decoded size of its picture.
    var size: PresentationSize?
    /// The item's own description of itself, as far as it is known yet.
    var metadata: MediaMetadata?
    var tracks: [MediaTrack] = []
    /// Loaded and seekable parts.
    var ranges: MediaRanges?
    /// How often the deck was rebuilt under its number.
    var incarnation: UInt32 = 0
    /// The decoder that gave no picture, until another one shows one.
    var silentDecoder: String?
    /// The hardware decoder and the way of its frames; nil for software decoding.
    var use: DecoderUse?
  }

  private var entries: [DeckID: Entry] = [:]

  var count: Int { entries.count }

  subscript(deck: DeckID) -> Entry? { entries[deck] }

  /// Opens the entry of a deck that is built.
  mutating func open(_ deck: DeckID, of item: ItemID) { entries[deck] = Entry(item: item) }

  /// Stores a fact about a deck; ignored for a deck without an entry.
  mutating func updateEntry(of deck: DeckID, _ change: (inout Entry) -> Void) {
    guard var entry = entries[deck] else { return }
    change(&entry)
    entries[deck] = entry
  }

  /// Removes the entry of a deck that is down or was given up.
  mutating func close(_ deck: DeckID) { entries[deck] = nil }
}

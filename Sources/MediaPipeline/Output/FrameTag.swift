internal import PlaybackCore

/// Which frame a buffer in the output is, kept in the buffer's own offset fields: they travel with it to the sink,
/// through converters too, and nothing in the output uses them.
struct FrameTag: Hashable, Sendable {
  var deck: DeckID
  var index: UInt32
  var streamTime: Duration

  init(deck: DeckID, index: UInt32, streamTime: Duration) {
    self.deck = deck
    self.index = index
    self.streamTime = streamTime
  }

  init(offset: UInt64, offsetEnd: UInt64) {
    deck = DeckID(generation: UInt32(truncatingIfNeeded: offset >> 32))
    index = UInt32(truncatingIfNeeded: offset)
    streamTime = .nanoseconds(Int64(clamping: offsetEnd))
  }

  var offset: UInt64 { UInt64(deck.generation) << 32 | UInt64(index) }
  var offsetEnd: UInt64 { UInt64(max(0, streamTime.wholeNanoseconds)) }
}

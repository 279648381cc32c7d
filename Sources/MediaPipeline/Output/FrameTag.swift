internal import PlaybackCore

/// Which frame a buffer in the output is, kept in the buffer's own offset fields: they travel with it to the sink,
/// through converters too, and nothing in the output uses them.
struct FrameTag: Hashable, Sendable {
  var deck: DeckID
  var index: UInt32
  var streamTime: Duration
  /// Whether the frame was shown before, and comes again because of what is drawn into it.
  var isRepeat = false

  /// The index's highest bit: two years of frames go by before an index needs it.
  private static let repeatBit: UInt32 = 1 << 31

  init(deck: DeckID, index: UInt32, streamTime: Duration) {
    self.deck = deck
    self.index = index
    self.streamTime = streamTime
  }

  init(offset: UInt64, offsetEnd: UInt64) {
    deck = DeckID(generation: UInt32(truncatingIfNeeded: offset >> 32))
    index = UInt32(truncatingIfNeeded: offset) & ~Self.repeatBit
    isRepeat = UInt32(truncatingIfNeeded: offset) & Self.repeatBit != 0
    streamTime = .nanoseconds(Int64(clamping: offsetEnd))
  }

  var offset: UInt64 {
    UInt64(deck.generation) << 32 | UInt64(index & ~Self.repeatBit | (isRepeat ? Self.repeatBit : 0))
  }
  var offsetEnd: UInt64 { UInt64(max(0, streamTime.wholeNanoseconds)) }
}

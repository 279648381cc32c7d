internal import PlaybackCore

/// Identifies a frame in the output, stored in its buffer's offset fields: those travel with the buffer to the sink,
/// through converters too, and no element of the output uses them.
///
/// The first field holds the deck and the index; the second holds the epoch above a position in nanoseconds of 56 bits,
/// which are enough for two years.
struct FrameTag: Hashable, Sendable {
  private static let timeBits: UInt64 = 56

  var deck: DeckID
  var index: UInt32
  var streamTime: Duration
  var epoch: FrameEpoch
  /// Whether the frame was shown before, and is shown again because the overlay in it has changed.
  var isRepeat = false

  /// The index's highest bit: two years of frames pass before an index needs it.
  private static let repeatBit: UInt32 = 1 << 31

  init(deck: DeckID, index: UInt32, streamTime: Duration, epoch: FrameEpoch = .start) {
    self.deck = deck
    self.index = index
    self.streamTime = streamTime
    self.epoch = epoch
  }

  init(offset: UInt64, offsetEnd: UInt64) {
    deck = DeckID(generation: UInt32(truncatingIfNeeded: offset >> 32))
    index = UInt32(truncatingIfNeeded: offset) & ~Self.repeatBit
    isRepeat = UInt32(truncatingIfNeeded: offset) & Self.repeatBit != 0
    epoch = FrameEpoch(rawValue: UInt8(truncatingIfNeeded: offsetEnd >> Self.timeBits))
    streamTime = .nanoseconds(Int64(offsetEnd & (1 << Self.timeBits - 1)))
  }

  var offset: UInt64 {
    UInt64(deck.generation) << 32 | UInt64(index & ~Self.repeatBit | (isRepeat ? Self.repeatBit : 0))
  }
  var offsetEnd: UInt64 {
    let time = UInt64(max(0, streamTime.wholeNanoseconds))
    return UInt64(epoch.rawValue) << Self.timeBits | min(time, 1 << Self.timeBits - 1)
  }
}

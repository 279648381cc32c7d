// The parts of a deck, each about one thing: docs/decisions/0192-a-deck-in-parts.md.

extension PlaybackDeck {
  /// How the deck's item came to be shown. A deck that replaces this one inherits it.
  struct Standing: Hashable, Sendable {
    /// Whether the item follows automatically: the one before ended by itself, or couldn't be played in its place.
    var startsAutomatically = false
    /// Whether the item's start has been reported.
    var isAnnounced = false
    /// Whether the deck was told to show its first frame while paused.
    var isPreviewed = false
    /// Whether the item has played for long enough to count as good.
    var hasProvedGood = false
  }

  /// Running times at which the streams end, as far as known since the last seek, and the progress to the end.
  struct Ends: Hashable, Sendable {
    var video: Duration?
    var sound: Duration?
    var reach = Reach.ahead
  }

  /// The deck's progress to its end.
  enum Reach: Hashable, Sendable {
    case ahead
    /// At the end, where it stays until the next item is ready. Valid transitions are to `told`, and to `ahead` by a
    /// seek.
    case reached
    /// At the end, and that has been reported: nothing follows, or the deck goes. Valid transitions are to `ahead`, by
    /// a seek.
    case told
  }

  /// The scale and age of the buffer's levels.
  struct Gauge: Hashable, Sendable {
    /// Media that a full buffer stands for; fixed when the deck is built, whatever the policy becomes later.
    var scale = BufferingPolicy().fullScale
    /// When the level was reported last.
    var toldAt: Instant?
  }

  /// The viewer's share of the deck so far: frames shown and sound heard.
  struct Shown: Hashable, Sendable {
    var frames = 0
    /// Whether its sound has been heard; for decks without a picture.
    var hasSounded = false
    /// Running time up to which it was heard since its beginning or last seek.
    var heardUntil: Duration?
    /// When its last frame was shown, or its last sound heard where it has no picture; or when it began to play after
    /// that.
    var lastAt: Instant?
    /// Running time of a frame that has come and isn't due for long: until then no other is shown.
    var waitsUntil: Duration?
  }

  /// The deck's position in its item and its movement from there.
  struct Motion: Hashable, Sendable {
    /// Position of the last frame shown, or of the last sound heard where there is only sound. Before that it is where
    /// the deck begins, and after a seek where that has led.
    var position: Duration
    /// Target of an exact seek, or the item's end, while playback stays there.
    var landing: Landing?
    /// Position of running time zero.
    var origin: Duration
    /// Rate against the clock; negative is backwards.
    var rate: Double
    /// The rate that the deck was told to take and hasn't taken yet.
    var comingRate: Double?
  }

  /// A seek in progress. Its number is the deck's `lastSeek`.
  public struct Seeking: Hashable, Sendable {
    var request: SeekState.Request
    var mode: SeekMode
    var sentAt: Instant
    /// The running time at which the deck was held.
    var heldAt: Duration
  }
}

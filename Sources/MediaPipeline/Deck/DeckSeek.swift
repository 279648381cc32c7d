internal import CGStreamer
internal import PlaybackCore

/// One seek of a deck's pipeline.
struct DeckSeek: Hashable, Sendable {
  /// Of the item.
  var position: Duration
  var mode: SeekMode
  var rate: Double
  /// An exact seek begins at the key frame before its target, because the one before this has missed the target.
  var looksBack = false

  /// Whether samples before the target are dropped.
  var isTrimmed: Bool { mode == .exact && rate > 0 }

  /// The seek that the deck runs if this one misses its target. Nil for a seek that isn't exact, runs backwards or looks
  /// back already, and at the item's start, before which no picture lies.
  var lookingBack: DeckSeek? {
    guard isTrimmed, !looksBack, position > .zero else { return nil }
    return DeckSeek(position: position, mode: mode, rate: rate, looksBack: true)
  }

  var flags: GstSeekFlags {
    let keyframe = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue
    let flags =
      switch mode {
      case .exact where looksBack: keyframe | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
      case .exact: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue
      case .keyframe: keyframe | GST_SEEK_FLAG_SNAP_NEAREST.rawValue
      case .keyframeBefore: keyframe | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
      case .keyframeAfter: keyframe | GST_SEEK_FLAG_SNAP_AFTER.rawValue
      }
    return GstSeekFlags(rawValue: flags)
  }

  /// The place where the seek begins, in the pipeline's time.
  ///
  /// - Parameter frame: from one picture to the next; nil where none is to be whole.
  func begin(_ start: MediaStart, frame: Duration?) -> Duration {
    isTrimmed && !looksBack ? start.runUp(to: position, frame: frame) : start.entry(position)
  }

  /// - Parameter isPicture: the last picture before the target may be wanted; sound isn't.
  func aim(_ start: MediaStart, isPicture: Bool) -> SeekTrimmer.Aim? {
    guard isTrimmed else { return nil }
    return SeekTrimmer.Aim(target: start.inMedium(position), keepsLast: isPicture && looksBack)
  }
}

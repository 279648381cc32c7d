/// The loaded and the seekable parts of an item; both change as data arrives.
public struct MediaRanges: Hashable, Sendable {
  /// The loaded times. A local item is loaded as a whole; for an item from a network they are estimated by the share of
  /// its bytes.
  public var loaded: TimeRanges
  /// The times that a seek can lead to; empty for an item that can't be sought.
  public var seekable: TimeRanges

  public init(loaded: TimeRanges = TimeRanges(), seekable: TimeRanges = TimeRanges()) {
    self.loaded = loaded
    self.seekable = seekable
  }

  /// Whether the item has been loaded up to its end, so that nothing more arrives.
  ///
  /// - Parameter duration: of the item; nil while unknown, and then the result is false.
  public func reachEnd(of duration: Duration?) -> Bool {
    guard let duration, let end = loaded.bounds?.upperBound else { return false }
    // The ends of an item's streams differ by a frame or so.
    return end >= duration - .milliseconds(250)
  }

  /// Converts shares of an item, each 0...1, to times.
  public static func times(of shares: [Range<Double>], duration: Duration) -> TimeRanges {
    TimeRanges(shares.map { duration * $0.lowerBound..<duration * $0.upperBound })
  }
}

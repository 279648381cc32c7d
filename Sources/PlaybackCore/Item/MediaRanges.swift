/// What of an item is there, and where one can seek in it; both move as data arrives.
public struct MediaRanges: Hashable, Sendable {
  /// What has been loaded. Of a local item all of it; of one from a network an estimate by the share of its bytes.
  public var loaded: TimeRanges
  /// Where a seek can lead. Empty where none can.
  public var seekable: TimeRanges

  public init(loaded: TimeRanges = TimeRanges(), seekable: TimeRanges = TimeRanges()) {
    self.loaded = loaded
    self.seekable = seekable
  }

  /// Whether the end has been loaded, so that nothing more arrives.
  ///
  /// - Parameter duration: of the item; nil while unknown, and then there is no end.
  public func reachEnd(of duration: Duration?) -> Bool {
    guard let duration, let end = loaded.bounds?.upperBound else { return false }
    // The ends of streams differ by a frame or so.
    return end >= duration - .milliseconds(250)
  }

  /// Stretches of time out of shares of an item, each 0...1.
  public static func times(of shares: [Range<Double>], duration: Duration) -> TimeRanges {
    TimeRanges(shares.map { duration * $0.lowerBound..<duration * $0.upperBound })
  }
}

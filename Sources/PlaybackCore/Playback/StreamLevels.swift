/// How much of an item lies ready, out of what the queue of each of its streams holds: what plays is what all of them have.
public struct StreamLevels: Hashable, Sendable {
  public struct Level: Hashable, Sendable {
    public var media: Duration
    /// Nothing more goes in, whatever time that is.
    public var isFull: Bool
    /// What there is of the stream is all that there will be.
    public var hasEnded: Bool

    public init(media: Duration, isFull: Bool = false, hasEnded: Bool = false) {
      self.media = media
      self.isFull = isFull
      self.hasEnded = hasEnded
    }
  }
  private var streams: [UInt: Level] = [:]

  public init() {}

  /// - Parameter level: nil for a stream that has gone.
  public mutating func noteLevel(of stream: UInt, _ level: Level?) { streams[stream] = level }

  /// 0...100; nil without any stream.
  ///
  /// One queue that is full holds all of them up, since they are filled from one source: there will be no more than there is.
  ///
  /// - Parameter scale: what 100 stands for.
  public func percent(of scale: Duration) -> Int? {
    guard !streams.isEmpty else { return nil }
    let open = streams.values.filter { !$0.hasEnded }
    guard scale > .zero, let least = open.map(\.media).min(), !open.contains(where: \.isFull) else { return 100 }
    return Int(min(100, max(0, 100 * (least / scale))))
  }
}

/// The part of an item that is ready to play, by the levels of its streams' queues: the least of them counts.
public struct StreamLevels: Hashable, Sendable {
  public struct Level: Hashable, Sendable {
    public var media: Duration
    /// Whether the queue accepts no more data, whatever its level in time.
    public var isFull: Bool
    /// Whether the stream has ended, so that its queue gets no more.
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
  public mutating func updateLevel(of stream: UInt, _ level: Level?) { streams[stream] = level }

  /// The level as 0...100; nil without any stream.
  ///
  /// One full queue blocks all of them, since they are filled from one source: no more data will come than there are.
  ///
  /// - Parameter scale: media that 100 stands for.
  public func percent(of scale: Duration) -> Int? {
    guard !streams.isEmpty else { return nil }
    let open = streams.values.filter { !$0.hasEnded }
    guard scale > .zero, let least = open.map(\.media).min(), !open.contains(where: \.isFull) else { return 100 }
    return Int(min(100, max(0, 100 * (least / scale))))
  }
}

/// How far the sound of a deck was heard: given to the device, or past its time where there is none.
public struct RenderedSound: Hashable, Sendable {
  public var deck: DeckID
  /// In the deck's own time.
  public var running: Duration
  /// Position in the item.
  public var streamTime: Duration
  /// Which seek of the deck it comes from.
  public var epoch: FrameEpoch
  /// When that was.
  public var at: Instant

  public init(deck: DeckID, running: Duration, streamTime: Duration, epoch: FrameEpoch = .start, at: Instant) {
    self.deck = deck
    self.running = running
    self.streamTime = streamTime
    self.epoch = epoch
    self.at = at
  }

  /// How often it is told: often enough for a bar and for what watches over playback, a fraction of what frames cost.
  public static let interval: Duration = .milliseconds(100)
}

/// Where in its item a block of sound is.
public struct SoundPlace: Hashable, Sendable {
  /// Position of its first sample.
  public var streamTime: Duration
  /// Seconds of the item in a second of sound.
  public var speed: Double
  public var epoch: FrameEpoch

  public init(streamTime: Duration, speed: Double = 1, epoch: FrameEpoch = .start) {
    self.streamTime = streamTime
    self.speed = speed
    self.epoch = epoch
  }
}

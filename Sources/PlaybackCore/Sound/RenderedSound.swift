/// How far the sound of a deck was heard: given to the device, or past its time where there is no device.
public struct RenderedSound: Hashable, Sendable {
  public var deck: DeckID
  /// Running time in the deck.
  public var running: Duration
  /// Position in the item.
  public var streamTime: Duration
  /// The seek of the deck that the sound results from.
  public var epoch: FrameEpoch
  /// When it was heard.
  public var at: Instant

  public init(deck: DeckID, running: Duration, streamTime: Duration, epoch: FrameEpoch = .start, at: Instant) {
    self.deck = deck
    self.running = running
    self.streamTime = streamTime
    self.epoch = epoch
    self.at = at
  }

  /// Interval of these reports: often enough for a progress bar and for the watches on playback, a fraction of what
  /// frames cost.
  public static let interval: Duration = .milliseconds(100)
}

/// The place of a block of sound in its item.
public struct SoundPlace: Hashable, Sendable {
  /// Position of the block's first sample.
  public var streamTime: Duration
  /// Seconds of the item per second of sound.
  public var speed: Double
  public var epoch: FrameEpoch

  public init(streamTime: Duration, speed: Double = 1, epoch: FrameEpoch = .start) {
    self.streamTime = streamTime
    self.speed = speed
    self.epoch = epoch
  }
}

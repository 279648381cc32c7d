public import InteractionCore
public import PlaybackCore

/// The facts around the machine when an event comes.
public struct InteractionScene: Sendable {
  /// The facts of the item on the screen that a drag needs; nil without an item.
  public var media: ScrubMedia?
  /// Whether playback is wanted.
  public var isPlaying: Bool
  /// Whether the sound is on, so that its volume can change.
  public var isSoundEnabled: Bool
  /// The screen's size as people see it; nil without a screen.
  public var screen: PixelSize?
  /// The tracks of the item on the screen.
  public var tracks: [MediaTrack] = []

  public init(
    media: ScrubMedia? = nil, isPlaying: Bool = false, isSoundEnabled: Bool = true, screen: PixelSize? = nil
  ) {
    self.media = media
    self.isPlaying = isPlaying
    self.isSoundEnabled = isSoundEnabled
    self.screen = screen
  }
}

/// The newest bar, whether it shows or not, and its touch targets.
struct MeasuredBar: Hashable {
  var newest: TransportBar?
  /// The bar that `targets` belong to, without the parts that don't move them.
  var measured: TransportBar?
  var screen: PixelSize?
  var targets = OverlayTargets.none

  /// The newest bar without the parts that don't move its targets; nil where these are known.
  func wanted(on screen: PixelSize) -> TransportBar? {
    guard var wanted = newest else { return nil }
    wanted.position = wanted.position.map { _ in .zero }
    wanted.bufferedUntil = nil
    return measured != wanted || self.screen != screen ? wanted : nil
  }
}

/// Work that is done once for a whole batch of events, with its newest value.
public struct InteractionRest: Hashable, Sendable {
  /// The mouse pointer's new place.
  public var pointer: ScreenPoint?
  /// The seek of a drag, which is made after the bar has been drawn there.
  public var scrub: InteractionAction?
}

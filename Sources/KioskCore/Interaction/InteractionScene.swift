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

/// The facts of the item on the screen. While the next one is being opened, the previous one stays there.
struct ShownItem: Hashable {
  var hasSound = true
  /// The item's tracks; the five facts below follow from them, and are worked out when the tracks change: the overlay
  /// asks with each touch.
  var tracks: [MediaTrack] = [] {
    didSet {
      guard tracks != oldValue else { return }
      hasCaptions = tracks.contains(where: \.isCaption)
      showsCaptions = tracks.contains { $0.isCaption && $0.isEnabled }
      let sounds = tracks.filter { $0.kind == .audio }
      hasLanguages = Set(sounds.compactMap(\.tag)).count > 1
      hasDescription = sounds.contains(where: \.isDescription) && sounds.contains { !$0.isDescription }
      hearsDescription = sounds.contains { $0.isDescription && $0.isEnabled }
    }
  }
  private(set) var hasCaptions = false
  private(set) var showsCaptions = false
  /// Whether the sound comes in several languages.
  private(set) var hasLanguages = false
  /// Whether there is sound that describes the picture beside the usual one.
  private(set) var hasDescription = false
  private(set) var hearsDescription = false
  /// Whether a card is shown in place of a picture.
  var isCard = false
}

/// The newest bar, whether it shows or not, and its touch targets.
struct MeasuredBar: Hashable {
  var newest: TransportBar?
  /// The bar that `targets` belong to, without the parts that don't move them.
  var measured: TransportBar?
  var screen: PixelSize?
  var targets = OverlayTargets.none
}

/// Work that is done once for a whole batch of events, with its newest value.
public struct InteractionRest: Hashable, Sendable {
  /// The mouse pointer's new place.
  public var pointer: ScreenPoint?
  /// The seek of a drag, which is made after the bar has been drawn there.
  public var scrub: InteractionAction?
}

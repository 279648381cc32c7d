public import PlaybackCore

/// The items and settings of a ``Player``.
public struct PlayerConfiguration: Hashable, Sendable {
  /// The items, in order of play.
  public var items: [MediaItem]
  /// Whether the first item follows the last.
  public var loops: Bool
  /// Position in the first item at which playback begins. Negative counts as zero.
  public var startAt: Duration
  /// The screen. Its resources (a card, a surface) must outlive the player's ``Player/stop()``.
  public var output: VideoTarget
  /// Settings of the sound, and whether there is any.
  public var sound: SoundSettings
  /// The treatment of HDR films.
  public var hdr = HDRChoice.map
  /// Preferred sound and subtitles.
  public var tracks: TrackPreferences
  /// How servers are reached, and how the player authenticates to them.
  public var access = ServerAccess()
  /// The deadlines and margins of playback; the defaults are measured.
  public var policy: PlaybackPolicy

  /// - Parameters:
  ///   - items: the items, in order of play; a player without items is at its end at once.
  ///   - loops: whether the first item follows the last.
  ///   - startAt: position in the first item at which playback begins.
  ///   - output: the screen, or memory.
  ///   - wantsSound: false leaves the sound branch out.
  ///   - sound: device, volume and offset.
  ///   - tracks: preferred sound and subtitles.
  ///   - policy: the deadlines and margins of playback.
  public init(
    items: [MediaItem], loops: Bool = false, startAt: Duration = .zero, output: VideoTarget, wantsSound: Bool = true,
    sound: SoundSettings = SoundSettings(), tracks: TrackPreferences = TrackPreferences(),
    policy: PlaybackPolicy = PlaybackPolicy()
  ) {
    self.items = items
    self.loops = loops
    self.startAt = startAt.bounded
    self.output = output
    self.sound = sound
    if !wantsSound { self.sound.isEnabled = false }
    self.tracks = tracks
    self.policy = policy
  }
}

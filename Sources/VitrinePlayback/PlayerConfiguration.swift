public import PlaybackCore

/// What a ``Player`` plays, and where.
public struct PlayerConfiguration: Hashable, Sendable {
  /// What is played, in order.
  public var items: [MediaItem]
  /// Whether the first item follows the last.
  public var loops: Bool
  /// Position in the first item at which playback begins. Negative counts as zero.
  public var startAt: Duration
  /// The screen. What it names (a card, a surface) must outlive the player's ``Player/stop()``.
  public var output: VideoTarget
  /// How it sounds, and whether.
  public var sound: SoundSettings
  /// What is done with HDR films.
  public var hdr = HDRChoice.map
  /// Which sound and which subtitles are wanted.
  public var tracks: TrackPreferences
  /// How servers are reached, and who we are for them.
  public var access = ServerAccess()
  /// The deadlines and margins of playback; the defaults are measured.
  public var policy: PlaybackPolicy

  /// - Parameters:
  ///   - items: what is played, in order; a player without items is at its end at once.
  ///   - loops: whether the first item follows the last.
  ///   - startAt: position in the first item at which playback begins.
  ///   - output: the screen, or memory.
  ///   - wantsSound: false for no sound branch at all.
  ///   - sound: device, volume and offset.
  ///   - tracks: which sound and which subtitles are wanted.
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

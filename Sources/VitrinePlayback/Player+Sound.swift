internal import PlaybackCore

// A player's volume and mute, which belong to its output; an item's own volume is `MediaItem.volume`.
extension Player {
  /// 0...1, whether muted or not. A knob: see `SoundMixer` for its curve.
  public var volume: Double { engine?.volume ?? configuration.sound.volume }

  /// Whether the sound is muted.
  public var isMuted: Bool { engine?.isMuted ?? configuration.sound.isMuted }

  /// Sets the volume of all items.
  ///
  /// - Parameters:
  ///   - volume: clamped to 0...1.
  ///   - fade: duration of the change; nil takes that of ``PlayerConfiguration/sound``, zero is as fast as possible
  ///     without a click.
  public func setVolume(_ volume: Double, over fade: Duration? = nil) {
    prepare()
    engine?.setVolume(volume, over: fade)
  }

  /// Mutes or unmutes the sound; the volume stays.
  ///
  /// - Parameters:
  ///   - isMuted: whether the sound is muted.
  ///   - fade: as for ``setVolume(_:over:)``.
  public func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    prepare()
    engine?.setMuted(isMuted, over: fade)
  }
}

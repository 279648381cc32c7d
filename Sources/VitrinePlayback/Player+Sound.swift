internal import PlaybackCore

// How loud a player is. Both are the output's; what an item adds is `MediaItem.volume`.
extension Player {
  /// 0...1, whether muted or not. A knob: see `SoundMixer` for its curve.
  public var volume: Double { engine?.volume ?? configuration.sound.volume }

  /// Whether everything is silenced.
  public var isMuted: Bool { engine?.isMuted ?? configuration.sound.isMuted }

  /// Turns everything up or down.
  ///
  /// - Parameters:
  ///   - volume: 0...1; what is beyond is taken to the nearer end.
  ///   - fade: how long it takes; nil takes what ``PlayerConfiguration/sound`` says, zero is as fast as it can be without a
  ///     click.
  public func setVolume(_ volume: Double, over fade: Duration? = nil) {
    prepare()
    engine?.setVolume(volume, over: fade)
  }

  /// Silences everything, or lets it sound again as loud as before.
  ///
  /// - Parameters:
  ///   - isMuted: whether nothing is heard.
  ///   - fade: as for ``setVolume(_:over:)``.
  public func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    prepare()
    engine?.setMuted(isMuted, over: fade)
  }
}

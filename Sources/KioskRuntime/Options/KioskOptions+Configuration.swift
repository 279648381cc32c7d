internal import InteractionCore
internal import PlaybackCore
public import PlaylistConfig

extension KioskOptions {
  /// Takes over a configuration's settings, but not its lists: a schedule may choose another one.
  public mutating func follow(_ configuration: Configuration) {
    settings = configuration
    // The playlists are long, and settings are often compared.
    settings.playlists = [:]
    policy.pictureDuration = configuration.playback.pictureDuration
    policy.buffering = BufferingPolicy(memory: memory)
    configuration.network.apply(to: &policy)
    interaction = configuration.interaction
  }

  /// The input settings, including whether visitors have a list of their own now.
  var interactionNow: InteractionSettings {
    var settings = interaction
    settings.attract.hasInteractiveList = !visitorsQueue.isEmpty
    return settings
  }
}

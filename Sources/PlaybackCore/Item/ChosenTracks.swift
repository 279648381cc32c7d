/// The tracks of an item that are on. With a headset, the visitor's choice of sound is heard there, and the loudspeaker
/// keeps what the configuration prefers.
public struct ChosenTracks: Hashable, Sendable {
  /// Ids of the tracks that are on for the visitor.
  public private(set) var ids: Set<MediaTrack.ID>
  /// Ids of the tracks for the screen and the loudspeaker.
  public private(set) var room: Set<MediaTrack.ID>
  public private(set) var loudspeaker: MediaTrack?
  /// The loudspeaker's where there is no headset.
  public private(set) var headset: MediaTrack?

  /// - Parameters:
  ///   - preferences: with the visitor's choice.
  ///   - configured: without it; nil where there is no headset.
  ///   - overrides: tracks that were switched by hand.
  public init(
    of tracks: [MediaTrack], _ preferences: TrackPreferences, configured: TrackPreferences? = nil,
    overrides: [MediaTrack.ID: Bool] = [:]
  ) {
    let chosen = TrackChoice.choose(tracks, preferences, overrides: overrides)
    let usual = configured.map { TrackChoice.choose(tracks, $0, overrides: overrides) } ?? chosen
    let sounds = tracks.filter { $0.kind == .audio }
    ids = chosen
    room = chosen.subtracting(sounds.map(\.id)).union(usual.intersection(sounds.map(\.id)))
    loudspeaker = sounds.first { usual.contains($0.id) }
    headset = sounds.first { chosen.contains($0.id) }
  }
}

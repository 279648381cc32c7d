internal import MediaPipeline
internal import PlaybackCore

/// What subtitles are to be seen with the frame on the screen, for all decks that live.
struct SubtitleFollower {
  /// Those of now.
  private(set) var shown: [SubtitleCue] = []
  private var models: [DeckID: SubtitleTrackModel] = [:]

  /// Takes what concerns it of what a deck tells.
  mutating func takeDeckEvent(_ event: DeckEvent, from deck: DeckID) {
    switch event {
    case .tracks(let tracks): models[deck, default: SubtitleTrackModel()].takeTracks(tracks)
    case .cue(let cue): models[deck, default: SubtitleTrackModel()].takeCue(cue)
    case .subtitles(let timeline, let track):
      models[deck, default: SubtitleTrackModel()].takeTimeline(timeline, of: track)
    default: break
    }
  }

  /// Nothing is seen and nothing can be: no place changes that.
  var isIdle: Bool { shown.isEmpty && models.values.allSatisfy(\.isOff) }

  mutating func forget(_ deck: DeckID) { models[deck] = nil }

  /// Playback shows this position of a deck; nil shows nothing. Whether that changes what is to be seen.
  mutating func follow(_ place: (deck: DeckID, position: Duration)?) -> Bool {
    let cues = place.flatMap { models[$0.deck]?.cues(at: $0.position) } ?? []
    guard cues != shown else { return false }
    shown = cues
    return true
  }

  /// How far from a position of a deck the next change is.
  func nextChange(of deck: DeckID, after position: Duration) -> Duration? {
    models[deck]?.nextChange(after: position).map { $0 - position }
  }
}

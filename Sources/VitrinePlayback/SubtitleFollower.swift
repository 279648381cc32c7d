internal import MediaPipeline
internal import PlaybackCore

/// Selects the subtitles for the frame on the screen, from those of all living decks.
struct SubtitleFollower {
  /// The subtitles shown now.
  private(set) var shown: [SubtitleCue] = []
  private var models: [DeckID: SubtitleTrackModel] = [:]

  /// Takes a deck's event; those without tracks or cues are ignored.
  mutating func handleDeckEvent(_ event: DeckEvent, from deck: DeckID) {
    switch event {
    case .tracks(let tracks): models[deck, default: SubtitleTrackModel()].updateTracks(tracks)
    case .cue(let cue): models[deck, default: SubtitleTrackModel()].addCue(cue)
    case .subtitles(let timeline, let track):
      models[deck, default: SubtitleTrackModel()].setTimeline(timeline, of: track)
    default: break
    }
  }

  /// Whether no subtitle is shown and none can be, at any position.
  var isIdle: Bool { shown.isEmpty && models.values.allSatisfy(\.isOff) }

  mutating func forget(_ deck: DeckID) { models[deck] = nil }

  /// Selects the subtitles for a position of a deck; nil shows none. Returns whether the shown ones change.
  mutating func follow(_ place: (deck: DeckID, position: Duration)?) -> Bool {
    let cues = place.flatMap { models[$0.deck]?.cues(at: $0.position) } ?? []
    guard cues != shown else { return false }
    shown = cues
    return true
  }

  /// Time from a position of a deck to the next change of its subtitles.
  func nextChange(of deck: DeckID, after position: Duration) -> Duration? {
    models[deck]?.nextChange(after: position).map { $0 - position }
  }
}

/// Chooses which tracks of an item are on.
public enum TrackChoice {
  /// Chooses one video track, at most one audio and at most one text track.
  ///
  /// - Video: the container's default, else the first.
  /// - Audio: the first of the preferred languages that there is; else the container's default, else the first. One
  ///   with the region asked for comes before one without a region, that before one of another region, the container's
  ///   default before others of the same rank.
  ///   Audio descriptions are left out if other sound has that language, or, without a preferred language, if there is
  ///   any other sound. If they are preferred, they come before all others: in the language of the sound that would be
  ///   on otherwise, else in a preferred one, else in any.
  /// - Text, `forced`: a forced one in the language of the chosen sound, else in a preferred one, else in none that is
  ///   known.
  /// - Text, `always`: a full one in a preferred language, else a forced one, else one whose language isn't known;
  ///   without a preference the container's default, else the first full one. Text for people who don't hear the film
  ///   comes before other text of its language, if it is preferred.
  ///
  /// - Parameter overrides: tracks that the user has switched on (true) or off (false), by id. As soon as one of a kind
  ///   is switched on, those of that kind that are switched on are all that is on; one that is switched off isn't
  ///   chosen. Ids of other items are ignored.
  /// - Returns: ids of the tracks that are to be on.
  public static func choose(
    _ tracks: [MediaTrack], _ preferences: TrackPreferences, overrides: [String: Bool] = [:]
  ) -> Set<String> {
    var chosen: [MediaTrack] = []
    func add(_ kind: MediaTrack.Kind, _ choose: ([MediaTrack]) -> MediaTrack?) {
      let ofKind = tracks.filter { $0.kind == kind }
      let forcedOn = ofKind.filter { overrides[$0.id] == true }
      if forcedOn.isEmpty {
        chosen += [choose(ofKind.filter { overrides[$0.id] != false })].compactMap(\.self)
      } else {
        chosen += forcedOn
      }
    }
    add(.video, preferred)
    add(.audio) { sound($0, preferences) }
    let heard = chosen.first { $0.kind == .audio }?.language
    add(.text) { text($0, preferences, heard: heard) }
    return Set(chosen.map(\.id))
  }

  private static func sound(_ tracks: [MediaTrack], _ preferences: TrackPreferences) -> MediaTrack? {
    let (described, plain) = (tracks.filter(\.isDescription), tracks.filter { !$0.isDescription })
    let languages = preferences.audioLanguages
    let usual =
      best(plain, languages: languages) ?? best(described, languages: languages) ?? preferred(plain)
      ?? preferred(described)
    guard preferences.audioDescription else { return usual }
    return best(described, languages: [usual?.language].compactMap(\.self) + languages) ?? preferred(described) ?? usual
  }

  private static func text(_ tracks: [MediaTrack], _ preferences: TrackPreferences, heard: String?) -> MediaTrack? {
    let forced = tracks.filter(\.isForced)
    let full = tracks.filter { !$0.isForced }
    switch preferences.subtitles {
    case .off:
      return nil
    case .forced:
      let languages = [heard].compactMap(\.self) + preferences.subtitleLanguages
      return best(forced, languages: languages) ?? preferred(ofUnknownLanguage(forced))
    case .always:
      let languages = preferences.subtitleLanguages
      if languages.isEmpty {
        let usual = tracks.first(where: \.isDefault) ?? full.first ?? forced.first
        // Of its language.
        return preferences.hardOfHearing
          ? full.first { $0.isForHardOfHearing && $0.tag == usual?.tag } ?? usual : usual
      }
      let hardOfHearing = preferences.hardOfHearing
      return best(full, languages: languages.compactMap { LanguageTag($0) }, hardOfHearing: hardOfHearing)
        ?? best(forced, languages: languages)
        ?? preferred(ofUnknownLanguage(full))
    }
  }

  /// The container's default, else the first.
  static func preferred(_ tracks: [MediaTrack]) -> MediaTrack? {
    tracks.first(where: \.isDefault) ?? tracks.first
  }

  private static func ofUnknownLanguage(_ tracks: [MediaTrack]) -> [MediaTrack] {
    tracks.filter { $0.tag == nil }
  }

  /// The best track in the first preferred language that has one; nil if no preferred language has.
  private static func best(_ tracks: [MediaTrack], languages: [String]) -> MediaTrack? {
    best(tracks, languages: languages.compactMap { LanguageTag($0) })
  }

  /// - Parameter hardOfHearing: whether text for people who don't hear the film comes first in its language.
  static func best(_ tracks: [MediaTrack], languages: [LanguageTag], hardOfHearing: Bool = false) -> MediaTrack? {
    for wanted in languages {
      var found: (track: MediaTrack, rank: (Int, Int, Int))?
      for track in tracks {
        guard let language = track.tag else { continue }
        let isMeant = hardOfHearing && track.isForHardOfHearing
        let rank = (wanted.match(language), isMeant ? 1 : 0, track.isDefault ? 1 : 0)
        guard rank.0 > 0 else { continue }
        // Among equals the first in the container wins.
        if let best = found, rank <= best.rank { continue }
        found = (track, rank)
      }
      if let found { return found.track }
    }
    return nil
  }
}

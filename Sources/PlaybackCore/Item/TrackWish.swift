/// A visitor's choice of captions, language, audio description and sign language. It overrides the preferences of the item and the
/// configuration.
public struct TrackWish: Hashable, Sendable {
  public enum Captions: Hashable, Sendable {
    /// As item and configuration say.
    case configured
    case off
    /// On, in this language where there are any in it; nil leaves the language to the preferences.
    case on(LanguageTag?)
  }

  public var captions = Captions.configured
  /// The language of the sound; nil leaves it to the preferences.
  public var language: LanguageTag?
  /// Whether the audio description is heard, if the item has one.
  public var hearsDescription = false
  /// Whether items are shown in their versions in sign language, where they have one.
  public var isSigned = false

  public init() {}

  /// The preferences with the visitor's choice before them.
  public func applied(to preferences: TrackPreferences) -> TrackPreferences {
    var preferences = preferences
    if let language { preferences.audioLanguages.insert(language.description, at: 0) }
    if hearsDescription { preferences.audioDescription = true }
    switch captions {
    case .configured: break
    // Texts for foreign parts of the sound are no captions.
    case .off: if preferences.subtitles == .always { preferences.subtitles = .forced }
    case .on(let language):
      preferences.subtitles = .always
      preferences.hardOfHearing = true
      if let language { preferences.subtitleLanguages.insert(language.description, at: 0) }
    }
    return preferences
  }
}

/// A change of captions or language that somebody asks for.
public enum TrackRequest: Hashable, Sendable {
  /// Captions on where they are off, and the reverse.
  case toggle
  case on
  case off
  /// The next language of the item; after the last one captions go off, and the sound begins again with the first.
  case next
  case language(LanguageTag)
}

extension TrackWish {
  /// Changes the captions.
  ///
  /// - Parameter tracks: those of the item that is shown; text tracks that translate only foreign parts don't count.
  /// - Returns: the track that is on now; nil when none is, which is the wish or for want of one.
  public mutating func changeCaptions(_ request: TrackRequest, of tracks: [MediaTrack]) -> MediaTrack? {
    let texts = Self.captions(in: tracks)
    let shown = texts.first(where: \.isEnabled)
    let wanted: MediaTrack?
    switch request {
    case .off: wanted = nil
    case .toggle: wanted = shown == nil ? usual(texts, of: tracks) : nil
    case .on: wanted = shown ?? usual(texts, of: tracks)
    case .next:
      let languages = Self.onePerLanguage(texts)
      let place = shown.flatMap { shown in languages.firstIndex { $0.tag == shown.tag } }
      wanted = place.map { $0 + 1 < languages.count ? languages[$0 + 1] : nil } ?? languages.first
    case .language(let tag): wanted = TrackChoice.best(texts, languages: [tag], hardOfHearing: true)
    }
    // What is asked for in so many words holds for the next items too, although this one may have no captions.
    switch request {
    case .off: captions = .off
    case .on: captions = .on(wanted?.tag)
    case .language(let tag): captions = .on(tag)
    case .toggle, .next: if !texts.isEmpty { captions = wanted.map { .on($0.tag) } ?? .off }
    }
    return wanted
  }

  /// Changes the language of the sound; captions that the visitor has on follow.
  ///
  /// - Returns: the track that is heard now; nil where the item has no other.
  public mutating func changeLanguage(_ request: TrackRequest, of tracks: [MediaTrack]) -> MediaTrack? {
    let sounds = tracks.filter { $0.kind == .audio && $0.tag != nil }
    let wanted: MediaTrack?
    if case .language(let tag) = request {
      wanted = TrackChoice.best(sounds, languages: [tag])
      language = tag
    } else {
      let languages = Self.onePerLanguage(sounds)
      guard languages.count > 1 else { return nil }
      let heard = sounds.first(where: \.isEnabled)
      let place = languages.firstIndex { $0.tag == heard?.tag } ?? languages.count - 1
      wanted = languages[(place + 1) % languages.count]
      language = wanted?.tag
    }
    if case .on = captions, let language { captions = .on(language) }
    return wanted
  }

  /// Switches the audio description on or off.
  ///
  /// - Parameter isOn: nil for the reverse of what is heard, which is nothing where the item has no description.
  /// - Returns: the description that is heard now; nil when none is, which is the wish or for want of one.
  public mutating func changeDescription(_ isOn: Bool?, of tracks: [MediaTrack]) -> MediaTrack? {
    let described = tracks.filter(\.isDescription)
    if isOn == nil, described.isEmpty { return nil }
    let heard = tracks.first { $0.kind == .audio && $0.isEnabled }
    hearsDescription = isOn ?? !(heard?.isDescription ?? false)
    guard hearsDescription else { return nil }
    return (language ?? heard?.tag).flatMap { TrackChoice.best(described, languages: [$0]) }
      ?? TrackChoice.preferred(described)
  }

  /// Switches sign language on or off.
  ///
  /// - Parameter isOn: nil for the reverse of the wish; nothing changes where the item has no signed version.
  /// - Returns: the signed version that is shown now; nil when none is, which is the wish or for want of one.
  public mutating func changeSigned(_ isOn: Bool?, of tracks: [MediaTrack]) -> MediaTrack? {
    let version = tracks.first(where: \.isSigned)
    if isOn == nil, version == nil { return nil }
    isSigned = isOn ?? !isSigned
    return isSigned ? version : nil
  }

  /// The captions, those for people who don't hear the film before others of the same language.
  private static func captions(in tracks: [MediaTrack]) -> [MediaTrack] {
    let captions = tracks.filter(\.isCaption)
    return onePerLanguage(captions).flatMap { first in
      let same = captions.filter { $0.tag == first.tag }
      return same.filter(\.isForHardOfHearing) + same.filter { !$0.isForHardOfHearing }
    }
  }

  /// The captions in the language that is heard, else the container's default, else the first.
  private func usual(_ texts: [MediaTrack], of tracks: [MediaTrack]) -> MediaTrack? {
    let heard = tracks.first { $0.kind == .audio && $0.isEnabled }?.tag
    let usual =
      (language ?? heard).flatMap { TrackChoice.best(texts, languages: [$0]) } ?? TrackChoice.preferred(texts)
    return texts.first { $0.tag == usual?.tag }
  }

  /// The first track of each language, in the order of the item.
  private static func onePerLanguage(_ tracks: [MediaTrack]) -> [MediaTrack] {
    tracks.enumerated().filter { index, track in !tracks[..<index].contains { $0.tag == track.tag } }.map(\.element)
  }
}

// What there is to choose, and what is on.

extension TrackWish {
  /// A track for each language in which there are captions. Without any known language, the first of them.
  public static func captions(of tracks: [MediaTrack]) -> [MediaTrack] {
    let texts = onePerLanguage(captions(in: tracks))
    // One without a language can't be asked for beside others.
    let known = texts.filter { $0.tag != nil }
    return known.isEmpty ? texts : known
  }

  /// A track for each known language of the sound.
  public static func languages(of tracks: [MediaTrack]) -> [MediaTrack] {
    onePerLanguage(tracks.filter { $0.kind == .audio && $0.tag != nil })
  }

  /// Whether there is sound that describes the picture beside the usual one.
  public static func hasDescription(_ tracks: [MediaTrack]) -> Bool {
    let sounds = tracks.filter { $0.kind == .audio }
    return sounds.contains(where: \.isDescription) && sounds.contains { !$0.isDescription }
  }

  /// The captions that are on, or will be as soon as the wish is carried out.
  public func shown(of tracks: [MediaTrack]) -> MediaTrack? {
    let texts = Self.captions(in: tracks)
    let enabled = texts.first(where: \.isEnabled)
    return switch captions {
    case .off: nil
    case .configured, .on(nil): enabled
    case .on(let language?): TrackChoice.best(texts, languages: [language], hardOfHearing: true) ?? enabled
    }
  }

  /// The language of the sound that is heard, or will be as soon as the wish is carried out.
  public func heard(of tracks: [MediaTrack]) -> LanguageTag? {
    let sounds = tracks.filter { $0.kind == .audio }
    let wanted = language.flatMap { TrackChoice.best(sounds, languages: [$0]) }
    return (wanted ?? sounds.first(where: \.isEnabled))?.tag
  }
}

extension MediaTrack {
  /// The language; nil while unknown.
  public var tag: LanguageTag? { language.flatMap { LanguageTag($0) } }

  /// Whether it is text for the whole sound, and not for its foreign parts alone.
  public var isCaption: Bool { kind == .text && !isForced }

  /// The track's name for people: its language in that language, its title, or its number.
  public var shownName: String { tag?.ownName ?? (title.isEmpty ? id : title) }
}

extension LanguageTag {
  /// The language's name in that language, such as `Deutsch`; the tag for languages without an entry.
  public var ownName: String {
    guard let name = Self.ownNames[language] else { return description }
    // A region or script tells two languages apart that have one name.
    return subtags.isEmpty ? name : "\(name) (\(subtags.joined(separator: "-").uppercased()))"
  }

  // From CLDR 45, with capitals where the language begins headings with one.
  private static let ownNames = [
    "ar": "العربية", "bg": "Български", "ca": "Català", "cs": "Čeština", "cy": "Cymraeg", "da": "Dansk",
    "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español", "et": "Eesti", "eu": "Euskara",
    "fa": "فارسی", "fi": "Suomi", "fr": "Français", "ga": "Gaeilge", "gl": "Galego", "he": "עברית", "hi": "हिन्दी",
    "hr": "Hrvatski", "hu": "Magyar", "is": "Íslenska", "it": "Italiano", "ja": "日本語", "ko": "한국어",
    "lb": "Lëtzebuergesch", "lt": "Lietuvių", "lv": "Latviešu", "mt": "Malti", "nb": "Norsk bokmål",
    "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский",
    "sk": "Slovenčina", "sl": "Slovenščina", "sr": "Српски", "sv": "Svenska", "th": "ไทย", "tr": "Türkçe",
    "uk": "Українська", "vi": "Tiếng Việt", "zh": "中文",
  ]
}

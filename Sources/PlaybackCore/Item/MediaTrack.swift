/// One stream of an item, as its container describes it.
public struct MediaTrack: Hashable, Sendable, Identifiable {
  public enum Kind: String, Hashable, Sendable {
    case video, audio, text
  }

  /// Unique within the item, and the same each time the item is opened.
  public var id: String
  public var kind: Kind
  /// The language in the container's spelling: BCP 47 or ISO 639-2; nil or `und` while unknown.
  public var language: String?
  public var title: String
  /// The codec's name for people; empty while unknown.
  public var codec: String
  /// The container's advice to play this track unless the user chooses otherwise.
  public var isDefault: Bool
  /// Whether the text translates only the foreign parts of the sound: signs, a line in another language.
  public var isForced: Bool
  /// Whether the text tells sounds and speakers too, for people who don't hear the film.
  public var isForHardOfHearing = false
  /// Whether the sound describes the picture for people who don't see it.
  public var isDescription: Bool
  /// Whether it is the whole item in sign language: another file, which takes its place.
  public var isSigned: Bool
  /// Whether the track is on now. For the view only: `TrackChoice` ignores it, so that its answer doesn't depend on an
  /// earlier choice.
  public var isEnabled: Bool
  /// Address of the file that holds the track; nil where that is the item itself.
  public var file: String?

  public init(
    id: String, kind: Kind, language: String? = nil, title: String = "", codec: String = "", isDefault: Bool = false,
    isForced: Bool = false, isDescription: Bool = false, isSigned: Bool = false, isEnabled: Bool = false,
    file: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.language = language
    self.title = title
    self.codec = codec
    self.isDefault = isDefault
    self.isForced = isForced
    self.isDescription = isDescription
    self.isSigned = isSigned
    self.isEnabled = isEnabled
    self.file = file
  }
}

/// A user's or a configuration's preferences for tracks.
public struct TrackPreferences: Hashable, Sendable, Codable {
  public enum Subtitles: String, Hashable, Sendable, Codable, CaseIterable {
    /// Shows no subtitles.
    case off
    /// Shows only tracks that translate the foreign parts of the sound.
    case forced
    /// Shows subtitles whenever there are any in a preferred language.
    case always
  }

  /// Best first, as BCP 47 or ISO 639-2. Where it is empty the container decides.
  public var audioLanguages: [String]
  /// Preferred languages of subtitles, in the form of `audioLanguages`.
  public var subtitleLanguages: [String]
  public var subtitles: Subtitles
  /// Whether a sound track that describes the picture comes before the others.
  public var audioDescription: Bool
  /// Whether text for people who don't hear the film comes before other text of its language.
  public var hardOfHearing = false

  public init(
    audioLanguages: [String] = [], subtitleLanguages: [String] = [], subtitles: Subtitles = .forced,
    audioDescription: Bool = false
  ) {
    self.audioLanguages = audioLanguages
    self.subtitleLanguages = subtitleLanguages
    self.subtitles = subtitles
    self.audioDescription = audioDescription
  }
}

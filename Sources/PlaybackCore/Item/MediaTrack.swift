/// One stream of an item, as its container describes it.
public struct MediaTrack: Hashable, Sendable, Identifiable {
  public enum Kind: String, Hashable, Sendable {
    case video, audio, text
  }

  /// Unique within the item, and the same each time the item is opened.
  public var id: String
  public var kind: Kind
  /// As the container writes it: BCP 47 or ISO 639-2; nil or `und` while unknown.
  public var language: String?
  public var title: String
  /// For people; empty while unknown.
  public var codec: String
  /// The container's advice to play it if nobody says otherwise.
  public var isDefault: Bool
  /// A text that translates only what the sound leaves foreign: signs, a line in another language.
  public var isForced: Bool
  /// Whether it is on now. A fact for the view; `TrackChoice` doesn't look at it, so that its answer doesn't depend on
  /// what was chosen before.
  public var isEnabled: Bool
  /// Address of the file that the track comes from, where that isn't the item itself.
  public var file: String?

  public init(
    id: String, kind: Kind, language: String? = nil, title: String = "", codec: String = "", isDefault: Bool = false,
    isForced: Bool = false, isEnabled: Bool = false, file: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.language = language
    self.title = title
    self.codec = codec
    self.isDefault = isDefault
    self.isForced = isForced
    self.isEnabled = isEnabled
    self.file = file
  }
}

/// Which tracks a user or a configuration would like.
public struct TrackPreferences: Hashable, Sendable, Codable {
  public enum Subtitles: String, Hashable, Sendable, Codable, CaseIterable {
    /// None.
    case off
    /// Those only that translate what the sound leaves foreign.
    case forced
    /// Whenever there are any in a language that is asked for.
    case always
  }

  /// Best first, as BCP 47 or ISO 639-2. Empty leaves it to the container.
  public var audioLanguages: [String]
  /// The same for texts.
  public var subtitleLanguages: [String]
  public var subtitles: Subtitles

  public init(audioLanguages: [String] = [], subtitleLanguages: [String] = [], subtitles: Subtitles = .forced) {
    self.audioLanguages = audioLanguages
    self.subtitleLanguages = subtitleLanguages
    self.subtitles = subtitles
  }
}

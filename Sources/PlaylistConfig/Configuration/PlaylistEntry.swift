public import PlaybackCore

/// `[[playlist.NAME.item]]`: what to play, before it is looked up. Details that few items have are stored apart, as in
/// `MediaItem`: a playlist may have a hundred thousand items.
@dynamicMemberLookup
public struct PlaylistEntry: Hashable, Sendable {
  /// A path, relative to the folder of the configuration, or a URI; as written.
  public var uri = ""
  public var title: String?
  /// The URI's position in the file.
  public var position = TOMLPosition(line: 0, column: 0)
  /// Nil if all details have their defaults.
  private var shared: SharedDetails?

  public init() {}

  private indirect enum SharedDetails: Hashable, Sendable {
    case details(Details)
  }

  /// The keys that few items set.
  public struct Details: Hashable, Sendable {
    /// The titles by language; empty for a title for everybody.
    public var titles: [String: String] = [:]
    /// How long a picture stays; 0.1 s to a day.
    public var duration: Duration?
    /// How often a moving picture plays.
    public var loops: Int?
    /// 0 is silent, 1 as recorded; linear.
    public var volume: Double?
    /// The names of a directory that are taken, with `*` and `?`; nil for all media.
    public var pattern: String?
    /// How often it plays in a row.
    public var repeatCount = 1
    /// The positions in the item at which playback begins and stops.
    public var start: Duration?
    public var end: Duration?
    public var fit = ScreenFit.contain
    /// Nil leaves it to the layout of the visitors' list.
    public var atEnd: MediaItem.AtEnd?
    /// The path of the version in sign language, relative to the folder of the configuration; nil for none.
    public var signed: String?
    /// The path of a picture file, relative to the folder of the configuration; nil for a picture that the player
    /// makes.
    public var poster: String?
    public var audioLanguages: [String] = []
    public var subtitles = TrackPreferences.Subtitles.forced
    public var subtitleLanguages: [String] = []
    /// SHA-256 of the file, in 64 hexadecimal digits in lower case.
    public var sha256: String?
    /// Whether the player keeps a local copy of a remote item.
    public var isStored = true
    /// When the item plays; nil for always.
    public var when: ScheduleCondition?
    /// Settings of `[network]` that this item overrides.
    public var network = NetworkOverrides()

    public init() {}
  }

  private static let usual = Details()

  /// Whether the entry has only an address and a title.
  public var isUsual: Bool { shared == nil }

  /// `title` and the titles by language, as the file has them in one key.
  var localTitle: LocalText? {
    get { title.map { LocalText($0, languages: details.titles) } }
    set {
      title = newValue?.usual
      details.titles = newValue?.languages ?? [:]
    }
  }

  public var details: Details {
    get { if case .details(let details)? = shared { details } else { Self.usual } }
    set { shared = newValue == Self.usual ? nil : .details(newValue) }
  }

  /// Reads and writes a detail as if it were the entry's own property.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: path] }
    set { details[keyPath: path] = newValue }
  }
}

public import PlaybackCore

/// `[[playlist.NAME.item]]`: what to play, before it is looked up. As with `MediaItem`, what few items say lies apart: there may be
/// a hundred thousand.
@dynamicMemberLookup
public struct PlaylistEntry: Hashable, Sendable {
  /// A path, relative to the folder of the configuration, or a URI; as written.
  public var uri = ""
  public var title: String?
  /// Where the URI stands in the file.
  public var position = TOMLPosition(line: 0, column: 0)
  /// Nil where all is as usual.
  private var shared: SharedDetails?

  public init() {}

  private indirect enum SharedDetails: Hashable, Sendable {
    case details(Details)
  }

  /// What few items say.
  public struct Details: Hashable, Sendable {
    /// For how long a picture stays; 0.1 s to a day.
    public var duration: Duration?
    /// How often a moving picture plays.
    public var loops: Int?
    /// 0 is silent, 1 as recorded; linear.
    public var volume: Double?
    /// Which names of a directory are taken, with `*` and `?`; nil takes all media.
    public var pattern: String?
    /// How often it plays in a row.
    public var repeatCount = 1
    /// Where in the item to begin and to stop.
    public var start: Duration?
    public var end: Duration?
    public var fit = ScreenFit.contain
    public var audioLanguages: [String] = []
    public var subtitles = TrackPreferences.Subtitles.forced
    public var subtitleLanguages: [String] = []
    /// SHA-256 of the file, in 64 hexadecimal digits in lower case.
    public var sha256: String?
    /// Whether a copy is kept of what is remote.
    public var isStored = true
    /// When it plays; nil is always.
    public var when: ScheduleCondition?
    /// What it wants otherwise than `[network]` says.
    public var network = NetworkOverrides()

    public init() {}
  }

  private static let usual = Details()

  /// Whether it says nothing but an address and a title.
  public var isUsual: Bool { shared == nil }

  public var details: Details {
    get { if case .details(let details)? = shared { details } else { Self.usual } }
    set { shared = newValue == Self.usual ? nil : .details(newValue) }
  }

  /// What few items say, read and written as if it were the entry's own.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: path] }
    set { details[keyPath: path] = newValue }
  }
}

package import PlaybackCore

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

  /// The keys that few entries set.
  public struct Details: Hashable, Sendable {
    /// The settings that the entry gives its items, as its file has them: a path may start at the configuration's folder.
    package var item = MediaItem.Details()
    /// The names of a directory that are taken, with `*` and `?`; nil for all media.
    public var pattern: String?
    /// How often it plays in a row.
    public var repeatCount = 1
    /// When the item plays; nil for always.
    public var when: ScheduleCondition?

    public init() {}
  }

  private static let usual = Details()

  /// Whether the entry has only an address and a title.
  public var isUsual: Bool { shared == nil }

  /// `title` and the titles by language, as the file has them in one key.
  var localTitle: LocalText? {
    get { title.map { LocalText($0, languages: details.item.titles) } }
    set {
      title = newValue?.usual
      details.item.titles = newValue?.languages ?? [:]
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

/// Keys whose default an item leaves to the player: nil there, a value here.
extension MediaItem.Details {
  var writtenFit: ScreenFit {
    get { fit ?? .contain }
    set { fit = newValue == .contain ? nil : newValue }
  }
  var keepsCopy: Bool {
    get { isStored ?? true }
    set { isStored = newValue ? nil : false }
  }
  var writtenNetwork: NetworkOverrides {
    get { network ?? NetworkOverrides() }
    set { network = newValue.isEmpty ? nil : newValue }
  }
  var writtenTracks: TrackPreferences {
    get { tracks ?? TrackPreferences() }
    set { tracks = newValue == TrackPreferences() ? nil : newValue }
  }
}

/// An item to play.
///
/// A queue may have a hundred thousand of them, so an item is 64 bytes. Rarely used properties are in `Details`, which
/// items with equal ones may share (docs/decisions/0170-long-lists.md).
public struct MediaItem: Hashable, Sendable {
  /// An absolute URI, percent-encoded, as GStreamer takes it. Setting an absolute path converts it.
  public var uri: String { didSet { uri = Self.address(uri) } }
  /// Title for the overlay; empty for none.
  public var title: String
  /// The user's spelling of the item, or the list or directory that contained it followed by its entry.
  public var origin: String
  /// Nil where all properties have their defaults, so that two equal items compare equal.
  private var shared: SharedDetails?
  public var kind: MediaKind

  /// A box: eight bytes in each item, whatever the size of its details.
  private indirect enum SharedDetails: Hashable, Sendable {
    case details(Details)
  }

  /// The rarely used properties.
  package struct Details: Hashable, Sendable, Codable {
    package var start = Duration.zero
    package var end: Duration?
    package var pictureDuration: Duration?
    package var usualPictureDuration: Duration?
    package var loops: Int?
    package var volume: Double?
    package var fit: ScreenFit?
    package var subtitles: [String] = []
    package var tracks: TrackPreferences?
    package var network: NetworkOverrides?
    package var sha256: String?
    package var isStored: Bool?
    package var isCopy: Bool?
    package var isOfStick: Bool?
    package var namedFrom: NetworkReach?
    package var atEnd: AtEnd?
    package var signed: String?
    /// By the language's tag.
    package var titles: [String: String] = [:]
    package var poster: String?

    /// Files that belong to one item, and to no other one of its folder.
    package static let ownFiles: [any WritableKeyPath<Details, String?> & Sendable] = [\.signed, \.poster]

    package init() {}
  }

  private static let usual = Details()

  package var details: Details {
    get { if case .details(let details)? = shared { details } else { Self.usual } }
    set { shared = newValue == Self.usual ? nil : .details(newValue) }
  }

  public init(
    uri: String, title: String = "", kind: MediaKind, start: Duration = .zero, end: Duration? = nil,
    pictureDuration: Duration? = nil, volume: Double? = nil, origin: String = "", subtitles: [String] = [],
    tracks: TrackPreferences? = nil, network: NetworkOverrides? = nil, fit: ScreenFit? = nil
  ) {
    self.uri = Self.address(uri)
    self.title = title
    self.kind = kind
    self.origin = origin
    let isUsual =
      start == .zero && end == nil && pictureDuration == nil && volume == nil && subtitles.isEmpty && tracks == nil
      && network == nil && fit == nil
    if isUsual { return }
    var details = Details()
    (details.start, details.end) = (start.bounded, end?.bounded)
    details.pictureDuration = Self.positive(pictureDuration)
    (details.volume, details.fit) = (volume, fit)
    (details.subtitles, details.tracks, details.network) = (subtitles, tracks, network)
    self.details = details
  }

  private static func address(_ text: String) -> String {
    text.hasPrefix("/") ? FileAddress.uri(path: Array(text.utf8)) : text
  }
  private static func positive(_ duration: Duration?) -> Duration? {
    duration.flatMap { $0 > .zero ? $0.bounded : nil }
  }
}

// The rarely used properties.

extension MediaItem {
  /// The position in the medium where the item begins; negative values count as 0. An item that begins behind the
  /// medium's end fails, with 4106.
  public var start: Duration {
    get { details.start }
    set { details.start = newValue.bounded }
  }
  /// The position in the medium where the item ends, exact to the frame; nil is the end of the medium. Negative values
  /// count as 0. An item that ends at or before `start` fails, with 4106.
  public var end: Duration? {
    get { details.end }
    set { details.end = newValue?.bounded }
  }
  /// Time for which a picture stays; nil leaves it to a moving picture's own end, then to `usualPictureDuration`.
  /// Values that aren't above 0 count as nil.
  public var pictureDuration: Duration? {
    get { details.pictureDuration }
    set { details.pictureDuration = Self.positive(newValue) }
  }
  /// Time for which a picture without a duration of its own stays; nil takes the policy's.
  public var usualPictureDuration: Duration? {
    get { details.usualPictureDuration }
    set { details.usualPictureDuration = Self.positive(newValue) }
  }
  /// Number of times that a moving picture plays; nil takes its own number.
  public var loops: Int? {
    get { details.loops }
    set { details.loops = newValue }
  }
  /// Linear volume: 0 is silent, 1 is as recorded. Nil is 1.
  public var volume: Double? {
    get { details.volume }
    set { details.volume = newValue }
  }
  /// How the picture is fitted to the screen's shape; nil is `contain`.
  public var fit: ScreenFit? {
    get { details.fit }
    set { details.fit = newValue }
  }
  /// Addresses of the item's subtitle files, SubRip or WebVTT, best first: `file:`, `http:` or `https:` URIs. Files
  /// beside a local item are found without being named.
  public var subtitles: [String] {
    get { details.subtitles }
    set { details.subtitles = newValue }
  }
  /// `title`, and the titles in other languages.
  public var localTitle: LocalText {
    get { LocalText(title, languages: details.titles) }
    set {
      title = newValue.usual
      details.titles = newValue.languages
    }
  }
  /// The title for somebody who reads this language. Called for each picture of the overlay.
  public func title(in language: @autoclosure () -> LanguageTag?) -> String {
    shared == nil ? title : localTitle.text(in: language())
  }
  /// The step after the item's end, in a kiosk; nil is the tiles where visitors choose from some, else the next item. The
  /// library's `Player` ignores it.
  public var atEnd: AtEnd? {
    get { details.atEnd }
    set { details.atEnd = newValue }
  }
  /// Address of the version of the item in sign language, a file on this machine; nil where there is none. It is shown
  /// in place of the item, at the same position, to those who choose it.
  public var signed: String? {
    get { details.signed }
    set { details.signed = newValue.map(Self.address) }
  }
  /// The address of a picture file that stands for the item among tiles; nil for a picture that the player makes.
  /// Setting an absolute path converts it.
  public var poster: String? {
    get { details.poster }
    set { details.poster = newValue.map(Self.address) }
  }
  /// Preferences for this item's sound and subtitles; nil takes the player's.
  public var tracks: TrackPreferences? {
    get { details.tracks }
    set { details.tracks = newValue }
  }
  /// Network settings of this item that differ from the player's; nil for none.
  public var network: NetworkOverrides? {
    get { details.network }
    set { details.network = newValue }
  }
  /// SHA-256 of the file, in 64 hexadecimal digits in lower case; nil for none. An item with a checksum is played only
  /// from a local file that matches it (else 3006) or from a copy in the store (else 2610).
  public var sha256: String? {
    get { details.sha256 }
    set { details.sha256 = newValue }
  }
  /// Whether a copy of a remote item is to be kept; nil is yes, where there is a store.
  public var isStored: Bool? {
    get { details.isStored }
    set { details.isStored = newValue }
  }
  /// Whether the item is the store's copy of a server's file: no other file is opened for it. Nil is no.
  public var isCopy: Bool? {
    get { details.isCopy }
    set { details.isCopy = newValue }
  }
  /// Whether the item is on a USB stick, or was copied from one: no other file is opened for it. Nil is no.
  public var isOfStick: Bool? {
    get { details.isOfStick }
    set { details.isOfStick = newValue }
  }
  /// The reach of the farthest server whose list named the item; nil for an item that no server named. An address that
  /// a server of the internet names isn't looked for on this machine or its network: see `RedirectPolicy`.
  public var namedFrom: NetworkReach? {
    get { details.namedFrom }
    set { details.namedFrom = newValue }
  }

  /// Whether only the item's own file may be opened for it: a stranger has made it, or its checksum covers nothing
  /// else.
  public var isAlone: Bool { isOfStick == true || isCopy == true || (sha256 != nil && !isRemote) }

  /// Whether the item comes over a network.
  public var isRemote: Bool {
    // Compares bytes, and the most frequent case first: each item of a long list is asked.
    if uri.utf8.starts(with: "file://".utf8) { return false }
    var matched = 0
    for byte in uri.utf8 {
      let isNext = byte == (matched == 0 ? UInt8(ascii: ":") : UInt8(ascii: "/"))
      matched = isNext ? matched + 1 : byte == UInt8(ascii: ":") ? 1 : 0
      if matched == 3 { return true }
    }
    return false
  }

  /// Sets `usualPictureDuration` of many items. Successive items with equal details share one copy of them.
  public static func setUsualPictureDuration(_ duration: Duration?, of items: inout [MediaItem]) {
    var before: SharedDetails?
    var after: SharedDetails?
    for index in items.indices {
      if index > 0, items[index].shared == before {
        items[index].shared = after
      } else {
        before = items[index].shared
        items[index].usualPictureDuration = duration
        after = items[index].shared
      }
    }
  }
}

extension MediaItem: Codable {
  private enum CodingKeys: String, CodingKey { case uri, title, origin, kind }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    uri = try values.decode(String.self, forKey: .uri)
    title = try values.decode(String.self, forKey: .title)
    origin = try values.decode(String.self, forKey: .origin)
    kind = try values.decode(MediaKind.self, forKey: .kind)
    details = try Details(from: decoder)
  }

  /// Encodes all properties at one level, whichever of the two parts they are stored in.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(uri, forKey: .uri)
    try values.encode(title, forKey: .title)
    try values.encode(origin, forKey: .origin)
    try values.encode(kind, forKey: .kind)
    try details.encode(to: encoder)
  }
}

extension MediaItem {
  /// The part of a medium that is played: from the item's start to its end, as far as the medium reaches. Nil while the
  /// end is unknown. A start past the end gives an empty range at the end.
  public func playedRange(duration: Duration?) -> Range<Duration>? {
    let limits = [end, duration].compactMap(\.self)
    guard let last = limits.min() else { return nil }
    return min(start, last)..<last
  }
}

extension MediaItem {
  /// The step after the end of an item.
  public enum AtEnd: String, Hashable, Sendable, CaseIterable, Codable {
    /// The next item.
    case next
    /// The item's last picture, until a touch or a key asks for what follows.
    case hold
    /// The attract loop, where the list is the visitors' own; elsewhere the next item.
    case attract
    /// The tiles that visitors choose from; without some, the next item.
    case tiles
  }
}

/// The kind of deck that plays an item; see decision 0003.
public enum MediaKind: String, Hashable, Sendable, Codable {
  /// A local file with video or sound.
  case file
  /// A still picture, local or remote.
  case picture
  /// A file over HTTP.
  case progressive
  /// HLS or DASH.
  case adaptive
  /// RTSP.
  case rtsp
  /// An MPEG transport stream over UDP.
  case udp
}

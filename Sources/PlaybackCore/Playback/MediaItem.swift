/// One thing to play.
///
/// A hundred thousand of them may be listed, so an item is 64 bytes: what few items say lies in `Details`, which items that say
/// the same may share (docs/decisions/0170-long-lists.md).
public struct MediaItem: Hashable, Sendable {
  /// As GStreamer takes it: an absolute URI, percent-encoded. An absolute path becomes one.
  public var uri: String { didSet { uri = Self.address(uri) } }
  /// What the overlay shows. Empty shows nothing.
  public var title: String
  /// What the user wrote, or the list or directory that the item came from followed by its entry.
  public var origin: String
  /// Nil where all is as usual, so that two items that say the same are equal.
  private var shared: SharedDetails?
  public var kind: MediaKind

  /// Eight bytes in each item, however much it says.
  private indirect enum SharedDetails: Hashable, Sendable {
    case details(Details)
  }

  /// What few items say.
  struct Details: Hashable, Sendable, Codable {
    var start = Duration.zero
    var end: Duration?
    var pictureDuration: Duration?
    var usualPictureDuration: Duration?
    var loops: Int?
    var volume: Double?
    var fit: ScreenFit?
    var subtitles: [String] = []
    var tracks: TrackPreferences?
    var network: NetworkOverrides?
    var sha256: String?
    var isStored: Bool?
    var isCopy: Bool?
    var isOfStick: Bool?
    var namedFrom: NetworkReach?
  }

  private static let usual = Details()

  var details: Details {
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
    details = Details(
      start: start.bounded, end: end?.bounded, pictureDuration: Self.positive(pictureDuration), volume: volume,
      fit: fit,
      subtitles: subtitles, tracks: tracks, network: network)
  }

  private static func address(_ text: String) -> String {
    text.hasPrefix("/") ? FileAddress.uri(path: Array(text.utf8)) : text
  }
  private static func positive(_ duration: Duration?) -> Duration? {
    duration.flatMap { $0 > .zero ? $0.bounded : nil }
  }
}

// What few items say.

extension MediaItem {
  /// Where in the medium the item begins; not negative, which counts as 0. Behind the medium's end the item fails, with 4106.
  public var start: Duration {
    get { details.start }
    set { details.start = newValue.bounded }
  }
  /// Where it ends, to the frame; nil is the end of the medium. Not negative, which counts as 0. At or before `start` the
  /// item fails, with 4106.
  public var end: Duration? {
    get { details.end }
    set { details.end = newValue?.bounded }
  }
  /// How long a picture stays; nil leaves it to a picture that has an end by itself, then to `usualPictureDuration`. What
  /// isn't longer than 0 counts as nil.
  public var pictureDuration: Duration? {
    get { details.pictureDuration }
    set { details.pictureDuration = Self.positive(newValue) }
  }
  /// How long one stays of which nobody says it; nil takes the policy's.
  public var usualPictureDuration: Duration? {
    get { details.usualPictureDuration }
    set { details.usualPictureDuration = Self.positive(newValue) }
  }
  /// How often a moving picture plays; nil is as often as it says itself.
  public var loops: Int? {
    get { details.loops }
    set { details.loops = newValue }
  }
  /// 0 is silent, 1 as recorded; linear. Nil is as recorded.
  public var volume: Double? {
    get { details.volume }
    set { details.volume = newValue }
  }
  /// How the picture is brought to the screen's shape; nil is `contain`.
  public var fit: ScreenFit? {
    get { details.fit }
    set { details.fit = newValue }
  }
  /// Addresses of subtitle files that belong to the item, SubRip or WebVTT, best first: `file:`, `http:` or `https:` URIs.
  /// Those that lie beside a local file are found without being named.
  public var subtitles: [String] {
    get { details.subtitles }
    set { details.subtitles = newValue }
  }
  /// Which sound and which subtitles are wanted of this item; nil is what the player is set to.
  public var tracks: TrackPreferences? {
    get { details.tracks }
    set { details.tracks = newValue }
  }
  /// What it wants of the network otherwise than others do; nil is nothing.
  public var network: NetworkOverrides? {
    get { details.network }
    set { details.network = newValue }
  }
  /// SHA-256 of the file, in 64 hexadecimal digits in lower case; nil where nobody said. With one the item is played from a
  /// local file that has it (3006 otherwise) or from a copy of the store (2610 where there is none), and from nothing else.
  public var sha256: String? {
    get { details.sha256 }
    set { details.sha256 = newValue }
  }
  /// Whether a copy of a remote item is to be kept; nil is yes, where there is a store.
  public var isStored: Bool? {
    get { details.isStored }
    set { details.isStored = newValue }
  }
  /// Whether it is the store's copy of what a server gave: no other file is opened for it. Nil is no.
  public var isCopy: Bool? {
    get { details.isCopy }
    set { details.isCopy = newValue }
  }
  /// Whether it lies on a USB stick, or was copied from one: no other file is opened for it. Nil is no.
  public var isOfStick: Bool? {
    get { details.isOfStick }
    set { details.isOfStick = newValue }
  }
  /// The reach of the farthest server whose list named the item; nil where nobody but us did. What a server of the internet
  /// names isn't looked for on this machine or around it: see `RedirectPolicy`.
  public var namedFrom: NetworkReach? {
    get { details.namedFrom }
    set { details.namedFrom = newValue }
  }

  /// Whether nothing but the item's own file may be opened for it: somebody else has made it, or its checksum holds for it alone.
  public var isAlone: Bool { isOfStick == true || isCopy == true || (sha256 != nil && !isRemote) }

  /// Whether the item comes over a network.
  public var isRemote: Bool {
    // By bytes, and the usual first: all of a long list are asked.
    if uri.utf8.starts(with: "file://".utf8) { return false }
    var matched = 0
    for byte in uri.utf8 {
      let isNext = byte == (matched == 0 ? UInt8(ascii: ":") : UInt8(ascii: "/"))
      matched = isNext ? matched + 1 : byte == UInt8(ascii: ":") ? 1 : 0
      if matched == 3 { return true }
    }
    return false
  }

  /// Sets `usualPictureDuration` of many items. Those that say the same besides have one copy of it together.
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

  /// All beside each other, whatever lies where in memory.
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
  /// What is played of a medium of that length: from the item's start to its end, as far as the medium reaches. Nil while
  /// the end isn't known. Never empty in the wrong direction: a start past the end gives an empty range at the end.
  public func playedRange(duration: Duration?) -> Range<Duration>? {
    let limits = [end, duration].compactMap(\.self)
    guard let last = limits.min() else { return nil }
    return min(start, last)..<last
  }
}

/// Which kind of deck plays an item; see docs/decisions/0003-deck-kinds.md.
public enum MediaKind: String, Hashable, Sendable, Codable {
  /// A local file with video or sound.
  case file
  /// A still picture, local or remote.
  case picture
  /// A file over http.
  case progressive
  /// HLS or DASH.
  case adaptive
  /// RTSP.
  case rtsp
  /// An MPEG transport stream over UDP.
  case udp
}

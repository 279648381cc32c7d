/// One thing to play.
public struct MediaItem: Hashable, Sendable, Codable {
  /// As GStreamer takes it: an absolute URI, percent-encoded. An absolute path becomes one.
  public var uri: String { didSet { uri = Self.address(uri) } }
  /// What the overlay shows. Empty shows nothing.
  public var title: String
  public var kind: MediaKind
  /// Where in the medium the item begins; not negative, which counts as 0. Behind the medium's end the item fails, with 4106.
  public var start: Duration { didSet { start = start.bounded } }
  /// Where it ends, to the frame; nil is the end of the medium. Not negative, which counts as 0. At or before `start` the
  /// item fails, with 4106.
  public var end: Duration? { didSet { end = end?.bounded } }
  /// How long a picture stays; nil leaves it to a picture that has an end by itself, then to `usualPictureDuration`. What
  /// isn't longer than 0 counts as nil.
  public var pictureDuration: Duration? { didSet { pictureDuration = Self.positive(pictureDuration) } }
  /// How long one stays of which nobody says it; nil takes the policy's.
  public var usualPictureDuration: Duration? { didSet { usualPictureDuration = Self.positive(usualPictureDuration) } }
  /// How often a moving picture plays; nil is as often as it says itself.
  public var loops: Int?
  /// 0 is silent, 1 as recorded; linear. Nil is as recorded.
  public var volume: Double?
  /// How the picture is brought to the screen's shape; nil is `contain`.
  public var fit: ScreenFit?
  /// Addresses of subtitle files that belong to the item, SubRip or WebVTT, best first: `file:`, `http:` or `https:` URIs.
  /// Those that lie beside a local file are found without being named.
  public var subtitles: [String]
  /// Which sound and which subtitles are wanted of this item; nil is what the player is set to.
  public var tracks: TrackPreferences?
  /// What it wants of the network otherwise than others do; nil is nothing.
  public var network: NetworkOverrides?
  /// SHA-256 of the file, in 64 hexadecimal digits in lower case; nil where nobody said. With one the item is played from a
  /// local file that has it (3006 otherwise) or from a copy of the store (2610 where there is none), and from nothing else.
  public var sha256: String?
  /// Whether a copy of a remote item is to be kept; nil is yes, where there is a store.
  public var isStored: Bool?
  /// Whether it is the store's copy of what a server gave: no other file is opened for it. Nil is no.
  public var isCopy: Bool?
  /// Whether it lies on a USB stick, or was copied from one: no other file is opened for it. Nil is no.
  public var isOfStick: Bool?
  /// The reach of the farthest server whose list named the item; nil where nobody but us did. What a server of the internet
  /// names isn't looked for on this machine or around it: see `RedirectPolicy`.
  public var namedFrom: NetworkReach?
  /// What the user wrote, or the list or directory that the item came from followed by its entry.
  public var origin: String

  /// Whether nothing but the item's own file may be opened for it: somebody else has made it, or its checksum holds for it alone.
  public var isAlone: Bool { isOfStick == true || isCopy == true || (sha256 != nil && !isRemote) }

  /// Whether the item comes over a network.
  public var isRemote: Bool { uri.contains("://") && !uri.hasPrefix("file://") }

  public init(
    uri: String, title: String = "", kind: MediaKind, start: Duration = .zero, end: Duration? = nil,
    pictureDuration: Duration? = nil, volume: Double? = nil, origin: String = "", subtitles: [String] = [],
    tracks: TrackPreferences? = nil, network: NetworkOverrides? = nil, fit: ScreenFit? = nil
  ) {
    self.uri = Self.address(uri)
    self.title = title
    self.kind = kind
    self.start = start.bounded
    self.end = end?.bounded
    self.pictureDuration = Self.positive(pictureDuration)
    self.volume = volume
    self.origin = origin
    self.subtitles = subtitles
    self.tracks = tracks
    self.network = network
    self.fit = fit
  }

  private static func address(_ text: String) -> String {
    text.hasPrefix("/") ? FileAddress.uri(path: text.utf8) : text
  }
  private static func positive(_ duration: Duration?) -> Duration? {
    duration.flatMap { $0 > .zero ? $0.bounded : nil }
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

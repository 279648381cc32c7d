/// What an item says of itself. Empty strings are unknown.
public struct MediaMetadata: Hashable, Sendable {
  public var title = ""
  public var artist = ""
  public var album = ""

  public init(title: String = "", artist: String = "", album: String = "") {
    self.title = title
    self.artist = artist
    self.album = album
  }

  public var isEmpty: Bool { self == MediaMetadata() }

  /// Takes what `newer` knows; keeps the rest. Tags come in pieces, from several elements.
  public mutating func merge(_ newer: MediaMetadata) {
    if !newer.title.isEmpty { title = newer.title }
    if !newer.artist.isEmpty { artist = newer.artist }
    if !newer.album.isEmpty { album = newer.album }
  }
}

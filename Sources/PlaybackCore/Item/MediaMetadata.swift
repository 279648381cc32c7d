/// What an item says of itself. Empty strings are unknown.
public struct MediaMetadata: Hashable, Sendable {
  public var title = ""
  public var artist = ""
  public var album = ""
  /// Who sends it: the name of a radio station.
  public var station = ""

  public init(title: String = "", artist: String = "", album: String = "", station: String = "") {
    self.title = title
    self.artist = artist
    self.album = album
    self.station = station
  }

  public var isEmpty: Bool { self == MediaMetadata() }

  /// Takes what `newer` knows; keeps the rest. Tags come in pieces, from several elements.
  public mutating func merge(_ newer: MediaMetadata) {
    if !newer.title.isEmpty { title = newer.title }
    if !newer.artist.isEmpty { artist = newer.artist }
    if !newer.album.isEmpty { album = newer.album }
    if !newer.station.isEmpty { station = newer.station }
  }
}

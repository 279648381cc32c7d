/// An item's own description of itself. An empty string stands for unknown.
public struct MediaMetadata: Hashable, Sendable {
  public var title = ""
  public var artist = ""
  public var album = ""
  /// The name of the radio station that sends the item.
  public var station = ""

  public init(title: String = "", artist: String = "", album: String = "", station: String = "") {
    self.title = title
    self.artist = artist
    self.album = album
    self.station = station
  }

  public var isEmpty: Bool { self == MediaMetadata() }

  /// Overwrites with the fields that `newer` knows; keeps the others. Tags come in pieces, from several elements.
  public mutating func merge(_ newer: MediaMetadata) {
    if !newer.title.isEmpty { title = newer.title }
    if !newer.artist.isEmpty { artist = newer.artist }
    if !newer.album.isEmpty { album = newer.album }
    if !newer.station.isEmpty { station = newer.station }
  }
}

/// The card that is on the screen while an item without a picture plays: its title, its maker, its origin.
public struct NowPlayingCard: Hashable, Sendable {
  /// The item's name.
  public var title: String
  /// Lines below the title: the artist, then the album or the station.
  public var lines: [String]
  /// Whether the item is a stream without an end. Without a cover its card is drawn differently from a recording's.
  public var isStation: Bool

  public init(title: String, lines: [String] = [], isStation: Bool = false) {
    self.title = title
    self.lines = lines
    self.isStation = isStation
  }

  /// Chooses the words for an item: its owner's title counts more than the file's own. For a station the file's title
  /// comes first, because it changes with the programme, and the station's name stands below.
  public init(_ item: MediaItem, _ metadata: MediaMetadata, isStation: Bool) {
    let metadata = metadata.withoutBlanks
    let name = MediaMetadata.trimmed(item.title)
    let titles = isStation ? [metadata.title, name, metadata.station] : [name, metadata.title]
    let title = titles.first { !$0.isEmpty } ?? Self.fileName(item.uri)
    var lines =
      isStation ? [metadata.artist, name.isEmpty ? metadata.station : name] : [metadata.artist, metadata.album]
    lines.removeAll { $0.isEmpty || $0 == title }
    self.init(title: title, lines: lines, isStation: isStation)
  }

  /// The last part of an address without its extension; for a server's root the server's name.
  static func fileName(_ uri: String) -> String {
    let address = uri.prefix { $0 != "?" && $0 != "#" }
    let parts = address.split(separator: "/").map(String.init)
    guard parts.count > 1, let last = parts.last else { return uri }
    var name = unescaped(last)
    if parts.count > 2 || address.hasPrefix("file:"), let dot = name.lastIndex(of: "."), dot > name.startIndex {
      name = String(name[..<dot])
    }
    return MediaMetadata.trimmed(name).isEmpty ? uri : name
  }

  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}

extension MediaMetadata {
  fileprivate var withoutBlanks: MediaMetadata {
    MediaMetadata(
      title: Self.trimmed(title), artist: Self.trimmed(artist), album: Self.trimmed(album),
      station: Self.trimmed(station))
  }

  fileprivate static func trimmed(_ text: String) -> String {
    let kept = text.unicodeScalars.drop { $0.properties.isWhitespace }
    guard let last = kept.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(kept[...last])
  }
}

/// A cover, decoded: XRGB, 32 bits a pixel in native byte order, row by row.
public struct CoverPixels: Hashable, Sendable {
  public let size: PixelSize
  public let pixels: [UInt32]

  /// - Returns: nil unless there are `size.width * size.height` pixels and at least one.
  public init?(size: PixelSize, pixels: [UInt32]) {
    guard !size.isEmpty, pixels.count == size.width * size.height else { return nil }
    self.size = size
    self.pixels = pixels
  }
}

/// Draws a card for a screen of that size: as many XRGB pixels as the screen has, row by row; nil where it can't.
/// Called on a deck's own thread, where it may take its time.
public typealias CardPainter =
  @Sendable (_ card: NowPlayingCard, _ cover: CoverPixels?, _ screen: PixelSize) -> [UInt32]?

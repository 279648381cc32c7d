/// What stands on the screen while an item plays that has nothing to see: what it is, who made it, where it comes from.
public struct SoundCard: Hashable, Sendable {
  /// What it is.
  public var title: String
  /// Below it, each a line of its own: who, then what it belongs to.
  public var lines: [String]
  /// A stream without an end. Where there is no cover it is drawn otherwise than a recording.
  public var isStation: Bool

  public init(title: String, lines: [String] = [], isStation: Bool = false) {
    self.title = title
    self.lines = lines
    self.isStation = isStation
  }

  /// The words for an item: what its owner calls it counts more than what the file says of itself. With a station it is the
  /// other way round: what it plays changes, and what it is called is below.
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

  /// The last part of an address without its ending; of a server's root the server.
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

/// Draws a card for a screen of that size: as many XRGB pixels as it has, row by row; nil where it can't. Called on a deck's
/// own thread, which may take its time.
public typealias CardPainter = @Sendable (_ card: SoundCard, _ cover: CoverPixels?, _ screen: PixelSize) -> [UInt32]?

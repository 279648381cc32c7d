public import PlaybackCore

/// A film of the visitors' list as it stands among the tiles.
public struct Tile: Hashable, Sendable {
  /// In the visitor's language.
  public var title: String
  public var facts: TileFacts

  public init(title: String, facts: TileFacts = TileFacts()) {
    self.title = title
    self.facts = facts
  }
}

/// The facts of a film that are known without playing it. At first all are empty.
public struct TileFacts: Hashable, Sendable {
  /// Nil while unknown, and for live streams and pictures.
  public var length: Duration?
  public var hasCaptions = false
  /// Whether there is sound that describes the picture, beside the usual one.
  public var hasDescription = false
  /// Whether the sound comes in several languages.
  public var hasLanguages = false
  /// Nil for a film without a picture.
  public var poster: TilePoster?

  public init(length: Duration? = nil, poster: TilePoster? = nil) {
    self.length = length
    self.poster = poster
  }
}

/// A small picture of a film. Two with the same number are the same picture, so that comparing them reads no pixels.
public struct TilePoster: Sendable {
  /// Counts the pictures of a process.
  public let number: Int
  public let size: PixelSize
  /// XRGB, 32 bits a pixel in native byte order, row by row without padding.
  public let pixels: [UInt32]

  /// - Returns: nil unless there are `size.width * size.height` pixels, and at least one.
  public init?(number: Int, size: PixelSize, pixels: [UInt32]) {
    guard !size.isEmpty, pixels.count == size.width * size.height else { return nil }
    self.number = number
    self.size = size
    self.pixels = pixels
  }
}

extension TilePoster: Hashable {
  public static func == (one: TilePoster, other: TilePoster) -> Bool { one.number == other.number }
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

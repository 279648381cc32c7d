import PlaybackCore

/// Reads the chunks of a PNG; an animated one has additional kinds.
enum PNGHeader {
  /// One chunk: its content, without length, code and checksum.
  struct Chunk {
    var code: String
    var content: Bytes
    /// The whole chunk, from its length to its checksum.
    var whole: Bytes
  }

  static func read(_ bytes: Bytes) -> PictureHeader? {
    guard let size = size(bytes) else { return nil }
    var header = PictureHeader(.png, size)
    for chunk in chunks(bytes) where chunk.code == "eXIf" {
      header.orientation = EXIFOrientation(exif: chunk.content)
    }
    if let film = AnimatedPNG(bytes), film.frames.count > 1 {
      header.animation = PictureAnimation(delays: film.frames.map(\.delay), plays: film.plays)
    }
    return header
  }

  static func size(_ bytes: Bytes) -> PixelSize? {
    guard bytes.code(at: 12) == "IHDR", let width = bytes.bigEndian(4, at: 16), let height = bytes.bigEndian(4, at: 20)
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// All chunks up to the end, or to the first truncated one.
  static func chunks(_ bytes: Bytes) -> [Chunk] {
    var found: [Chunk] = []
    var offset = 8
    while let length = bytes.bigEndian(4, at: offset).map(Int.init), let code = bytes.code(at: offset + 4),
      length <= bytes.count - offset - 12
    {
      found.append(
        Chunk(
          code: code, content: bytes.part(at: offset + 8, count: length),
          whole: bytes.part(at: offset, count: length + 12)))
      offset += length + 12
      if code == "IEND" { break }
    }
    return found
  }
}

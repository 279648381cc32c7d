import PlaybackCore

/// Reads the boxes of HEIC and AVIF. The size is the largest of any picture inside, because that one may have to be
/// decoded.
enum ISOHeader {
  static func read(_ bytes: Bytes, _ format: PictureFormat) -> PictureHeader? {
    guard let meta = boxes(bytes).first(where: { $0.code == "meta" })?.content.part(from: 4),
      let properties = boxes(meta).first(where: { $0.code == "iprp" })?.content,
      let list = boxes(properties).first(where: { $0.code == "ipco" })?.content
    else { return nil }
    let sizes = boxes(list).filter { $0.code == "ispe" }.compactMap { box -> PixelSize? in
      guard let width = box.content.bigEndian(4, at: 4), let height = box.content.bigEndian(4, at: 8) else {
        return nil
      }
      return PixelSize(width: Int(width), height: Int(height))
    }
    let width = sizes.map(\.width).max()
    let height = sizes.map(\.height).max()
    guard let width, let height else { return nil }
    // Upright: the format requires the decoder to turn the picture.
    return PictureHeader(format, PixelSize(width: width, height: height))
  }

  /// The most boxes of one list that are read. Pictures have ten or so; a file of 150 MB has room for 18 million.
  static let mostBoxes = 1_000

  static func boxes(_ bytes: Bytes) -> [(code: String, content: Bytes)] {
    var found: [(String, Bytes)] = []
    var offset = 0
    while found.count < mostBoxes, let short = bytes.bigEndian(4, at: offset), let code = bytes.code(at: offset + 4) {
      var head = 8
      var length = Int(short)
      if short == 0 {
        length = bytes.count - offset
      } else if short == 1 {
        // In an eight-byte length the upper four bytes must be zero; otherwise the box ends beyond any readable file.
        guard bytes.bigEndian(4, at: offset + 8) == 0, let low = bytes.bigEndian(4, at: offset + 12) else { break }
        (head, length) = (16, Int(low))
      }
      guard length >= head else { break }
      found.append((code, bytes.part(at: offset + head, count: length - head)))
      offset += length
    }
    return found
  }
}

import PlaybackCore

/// HEIC and AVIF: boxes within boxes. The largest size that any of its pictures has is what may have to be decoded.
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
    // Turned by its decoder, as the format demands.
    return PictureHeader(format, PixelSize(width: width, height: height))
  }

  /// Boxes of one list that are looked at. Pictures have ten or so; a file of 150 MB has room for 18 million.
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
        // Of a length in eight bytes the upper four are zero, or it ends beyond any file that is read.
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

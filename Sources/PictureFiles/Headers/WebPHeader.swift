import PlaybackCore

/// Reads the chunks of a WebP, which is a RIFF file.
enum WebPHeader {
  static func read(_ bytes: Bytes) -> PictureHeader? {
    var size: PixelSize?
    var orientation = EXIFOrientation.upright
    var delays: [Duration] = []
    var plays: Int?
    var offset = 12
    while let code = bytes.code(at: offset), let length = bytes.littleEndian(4, at: offset + 4) {
      let content = bytes.part(at: offset + 8, count: Int(length))
      switch code {
      case "VP8X":
        guard let width = content.littleEndian(3, at: 4), let height = content.littleEndian(3, at: 7) else {
          return nil
        }
        size = PixelSize(width: Int(width) + 1, height: Int(height) + 1)
      case "VP8 " where size == nil:
        guard let width = content.littleEndian(2, at: 6), let height = content.littleEndian(2, at: 8) else {
          return nil
        }
        size = PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))
      case "VP8L" where size == nil:
        guard let bits = content.littleEndian(4, at: 1) else { return nil }
        size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
      case "ANIM": plays = content.littleEndian(2, at: 4).flatMap { $0 == 0 ? nil : Int($0) }
      case "ANMF":
        guard let time = content.littleEndian(3, at: 12) else { break }
        delays.append(.milliseconds(Int64(time)))
      case "EXIF": orientation = EXIFOrientation(exif: content)
      default: break
      }
      // Chunks begin at even offsets.
      offset += 8 + Int(length) + Int(length & 1)
    }
    guard let size else { return nil }
    var header = PictureHeader(.webp, size)
    header.orientation = orientation
    if delays.count > 1 { header.animation = PictureAnimation(delays: delays, plays: plays) }
    return header
  }
}

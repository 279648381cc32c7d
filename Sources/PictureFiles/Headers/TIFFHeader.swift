import PlaybackCore

/// Reads the first directory of a TIFF file or of an EXIF block, which has the same format.
struct TIFFHeader {
  var size: PixelSize?
  var orientation = EXIFOrientation.upright

  static func read(_ bytes: Bytes) -> PictureHeader? {
    // BigTIFF, for files of more than 4 GB, has another layout; its decoder reports the size.
    if bytes.number(2, at: 2, isLittle: bytes.starts(with: "II")) == 43 { return PictureHeader(.tiff, nil) }
    guard let found = TIFFHeader(bytes), let size = found.size else { return nil }
    var header = PictureHeader(.tiff, size)
    header.orientation = found.orientation
    return header
  }

  init?(_ bytes: Bytes) {
    let isLittle = bytes.starts(with: "II")
    guard isLittle || bytes.starts(with: "MM"), bytes.number(2, at: 2, isLittle: isLittle) == 42,
      let start = bytes.number(4, at: 4, isLittle: isLittle).map(Int.init),
      let count = bytes.number(2, at: start, isLittle: isLittle)
    else { return nil }
    var width: UInt32?
    var height: UInt32?
    for index in 0..<Int(count) {
      let entry = start + 2 + index * 12
      guard let tag = bytes.number(2, at: entry, isLittle: isLittle),
        let type = bytes.number(2, at: entry + 2, isLittle: isLittle)
      else { break }
      // Two-byte numbers stand at the beginning of the field.
      let value = bytes.number(type == 3 ? 2 : 4, at: entry + 8, isLittle: isLittle)
      switch tag {
      case 0x100: width = value
      case 0x101: height = value
      case 0x112: orientation = value.flatMap { EXIFOrientation(rawValue: Int($0)) } ?? .upright
      default: break
      }
    }
    if let width, let height { size = PixelSize(width: Int(width), height: Int(height)) }
  }
}

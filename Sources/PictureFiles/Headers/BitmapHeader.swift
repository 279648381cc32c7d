import PlaybackCore

/// Reads a BMP header: the size is in the second header, whose length tells its version.
enum BitmapHeader {
  static func read(_ bytes: Bytes) -> PictureHeader? {
    guard let length = bytes.littleEndian(4, at: 14) else { return nil }
    if length == 12 {
      guard let width = bytes.littleEndian(2, at: 18), let height = bytes.littleEndian(2, at: 20) else { return nil }
      return PictureHeader(.bmp, PixelSize(width: Int(width), height: Int(height)))
    }
    guard let width = bytes.littleEndian(4, at: 18), let height = bytes.littleEndian(4, at: 22) else { return nil }
    // A negative height means that the rows run downwards.
    let rows = Int(Int32(bitPattern: height).magnitude)
    return PictureHeader(.bmp, PixelSize(width: Int(Int32(bitPattern: width).magnitude), height: rows))
  }
}

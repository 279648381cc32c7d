import PlaybackCore

/// Reads the 18 bytes of a Targa header, with the size.
enum TargaHeader {
  static func read(_ bytes: Bytes) -> PictureHeader? {
    guard let width = bytes.littleEndian(2, at: 12), let height = bytes.littleEndian(2, at: 14) else { return nil }
    return PictureHeader(.tga, PixelSize(width: Int(width), height: Int(height)))
  }
}

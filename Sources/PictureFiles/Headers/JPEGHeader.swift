import PlaybackCore

/// Reads the segments of a JPEG up to the picture's data.
enum JPEGHeader {
  /// Whether the data have an end marker, which can't occur inside of them. Bytes after it, zeros or another picture,
  /// don't matter.
  static func hasEnd(_ bytes: Bytes) -> Bool {
    guard let start = dataStart(bytes) else { return false }
    return bytes.part(from: start).array.withUnsafeBufferPointer { data in
      data.indices.dropFirst().reversed().contains { data[$0] == 0xD9 && data[$0 - 1] == 0xFF }
    }
  }

  /// The start of the data, after the last segment; the segments may hold a small picture of their own.
  private static func dataStart(_ bytes: Bytes) -> Int? {
    var offset = 2
    while let mark = bytes.byte(at: offset), mark == 0xFF, let kind = bytes.byte(at: offset + 1) {
      if kind == 0xDA { return offset + 2 }
      if kind == 0xFF {
        offset += 1
      } else if kind == 0x01 || (0xD0...0xD8).contains(kind) {
        offset += 2
      } else {
        guard let length = bytes.bigEndian(2, at: offset + 2) else { return nil }
        offset += 2 + Int(length)
      }
    }
    return nil
  }

  static func read(_ bytes: Bytes) -> PictureHeader? {
    var orientation = EXIFOrientation.upright
    var offset = 2
    while let mark = bytes.byte(at: offset), mark == 0xFF, let kind = bytes.byte(at: offset + 1) {
      // Fill bytes: any number of them may stand before a marker.
      guard kind != 0xFF else {
        offset += 1
        continue
      }
      let isAlone = kind == 0x01 || (0xD0...0xD8).contains(kind)
      guard !isAlone else {
        offset += 2
        continue
      }
      guard kind != 0xD9, kind != 0xDA, let length = bytes.bigEndian(2, at: offset + 2), length >= 2 else { return nil }
      let content = bytes.part(at: offset + 4, count: Int(length) - 2)
      switch kind {
      case 0xE1 where content.starts(with: "Exif\0\0"): orientation = EXIFOrientation(exif: content)
      // The start-of-frame markers; the three that are left out are tables.
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(kind):
        guard let height = content.bigEndian(2, at: 1), let width = content.bigEndian(2, at: 3) else { return nil }
        var header = PictureHeader(.jpeg, PixelSize(width: Int(width), height: Int(height)))
        header.orientation = orientation
        header.decodesInStrips = kind == 0xC0 || kind == 0xC1
        return header
      default: break
      }
      offset += 2 + Int(length)
    }
    return nil
  }
}

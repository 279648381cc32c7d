import PlaybackCore

/// Reads a JPEG XL header, bare or in boxes. The decoder turns the picture upright; the size here is as stored.
enum JXLHeader {
  static func read(_ bytes: Bytes) -> PictureHeader? {
    guard let stream = codestream(bytes) else { return nil }
    var bits = BitReader(bytes: stream.part(from: 2))
    let isSmall = bits.read(1) == 1
    guard let height = side(&bits, isSmall: isSmall), let ratio = bits.read(3) else { return nil }
    let width: Int
    if ratio == 0 {
      guard let told = side(&bits, isSmall: isSmall) else { return nil }
      width = told
    } else {
      let (above, below) = ratios[Int(ratio) - 1]
      width = height * above / below
    }
    return PictureHeader(.jxl, PixelSize(width: width, height: height))
  }

  /// The ratios of width to height for the values 1 to 7.
  private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

  private static func side(_ bits: inout BitReader, isSmall: Bool) -> Int? {
    if isSmall { return bits.read(5).map { (Int($0) + 1) * 8 } }
    guard let length = bits.read(2) else { return nil }
    return bits.read([9, 13, 18, 30][Int(length)]).map { Int($0) + 1 }
  }

  /// The codestream, which begins with the marker FF 0A.
  private static func codestream(_ bytes: Bytes) -> Bytes? {
    if bytes.bigEndian(2, at: 0) == 0xFF0A { return bytes }
    for box in ISOHeader.boxes(bytes) {
      // In a picture that is split into several boxes, each part follows its number.
      let content = box.code == "jxlc" ? box.content : box.code == "jxlp" ? box.content.part(from: 4) : nil
      if let content { return content.bigEndian(2, at: 0) == 0xFF0A ? content : nil }
    }
    return nil
  }
}

/// Reads numbers bit by bit, the lowest bit of each byte first.
private struct BitReader {
  let bytes: Bytes
  private var position = 0

  init(bytes: Bytes) { self.bytes = bytes }

  /// - Parameter count: at most 32.
  mutating func read(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<count {
      guard let byte = bytes.byte(at: position / 8) else { return nil }
      value |= UInt32(byte >> (position % 8) & 1) << index
      position += 1
    }
    return value
  }
}

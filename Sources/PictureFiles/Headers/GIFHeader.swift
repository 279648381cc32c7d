import PlaybackCore

/// Reads a GIF's header and blocks; a frame's delay is in the block before the frame.
enum GIFHeader {
  static func read(_ bytes: Bytes) -> PictureHeader? {
    guard let width = bytes.littleEndian(2, at: 6), let height = bytes.littleEndian(2, at: 8),
      let flags = bytes.byte(at: 10)
    else { return nil }
    var header = PictureHeader(.gif, PixelSize(width: Int(width), height: Int(height)))
    var offset = 13 + colours(flags)
    var delays: [Duration] = []
    var delay = Duration.zero
    // Without a loop block the animation plays once.
    var plays: Int? = 1
    blocks: while let kind = bytes.byte(at: offset) {
      switch kind {
      case 0x21:
        let label = bytes.byte(at: offset + 1)
        if label == 0xF9, let time = bytes.littleEndian(2, at: offset + 4) {
          delay = .milliseconds(Int64(time) * 10)
        } else if label == 0xFF, isLoop(bytes.part(at: offset + 3, count: 11)), bytes.byte(at: offset + 15) == 1,
          let count = bytes.littleEndian(2, at: offset + 16)
        {
          // The number counts the repetitions, as all browsers interpret it.
          plays = count == 0 ? nil : Int(count) + 1
        }
        offset = skipBlocks(bytes, from: offset + 2)
      case 0x2C:
        guard let flags = bytes.byte(at: offset + 9) else { break blocks }
        delays.append(delay)
        delay = .zero
        offset = skipBlocks(bytes, from: offset + 10 + colours(flags) + 1)
      // The end, or bytes that aren't a block.
      default: break blocks
      }
    }
    if delays.count > 1 { header.animation = PictureAnimation(delays: delays, plays: plays) }
    return header
  }

  /// Bytes of the colour table that these flags announce.
  private static func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  private static func isLoop(_ name: Bytes) -> Bool {
    name.starts(with: "NETSCAPE2.0") || name.starts(with: "ANIMEXTS1.0")
  }

  private static func skipBlocks(_ bytes: Bytes, from start: Int) -> Int {
    var offset = start
    while let length = bytes.byte(at: offset) {
      offset += 1 + Int(length)
      if length == 0 { break }
    }
    return offset
  }
}

/// Detects MP3s that were joined by appending one file to the other, as announcements and speech from web services are.
/// The first file's header states the length of the first file alone, and a player that trusts it stops there.
public enum JoinedSound {
  /// Bytes of the first frame that are searched: after its four-byte header come at most 32 bytes of side information,
  /// then the Xing, Info or VBRI header.
  static let searched = 256
  static let headLength = 10

  /// Whether another MP3 begins where the first one's header says that it ends.
  ///
  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - read: returns `count` bytes from a place on; nil where they aren't all there.
  public static func isJoined(size: Int, read: (_ place: Int, _ count: Int) -> [UInt8]?) -> Bool {
    guard let head = read(0, headLength) else { return false }
    let start = endOfTags(head)
    guard let frame = read(start, searched), isFrame(frame), let header = header(in: frame), let length = header.bytes,
      length > 0, let next = read(start + length, headLength)
    else { return false }
    return isFrame(next) || next.starts(with: "ID3".utf8)
  }

  /// Finds the Xing, Info or VBRI header in a first frame: its place, and the number of bytes that it states. Nil where
  /// the frame has none.
  public static func header(in frame: some Collection<UInt8>) -> (place: Int, bytes: Int?)? {
    let bytes = Array(frame.prefix(searched))
    func number(_ place: Int) -> Int? {
      guard place >= 0, place + 4 <= bytes.count else { return nil }
      return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    for place in 4..<max(4, bytes.count - 4) {
      let name = bytes[place..<(place + 4)]
      if name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) {
        let flags = number(place + 4) ?? 0
        return (place, flags & 2 == 0 ? nil : number(place + (flags & 1 == 0 ? 8 : 12)))
      }
      if name.elementsEqual("VBRI".utf8) { return (place, number(place + 10)) }
    }
    return nil
  }

  static func isFrame(_ bytes: [UInt8]) -> Bool {
    // A frame header: eleven bits of sync, and no reserved version, layer or bit rate.
    bytes.count >= 4 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x18 != 0x08 && bytes[1] & 0x06 != 0
      && bytes[2] & 0xF0 != 0xF0
  }

  /// Returns the end of an ID3v2 tag, whose length is in four bytes of seven bits; 0 without a tag.
  static func endOfTags(_ head: [UInt8]) -> Int {
    guard head.starts(with: "ID3".utf8), head[6..<10].allSatisfy({ $0 < 0x80 }) else { return 0 }
    return headLength + head[6..<10].reduce(0) { $0 << 7 | Int($1) } + (head[5] & 0x10 != 0 ? headLength : 0)
  }
}

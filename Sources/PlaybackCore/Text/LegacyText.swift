/// Encodings other than UTF-8 that files of people have: what editors of Windows store. What is no character becomes U+FFFD.
public enum LegacyText {
  /// UTF-8 of UTF-16 without a byte order mark; an odd byte at the end is half a character, and left out.
  public static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? a << 8 | b : b << 8 | a)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// UTF-8 of the code page of Western Windows, of which Latin-1 is a part.
  public static func windows1252(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      switch byte {
      case ..<0x80: text.append(byte)
      case 0x80..<0xA0: append(upperControls[Int(byte) - 0x80], to: &text)
      default: append(UInt32(byte), to: &text)
      }
    }
    return text
  }

  /// Appends a scalar value as UTF-8; what isn't one is U+FFFD.
  static func append(_ value: UInt32, to text: inout [UInt8]) {
    text += Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
  }

  /// 0x80...0x9F of Windows-1252, where Latin-1 has control characters that no text uses: quotes, dashes, the euro.
  private static let upperControls: [UInt32] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}

/// Converts the other encodings of text files to UTF-8: those that Windows editors write. Invalid characters become
/// U+FFFD.
public enum LegacyText {
  /// Converts UTF-16 without a byte order mark; an odd byte at the end is half a character, and dropped.
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

  /// Converts the code page of Western Windows, which includes Latin-1.
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

  /// Appends a scalar value as UTF-8; an invalid one becomes U+FFFD.
  static func append(_ value: UInt32, to text: inout [UInt8]) {
    text += Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
  }

  /// The characters at 0x80...0x9F of Windows-1252: quotes, dashes, the euro. Latin-1 has control characters there.
  private static let upperControls: [UInt32] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}

/// Makes UTF-8 of whatever encoding a subtitle file has.
enum SubtitleEncoding {
  /// Always succeeds; without the byte order mark. What isn't valid in the encoding is replaced by U+FFFD.
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(bytes[3...]) }
    if bytes.starts(with: [0xFF, 0xFE]) { return LegacyText.utf16(bytes[2...], isBigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return LegacyText.utf16(bytes[2...], isBigEndian: true) }
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    return LegacyText.windows1252(bytes)
  }

  private static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).utf8)
  }
}

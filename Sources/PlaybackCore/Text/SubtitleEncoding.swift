/// Converts a subtitle file of any encoding to UTF-8.
enum SubtitleEncoding {
  /// Always succeeds; removes the byte order mark. Bytes that are invalid in the encoding become U+FFFD.
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

internal import PlaybackCore

/// The encoding of a text from another system: editors of Windows don't always save UTF-8.
enum TextEncoding: Hashable, Sendable {
  case utf8
  /// Notepad's "Unicode", with the lower byte first.
  case utf16LittleEndian
  case utf16BigEndian
  /// Any text that isn't UTF-8 or UTF-16: nearly always in the code page of Western Windows, which includes Latin-1.
  case windows1252

  /// Bytes from the start by which UTF-16 without a byte order mark is recognised.
  private static let lookedAt = 64

  init(of bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else if let order = Self.unmarked(bytes) {
      self = order
    } else {
      self = String(validating: bytes, as: UTF8.self) == nil ? .windows1252 : .utf8
    }
  }

  /// UTF-16 without a byte order mark: every second byte is 0, as it is for most Western characters.
  private static func unmarked(_ bytes: [UInt8]) -> TextEncoding? {
    let start = bytes.prefix(lookedAt)
    guard start.count >= 4, start.count.isMultiple(of: 2) else { return nil }
    let zeros = { (rest: Int) in start.indices.count { $0 % 2 == rest && start[$0] == 0 } }
    let (even, odd) = (zeros(0), zeros(1))
    // No other text has zeros.
    if odd > start.count / 4, even == 0 { return .utf16LittleEndian }
    if even > start.count / 4, odd == 0 { return .utf16BigEndian }
    return nil
  }

  /// The text in UTF-8, without a byte order mark. Invalid bytes become the replacement character.
  func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8: return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    case .windows1252: return LegacyText.windows1252(bytes)
    case .utf16LittleEndian, .utf16BigEndian:
      let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      return LegacyText.utf16(bytes[(hasMark ? 2 : 0)...], isBigEndian: self == .utf16BigEndian)
    }
  }

  /// A text for people, decoded as UTF-8 or else by the code page.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(decoding: LegacyText.windows1252(bytes), as: UTF8.self)
  }
}

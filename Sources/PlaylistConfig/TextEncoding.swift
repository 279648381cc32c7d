internal import PlaybackCore

/// How a text of somebody else is stored: editors of Windows store other things than UTF-8.
enum TextEncoding: Hashable, Sendable {
  case utf8
  /// Of Notepad's "Unicode", the lesser byte first.
  case utf16LittleEndian
  case utf16BigEndian
  /// What isn't UTF-8: nearly always the code page of Western Windows, of which Latin-1 is a part.
  case windows1252

  /// Bytes from the start in which UTF-16 without a mark shows itself.
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

  /// Without a mark at the beginning: every second byte is 0, as it is for what keyboards of the West type.
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

  /// The text in UTF-8, without a mark at its beginning. Bytes that mean nothing become the mark of replacement.
  func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8: return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    case .windows1252: return LegacyText.windows1252(bytes)
    case .utf16LittleEndian, .utf16BigEndian:
      let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      return LegacyText.utf16(bytes[(hasMark ? 2 : 0)...], isBigEndian: self == .utf16BigEndian)
    }
  }

  /// A text for people: UTF-8, or else of the code page.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(decoding: LegacyText.windows1252(bytes), as: UTF8.self)
  }
}

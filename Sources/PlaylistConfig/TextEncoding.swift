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
    case .windows1252: return Self.fromWindows1252(bytes)
    case .utf16LittleEndian, .utf16BigEndian:
      let isBig = self == .utf16BigEndian
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isBig ? first << 8 | second : second << 8 | first)
      }
      if units.first == 0xFEFF { units.removeFirst() }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
  }

  /// A text for people: UTF-8, or else of the code page.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(decoding: fromWindows1252(bytes), as: UTF8.self)
  }

  static func fromWindows1252(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let code = (0x80..<0xA0).contains(byte) ? Self.high[Int(byte) - 0x80] : UInt16(byte)
      text.append(Unicode.Scalar(code) ?? "\u{FFFD}")
    }
    return Array(String(text).utf8)
  }

  /// 0x80 to 0x9F, where the code page isn't Latin-1; five of them mean nothing.
  private static let high: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]
}

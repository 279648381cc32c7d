/// Percent-encoding as of RFC 3986. Whole paths: `FileAddress`.
package enum PercentEncoding {
  /// Encodes characters that are illegal in a URI (spaces, quotes, non-ASCII) and leaves escapes as they are.
  package static func repaired(_ text: Substring) -> String {
    var repaired = ""
    for byte in text.utf8 {
      if byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
        repaired += escape(byte)
      } else {
        repaired.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return repaired
  }

  /// The bytes that `text` stands for; nil when a `%` isn't followed by two hexadecimal digits.
  package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The escape of a byte, such as `%0A` for a line break.
  package static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

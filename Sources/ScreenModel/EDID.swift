/// Reads a screen's EDID (VESA E-EDID, base block of 128 bytes). The bytes come from outside; texts in them go to
/// terminals.
public enum EDID {
  private static let header: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]

  /// The screen's name, else its maker's three letters and the product number; nil for bytes that aren't an EDID.
  public static func name(_ bytes: [UInt8]) -> String? { monitorName(bytes) ?? product(bytes) }

  /// The name alone, which a sound card also reports for the screen behind it; nil without a name.
  public static func monitorName(_ bytes: [UInt8]) -> String? {
    guard isEDID(bytes) else { return nil }
    // There are four descriptors of 18 bytes; the one that begins like this holds the name.
    for start in stride(from: 54, to: 126, by: 18)
    where bytes[start..<(start + 5)].elementsEqual([0x00, 0x00, 0x00, 0xFC, 0x00]) {
      // A name shorter than its 13 bytes ends with a line feed.
      let name = plainText(bytes[(start + 5)..<(start + 18)].prefix { $0 != 0x0A && $0 != 0 })
      if !name.isEmpty { return name }
    }
    return nil
  }

  /// The printable ASCII characters of a name, without spaces at its end.
  public static func plainText(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: bytes.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
    return text.lastIndex { $0 != " " }.map { String(text[...$0]) } ?? ""
  }

  private static func product(_ bytes: [UInt8]) -> String? {
    guard isEDID(bytes) else { return nil }
    let maker = UInt16(bytes[8]) << 8 | UInt16(bytes[9])
    let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: maker >> $0 & 0x1F) + 0x40 }
    guard letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    return "\(String(decoding: letters, as: UTF8.self)) \(Int(bytes[10]) | Int(bytes[11]) << 8)"
  }

  private static func isEDID(_ bytes: [UInt8]) -> Bool { bytes.count >= 128 && bytes.starts(with: header) }
}
